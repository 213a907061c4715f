// onnx-verify ops: every operator that is known, with its versions, types, tolerance and status.
#include <cstdio>
#include <nlohmann/json.hpp>

#include "conformance/compare/tolerance.h"
#include "schema/ledger.h"
#include "src/base/error.h"
#include "src/cli/choices.h"
#include "src/cli/commands.h"
#include "src/cli/operator_status.h"

namespace onnxv::cli {
namespace {

using Json = nlohmann::ordered_json;

// Versions of all operators, or of those of one name: "Softmax" or "ai.onnx.ml.Scaler".
std::vector<const OpSchema*> selected_versions(const std::string& name) {
  std::vector<const OpSchema*> selected;
  for (const OperatorName& known : all_operator_names()) {
    if (!name.empty() && name != known.name && name != known.domain + "." + known.name) continue;
    for (const OpSchema& schema : schema_versions(known.domain, known.name))
      selected.push_back(&schema);
  }
  if (selected.empty()) fail_usage("unknown-operator", "there is no operator \"" + name + "\"");
  return selected;
}

// What one node of the operator is compared with unless --tolerance says otherwise.
Tolerance default_tolerance(const OpSchema& schema) {
  const ToleranceRule* rule = ToleranceTable::built_in().find(schema.domain, schema.name,
                                                              schema.since_version, DType::kFloat);
  if (rule != nullptr) return rule->tolerance;
  return resolve({}, ToleranceContext::kNode, schema.domain, schema.name, schema.since_version,
                 DType::kFloat, "", nullptr);
}

Json tolerance_entry(const Tolerance& tolerance) {
  using Kind = Tolerance::Kind;
  Json entry{{"kind", std::string(kind_name(tolerance.kind))}};
  if (tolerance.kind == Kind::kOfficial || tolerance.kind == Kind::kNode)
    entry["rtol"] = tolerance.rtol;
  if (tolerance.kind == Kind::kOfficial || tolerance.kind == Kind::kScaled)
    entry["atol"] = tolerance.atol;
  if (tolerance.kind == Kind::kScaled) entry["scale"] = tolerance.scale;
  if (tolerance.kind == Kind::kUlp) entry["ulps"] = tolerance.ulps;
  return entry;
}

// What --tolerance derived asks of the operator.
Json freedom_entry(const OpSchema& schema) {
  const Freedom* freedom = ToleranceTable::built_in().freedom(schema.domain, schema.name, schema.since_version);
  if (freedom == nullptr) return nullptr;
  return {{"freedom", std::string(freedom_name(freedom->kind))}, {"reason", freedom->reason}};
}

Json entry_of(const OpSchema& schema) {
  Json tolerance = tolerance_entry(default_tolerance(schema));
  tolerance["derived"] = freedom_entry(schema);
  Json types = Json::object();
  for (const TypeParameter& parameter : schema.type_parameters)
    types[parameter.name] = parameter.types;
  return {{"domain", schema.domain},
          {"name", schema.name},
          {"since_version", schema.since_version},
          {"status", status_name(ledger_status(schema))},
          {"deprecated", schema.deprecated},
          {"types", types},
          {"tolerance", tolerance}};
}

void print_json(const std::vector<const OpSchema*>& versions) {
  Json operators = Json::array();
  for (const OpSchema* schema : versions) operators.push_back(entry_of(*schema));
  std::printf("%s\n", Json{{"operators", operators}}.dump(1).c_str());
}

void print_list(const std::vector<const OpSchema*>& versions) {
  for (const OpSchema* schema : versions) {
    const std::string name = schema->name + "-" + std::to_string(schema->since_version);
    std::printf("%-28s %-36s %s%s; %s\n", schema->domain.c_str(), name.c_str(),
                std::string(status_name(ledger_status(*schema))).c_str(),
                schema->deprecated ? ", deprecated" : "",
                tolerance_entry(default_tolerance(*schema)).dump().c_str());
  }
}

void print_decisions() {
  for (const Decision& decision : decisions()) {
    std::printf("%.*s:%d: %.*s: %.*s\n", static_cast<int>(decision.file.size()),
                decision.file.data(), decision.line, static_cast<int>(decision.tag.size()),
                decision.tag.data(), static_cast<int>(decision.text.size()), decision.text.data());
  }
}

}  // namespace

int run_command(const OpsCommand& command) {
  if (command.choices) {
    print_decisions();
    return 0;
  }
  const auto versions = selected_versions(command.name);
  if (command.json) {
    print_json(versions);
  } else if (command.name.empty()) {
    print_list(versions);
  } else {
    for (const OpSchema* schema : versions) std::printf("%s", signature_of(*schema).c_str());
  }
  return 0;
}

}  // namespace onnxv::cli
