#include "conformance/compare/tolerance.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "conformance/embedded.h"
#include "src/base/error.h"

namespace onnxv {
namespace {

using Json = nlohmann::json;

constexpr struct {
  Tolerance::Kind kind;
  std::string_view name;
} kKinds[] = {
    {Tolerance::Kind::kOfficial, "official"},
    {Tolerance::Kind::kNode, "node"},
    {Tolerance::Kind::kScaled, "scaled"},
    {Tolerance::Kind::kExact, "exact"},
    {Tolerance::Kind::kUlp, "ulp"},
    {Tolerance::Kind::kDerived, "derived"},
    {Tolerance::Kind::kDistribution, "distribution"},
};

std::optional<double> positive_number(const std::string& text) {
  size_t used = 0;
  double value = 0;
  try {
    value = std::stod(text, &used);
  } catch (const std::exception&) {
    return std::nullopt;
  }
  if (used != text.size() || !std::isfinite(value) || value < 0) return std::nullopt;
  return value;
}

// "official", "scaled:1e-3", "ulp:2" …; nullopt when the text is no kind.
std::optional<Tolerance> parse_kind(const std::string& text) {
  const size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  const bool has_argument = colon != std::string::npos;
  const std::string argument = has_argument ? text.substr(colon + 1) : "";
  Tolerance tolerance;
  for (const auto& known : kKinds) {
    if (name != known.name) continue;
    tolerance.kind = known.kind;
    const bool wants_argument =
        known.kind == Tolerance::Kind::kScaled || known.kind == Tolerance::Kind::kUlp;
    if (wants_argument != has_argument) return std::nullopt;
    if (!wants_argument) return tolerance;
    const std::optional<double> number = positive_number(argument);
    if (!number) return std::nullopt;
    if (known.kind == Tolerance::Kind::kScaled) {
      tolerance.scale = *number;
      return tolerance;
    }
    if (argument.find_first_not_of("0123456789") != std::string::npos || argument.size() > 18) {
      return std::nullopt;
    }
    tolerance.ulps = std::stoull(argument);
    return tolerance;
  }
  return std::nullopt;
}

constexpr std::pair<Freedom::Kind, std::string_view> kFreedoms[] = {{Freedom::Kind::kBits, "bits"},
                                                                    {Freedom::Kind::kBound, "bound"},
                                                                    {Freedom::Kind::kSteps, "steps"},
                                                                    {Freedom::Kind::kOpen, "open"},
                                                                    {Freedom::Kind::kWhole, "whole"}};

[[noreturn]] void reject(const std::string& source, const std::string& what) {
  fail_usage("tolerance-file", source + ": " + what,
             "wanted {\"rules\": [{\"op\": …, \"kind\": …, \"reason\": …}]}");
}

std::optional<double> optional_number(const Json& object, const char* key,
                                      const std::string& source) {
  const auto found = object.find(key);
  if (found == object.end()) return std::nullopt;
  if (!found->is_number()) reject(source, std::string(key) + " is no number");
  const double value = found->get<double>();
  if (!std::isfinite(value)) reject(source, std::string(key) + " is not finite");
  return value;
}

std::optional<double> optional_size(const Json& object, const char* key,
                                    const std::string& source) {
  const std::optional<double> value = optional_number(object, key, source);
  if (value && *value < 0) reject(source, std::string(key) + " is negative");
  return value;
}

std::string text_of(const Json& object, const char* key, const std::string& source) {
  const auto found = object.find(key);
  if (found == object.end()) return "";
  if (!found->is_string()) reject(source, std::string(key) + " is no string");
  return found->get<std::string>();
}

int version_of(const Json& object, const char* key, const std::string& source) {
  const auto found = object.find(key);
  if (found == object.end()) return 0;
  if (!found->is_number_integer()) reject(source, std::string(key) + " is no integer");
  return found->get<int>();
}

Tolerance tolerance_of(const Json& object, const std::string& source, std::string kind) {
  if (kind.empty()) kind = "official";
  Tolerance tolerance;
  if (kind == "scaled" || kind == "ulp") {
    tolerance.kind = kind == "ulp" ? Tolerance::Kind::kUlp : Tolerance::Kind::kScaled;
    const std::optional<double> argument =
        optional_size(object, kind == "ulp" ? "ulps" : "scale", source);
    if (!argument) reject(source, kind + " lacks its number");
    if (kind == "scaled") tolerance.scale = *argument;
    if (kind == "ulp") tolerance.ulps = static_cast<uint64_t>(std::min(*argument, 1e18));
  } else if (const auto known = parse_kind(kind)) {
    tolerance = *known;
  } else {
    reject(source, "\"" + kind + "\" is no kind of tolerance");
  }
  tolerance.rtol = optional_size(object, "rtol", source).value_or(tolerance.rtol);
  tolerance.atol = optional_size(object, "atol", source).value_or(tolerance.atol);
  tolerance.minimum = optional_number(object, "minimum", source);
  tolerance.maximum = optional_number(object, "maximum", source);
  tolerance.identical = !object.value("per_element", false);
  return tolerance;
}

// A key that nobody reads is a mistake of whoever wrote it.
void check_keys(const Json& object, std::initializer_list<std::string_view> known, const std::string& source) {
  for (const auto& [key, value] : object.items()) {
    if (std::find(known.begin(), known.end(), key) == known.end()) reject(source, "there is no key \"" + key + "\"");
  }
}

// The operator that a row is about, and why the row is there.
template <class Row>
void read_subject(const Json& object, const std::string& source, Row* row) {
  row->domain = text_of(object, "domain", source);
  if (row->domain.empty()) row->domain = "ai.onnx";
  row->op = text_of(object, "op", source);
  row->first_version = version_of(object, "first_version", source);
  row->last_version = version_of(object, "last_version", source);
  row->reason = text_of(object, "reason", source);
}

ToleranceRule rule_of(const Json& object, const std::string& source) {
  if (!object.is_object()) reject(source, "a rule is no object");
  check_keys(object, {"domain", "op", "node", "output", "first_version", "last_version", "dtype", "kind", "rtol", "atol", "scale", "ulps",
                      "minimum", "maximum", "per_element", "minimum_attribute", "maximum_attribute", "random_input",
                      "random_unless", "settled_for_interpreter", "reason"}, source);
  ToleranceRule rule;
  read_subject(object, source, &rule);
  rule.node = text_of(object, "node", source);
  rule.output = text_of(object, "output", source);
  const std::string dtype = text_of(object, "dtype", source);
  if (!dtype.empty()) {
    rule.dtype = dtype_from_name(dtype);
    if (!rule.dtype) reject(source, "\"" + dtype + "\" is no element type");
  }
  rule.tolerance = tolerance_of(object, source, text_of(object, "kind", source));
  rule.minimum_attribute = text_of(object, "minimum_attribute", source);
  rule.maximum_attribute = text_of(object, "maximum_attribute", source);
  if (object.contains("random_input"))
    rule.random_input = version_of(object, "random_input", source);
  rule.random_unless = text_of(object, "random_unless", source);
  rule.settled_for_interpreter = object.value("settled_for_interpreter", false);
  return rule;
}

Freedom freedom_of(const Json& object, const std::string& source) {
  if (!object.is_object()) reject(source, "a freedom is no object");
  check_keys(object, {"domain", "op", "first_version", "last_version", "freedom", "reason"}, source);
  Freedom freedom;
  read_subject(object, source, &freedom);
  const std::string name = text_of(object, "freedom", source);
  for (const auto& [kind, text] : kFreedoms) {
    if (name != text) continue;
    freedom.kind = kind;
    return freedom;
  }
  reject(source, "\"" + name + "\" is no freedom");
}

Allowance allowance_of(const Json& object, const std::string& source) {
  if (!object.is_object()) reject(source, "a function is no object");
  check_keys(object, {"function", "ulps", "reason"}, source);
  Allowance allowance;
  allowance.function = text_of(object, "function", source);
  bool known = allowance.function.empty();
  for (size_t k = 0; k < kFunctions; ++k) known = known || allowance.function == function_name(static_cast<LibraryFunction>(k));
  if (!known) reject(source, "there is no function \"" + allowance.function + "\"");
  const std::optional<double> ulps = optional_size(object, "ulps", source);
  if (!ulps) reject(source, "a function lacks its ulps");
  allowance.ulps = *ulps;
  allowance.reason = text_of(object, "reason", source);
  return allowance;
}

Json parse_json(std::string_view text, const std::string& source) {
  Json parsed = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!parsed.is_object()) reject(source, "no JSON object");
  return parsed;
}

}  // namespace

std::string_view kind_name(Tolerance::Kind kind) {
  for (const auto& known : kKinds) {
    if (kind == known.kind) return known.name;
  }
  return "official";
}

ToleranceTable ToleranceTable::parse(std::string_view json, const std::string& source) {
  const Json parsed = parse_json(json, source);
  check_keys(parsed, {"rules", "freedoms", "functions"}, source);
  ToleranceTable table;
  const auto each = [&](const char* key, const auto& take) {
    const auto list = parsed.find(key);
    if (list == parsed.end()) return;
    if (!list->is_array()) reject(source, "\"" + std::string(key) + "\" is no list");
    for (const Json& entry : *list) take(entry);
  };
  if (!parsed.contains("rules")) reject(source, "no list \"rules\"");
  each("rules", [&](const Json& entry) { table.rules_.push_back(rule_of(entry, source)); });
  each("freedoms", [&](const Json& entry) { table.freedoms_.push_back(freedom_of(entry, source)); });
  each("functions", [&](const Json& entry) { table.allowances_.push_back(allowance_of(entry, source)); });
  return table;
}

const ToleranceTable& ToleranceTable::built_in() {
  static const ToleranceTable table = parse(embedded_text("tolerances.json"), "tolerances.json");
  return table;
}

const ToleranceRule* ToleranceTable::find(std::string_view domain, std::string_view op,
                                          int since_version, DType dtype, std::string_view node,
                                          std::string_view output) const {
  if (domain.empty()) domain = "ai.onnx";
  const ToleranceRule* nameless = nullptr;
  for (const ToleranceRule& rule : rules_) {
    if (rule.dtype && *rule.dtype != dtype) continue;
    if ((!rule.node.empty() && rule.node != node) || (!rule.output.empty() && rule.output != output)) continue;
    const bool names = !rule.node.empty() || !rule.output.empty();
    if (rule.op.empty() && names) return &rule;
    if (rule.op.empty()) {
      if (nameless == nullptr) nameless = &rule;
      continue;
    }
    const bool in_versions = since_version >= rule.first_version &&
                             (rule.last_version == 0 || since_version <= rule.last_version);
    if (rule.op == op && rule.domain == domain && in_versions) return &rule;
  }
  return nameless;
}

const Freedom* ToleranceTable::freedom(std::string_view domain, std::string_view op, int since_version) const {
  if (domain.empty()) domain = "ai.onnx";
  for (const Freedom& freedom : freedoms_) {
    if (freedom.op == op && freedom.domain == domain && since_version >= freedom.first_version &&
        (freedom.last_version == 0 || since_version <= freedom.last_version)) {
      return &freedom;
    }
  }
  return nullptr;
}

bool ToleranceTable::derives() const {
  return std::any_of(rules_.begin(), rules_.end(), [](const ToleranceRule& rule) { return rule.tolerance.kind == Tolerance::Kind::kDerived; });
}

std::string_view freedom_name(Freedom::Kind kind) {
  for (const auto& [known, name] : kFreedoms) {
    if (known == kind) return name;
  }
  return "bits";
}

bool ToleranceChoice::derives() const {
  return table ? table->derives() : !automatic && tolerance.kind == Tolerance::Kind::kDerived;
}

ToleranceChoice ToleranceChoice::parse(const std::string& text) {
  ToleranceChoice choice;
  if (text == "auto") return choice;
  choice.automatic = false;
  const std::optional<Tolerance> known = parse_kind(text);
  if (known && known->kind != Tolerance::Kind::kDistribution) {
    choice.tolerance = *known;
    return choice;
  }
  std::ifstream file(text, std::ios::binary);
  std::string content{std::istreambuf_iterator<char>(file), {}};
  if (!file || content.empty()) {
    fail_usage("tolerance", "\"" + text + "\"",
               "wanted auto, official, node, scaled:R, exact, ulp:N, derived or a JSON file");
  }
  choice.table = std::make_shared<const ToleranceTable>(ToleranceTable::parse(content, text));
  return choice;
}

DirectoryTolerance DirectoryTolerance::parse(std::string_view json, const std::string& source) {
  const Json parsed = parse_json(json, source);
  DirectoryTolerance tolerance;
  check_keys(parsed, {"rtol", "atol", "outputs"}, source);
  tolerance.rtol = optional_size(parsed, "rtol", source);
  tolerance.atol = optional_size(parsed, "atol", source);
  const auto outputs = parsed.find("outputs");
  if (outputs == parsed.end()) return tolerance;
  if (!outputs->is_object()) reject(source, "\"outputs\" is no object");
  for (const auto& [name, rule] : outputs->items()) {
    if (!rule.is_object()) reject(source, "the rule of output \"" + name + "\" is no object");
    tolerance.outputs.push_back({name, tolerance_of(rule, source, text_of(rule, "kind", source))});
  }
  return tolerance;
}

std::string DirectoryTolerance::json() const {
  using Ordered = nlohmann::ordered_json;
  const Tolerance official;
  Ordered text{{"rtol", rtol.value_or(official.rtol)}, {"atol", atol.value_or(official.atol)}};
  for (const Output& output : outputs) {
    const Tolerance& tolerance = output.tolerance;
    Ordered rule{{"kind", std::string(kind_name(tolerance.kind))}};
    if (tolerance.kind == Tolerance::Kind::kScaled) rule["scale"] = tolerance.scale;
    if (tolerance.kind == Tolerance::Kind::kUlp) rule["ulps"] = tolerance.ulps;
    const bool derived = tolerance.kind == Tolerance::Kind::kDerived;
    if (derived || tolerance.rtol != official.rtol) rule["rtol"] = tolerance.rtol;
    if (derived || tolerance.atol != official.atol) rule["atol"] = tolerance.atol;
    if (tolerance.minimum) rule["minimum"] = *tolerance.minimum;
    if (tolerance.maximum) rule["maximum"] = *tolerance.maximum;
    if (!tolerance.identical) rule["per_element"] = true;
    text["outputs"][output.name] = std::move(rule);
  }
  return text.dump(1) + "\n";
}

Tolerance without_bounds(Tolerance tolerance) {
  if (tolerance.kind == Tolerance::Kind::kDerived) tolerance.kind = Tolerance::Kind::kOfficial;
  return tolerance;
}

namespace {

Tolerance of_directory(const DirectoryTolerance* beside, std::string_view output) {
  Tolerance tolerance;
  if (beside == nullptr) return tolerance;
  for (const DirectoryTolerance::Output& own : beside->outputs) {
    if (own.name == output) return own.tolerance;
  }
  tolerance.rtol = beside->rtol.value_or(tolerance.rtol);
  tolerance.atol = beside->atol.value_or(tolerance.atol);
  return tolerance;
}

Tolerance automatic(ToleranceContext context, const DirectoryTolerance* beside,
                    std::string_view output) {
  Tolerance tolerance;
  switch (context) {
    case ToleranceContext::kTestDirectory: return of_directory(beside, output);
    case ToleranceContext::kModelOutput:
      tolerance.kind = Tolerance::Kind::kScaled;
      tolerance.scale = 1e-3;
      return tolerance;
    case ToleranceContext::kNode: tolerance.kind = Tolerance::Kind::kNode; return tolerance;
  }
  return tolerance;
}

}  // namespace

Tolerance resolve(const ToleranceChoice& choice, ToleranceContext context, std::string_view domain,
                  std::string_view op, int since_version, DType dtype, std::string_view output,
                  const DirectoryTolerance* beside, std::string_view node) {
  const auto settled = [&](Tolerance tolerance) {
    if (tolerance.kind != Tolerance::Kind::kDerived) return tolerance;
    const Freedom* freedom = ToleranceTable::built_in().freedom(domain, op, since_version);
    if (freedom == nullptr) return tolerance;
    const bool bounded = freedom->kind != Freedom::Kind::kOpen && freedom->kind != Freedom::Kind::kWhole;
    if (!bounded) return without_bounds(automatic(context, beside, output));
    tolerance.steps = freedom->kind == Freedom::Kind::kSteps;
    return tolerance;
  };
  if (choice.table) {
    const ToleranceRule* rule = choice.table->find(domain, op, since_version, dtype, node, output);
    if (rule != nullptr) return settled(rule->tolerance);
  } else if (!choice.automatic) {
    if (choice.tolerance.kind == Tolerance::Kind::kOfficial) return settled(of_directory(beside, output));
    return settled(choice.tolerance);
  }
  if (context == ToleranceContext::kTestDirectory && beside != nullptr) {
    return settled(automatic(context, beside, output));
  }
  const ToleranceRule* rule = ToleranceTable::built_in().find(domain, op, since_version, dtype);
  if (rule != nullptr && rule->tolerance.kind != Tolerance::Kind::kDistribution) {
    return rule->tolerance;
  }
  return automatic(context, beside, output);
}

}  // namespace onnxv
