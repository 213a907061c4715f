// Prints what schema/unimplemented.txt needs: "drop ROW" and "add ROW" lines, for
// scripts/ledger-rows.
#include <iostream>
#include <set>

#include "schema/ledger.h"

int main() {
  using namespace onnxv;
  std::set<std::string> needed;
  const auto label = [](const auto& row) {
    return row.domain + " " + row.name + "-" + std::to_string(row.since_version);
  };
  for (const OperatorName& name : all_operator_names()) {
    for (const OpSchema& schema : schema_versions(name.domain, name.name)) {
      const Standing held = standing(schema);
      if (held == Standing::kMissing) std::cout << "add " << label(schema) << "\n";
      if (held == Standing::kUnimplemented) needed.insert(label(schema));
    }
  }
  for (const UnimplementedRow& row : unimplemented_rows()) {
    if (!needed.contains(label(row))) std::cout << "drop " << label(row) << "\n";
  }
}
