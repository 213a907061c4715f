// Which operator versions a slice of the suite is about.
#include <algorithm>

#include "conformance/generate/write_suite.h"
#include "schema/ledger.h"

namespace onnxv::generate {
namespace {

bool is_wanted(const OperatorName& name, const std::vector<std::string>& ops) {
  return ops.empty() || std::any_of(ops.begin(), ops.end(), [&](const std::string& op) {
           return op == name.name || op == name.domain + "." + name.name;
         });
}

void check_names(const std::vector<std::string>& ops) {
  for (const std::string& op : ops) {
    const auto names = all_operator_names();
    const bool known = std::any_of(names.begin(), names.end(),
                                   [&](const OperatorName& name) { return is_wanted(name, {op}); });
    if (!known) fail_usage("unknown-operator", "there is no operator \"" + op + "\"");
  }
}

void check_opset(int64_t opset, const std::vector<OperatorName>& names) {
  int64_t newest = 0;
  for (const OperatorName& name : names) newest = std::max(newest, newest_opset(name.domain));
  if (opset < 0 || opset > newest) {
    fail_usage("opset", "--opset is " + std::to_string(opset),
               "must be in [1, " + std::to_string(newest) + "]");
  }
}

}  // namespace

std::vector<Unit> units_of(const Slice& slice) {
  check_names(slice.ops);
  std::vector<OperatorName> names;
  for (const OperatorName& name : all_operator_names()) {
    if (is_wanted(name, slice.ops)) names.push_back(name);
  }
  check_opset(slice.opset, names);
  std::vector<Unit> units;
  for (const OperatorName& name : names) {
    const OpSchema* at_opset = slice.opset == 0 || slice.opset > newest_opset(name.domain)
                                   ? nullptr
                                   : find_schema(name.domain, name.name, slice.opset);
    for (const OpSchema& schema : schema_versions(name.domain, name.name)) {
      if (ledger_status(schema) != OpStatus::kImplemented) continue;
      if (slice.opset == 0) {
        units.push_back({&schema, schema.since_version});
      } else if (&schema == at_opset) {
        units.push_back({&schema, slice.opset});
      }
    }
  }
  return units;
}

}  // namespace onnxv::generate
