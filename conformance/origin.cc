#include "conformance/origin.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <variant>

#include "conformance/subgraphs.h"
#include "schema/schema.h"

namespace onnxv {
namespace {

std::string full_domain(const std::string& domain) { return domain.empty() ? "ai.onnx" : domain; }

const Attribute* attribute_of(const Node& node, std::string_view name) {
  for (const Attribute& attribute : node.attributes) {
    if (attribute.name == name) return &attribute;
  }
  return nullptr;
}

// A number given by the node, else the schema's default.
std::optional<double> number_of(const Node& node, const std::string& domain, int version,
                                const std::string& name) {
  if (const Attribute* given = attribute_of(node, name)) {
    if (const float* real = std::get_if<float>(&given->value)) return *real;
    if (const int64_t* integer = std::get_if<int64_t>(&given->value)) {
      return static_cast<double>(*integer);
    }
    return std::nullopt;
  }
  const OpSchema* schema = find_schema(domain, node.op, version);
  const AttributeSchema* declared = schema != nullptr ? schema->attribute(name) : nullptr;
  if (declared == nullptr) return std::nullopt;
  if (const float* real = std::get_if<float>(&declared->default_value)) return *real;
  return std::nullopt;
}

bool draws(const ToleranceRule& rule, const Node& node, const std::string& domain, int version,
           bool by_interpreter) {
  if (rule.tolerance.kind != Tolerance::Kind::kDistribution) return false;
  if (by_interpreter && rule.settled_for_interpreter) return false;
  if (!rule.random_unless.empty()) {
    return number_of(node, domain, version, rule.random_unless).value_or(0) == 0;
  }
  if (rule.random_input < 0) return true;
  const auto input = static_cast<size_t>(rule.random_input);
  return input < node.inputs.size() && !node.inputs[input].empty();
}

const Function* function_of(const Model& model, const Node& node) {
  for (const Function& function : model.functions) {
    if (function.name == node.op && full_domain(function.domain) == full_domain(node.domain) &&
        function.overload == node.overload) {
      return &function;
    }
  }
  return nullptr;
}

class Taint {
 public:
  Taint(const Model& model, bool by_interpreter) : model_(model), by_interpreter_(by_interpreter) {}

  // True when the node draws, or anything in its subgraphs or function does.
  bool draws_within(const Node& node, const std::vector<OpsetImport>& imports, int depth) const {
    constexpr int kDeepest = 32;
    if (depth > kDeepest) return false;
    const Origin origin = origin_of(node, imports);
    if (origin.random) return true;
    bool random = false;
    for_each_subgraph(node, [&](const Graph& graph) {
      for (const Node& inner : graph.nodes) random |= draws_within(inner, imports, depth + 1);
    });
    if (const Function* function = function_of(model_, node)) {
      for (const Node& inner : function->nodes) {
        random |= draws_within(inner, function->opset_imports, depth + 1);
      }
    }
    return random;
  }

  Origin origin_of(const Node& node, const std::vector<OpsetImport>& imports) const {
    const std::string domain = full_domain(node.domain);
    const OpSchema* schema = find_schema(domain, node.op, imported_version(imports, domain));
    if (schema == nullptr || function_of(model_, node) != nullptr) return {};
    return node_origin(node, domain, schema->since_version, by_interpreter_);
  }

 private:
  const Model& model_;
  bool by_interpreter_;
};

void collect(const Model& model, const std::vector<Node>& nodes,
             const std::vector<OpsetImport>& imports, int depth,
             std::vector<UsedOperator>& operators) {
  constexpr int kDeepest = 32;
  if (depth > kDeepest) return;
  for (const Node& node : nodes) {
    const std::string domain = full_domain(node.domain);
    const std::string name = domain == "ai.onnx" ? node.op : domain + "." + node.op;
    const auto known = [&](const UsedOperator& used) { return used.name == name; };
    if (std::none_of(operators.begin(), operators.end(), known)) {
      const OpSchema* schema = find_schema(domain, node.op, imported_version(imports, domain));
      operators.push_back({name, schema == nullptr ? 0 : schema->since_version});
    }
    for_each_subgraph(node, [&](const Graph& graph) {
      collect(model, graph.nodes, imports, depth + 1, operators);
    });
    if (const Function* function = function_of(model, node)) {
      collect(model, function->nodes, function->opset_imports, depth + 1, operators);
    }
  }
}

}  // namespace

int64_t imported_version(const std::vector<OpsetImport>& imports, std::string_view domain) {
  if (domain.empty()) domain = "ai.onnx";
  for (const OpsetImport& import : imports) {
    if (full_domain(import.domain) == domain) return import.version;
  }
  return imports.empty() && domain == "ai.onnx" ? 1 : 0;
}

Origin node_origin(const Node& node, const std::string& domain, int since_version,
                   bool by_interpreter) {
  Origin origin;
  origin.domain = full_domain(domain);
  origin.op = node.op;
  origin.since_version = since_version;
  const ToleranceRule* rule =
      ToleranceTable::built_in().find(origin.domain, node.op, since_version, DType::kUndefined);
  if (rule == nullptr || !draws(*rule, node, origin.domain, since_version, by_interpreter)) {
    return origin;
  }
  origin.random = true;
  origin.distribution = rule->tolerance;
  if (!rule->minimum_attribute.empty()) {
    origin.distribution.minimum =
        number_of(node, origin.domain, since_version, rule->minimum_attribute);
  }
  if (!rule->maximum_attribute.empty()) {
    origin.distribution.maximum =
        number_of(node, origin.domain, since_version, rule->maximum_attribute);
  }
  return origin;
}

std::vector<Origin> output_origins(const Model& model, bool by_interpreter) {
  const Taint taint(model, by_interpreter);
  std::map<std::string, Origin> made;
  std::set<std::string> random;
  for (const Node& node : model.graph->nodes) {
    Origin origin = taint.origin_of(node, model.opset_imports);
    bool below = taint.draws_within(node, model.opset_imports, 0);
    for (const std::string& input : node.inputs) below |= random.contains(input);
    if (below && !origin.random) {
      origin.random = true;
      origin.distribution = {};
      origin.distribution.kind = Tolerance::Kind::kDistribution;
      origin.distribution.identical = false;
    }
    for (const std::string& output : node.outputs) {
      if (output.empty()) continue;
      made[output] = origin;
      if (below) random.insert(output);
    }
  }
  std::vector<Origin> origins;
  for (const ValueInfo& output : model.graph->outputs) {
    const auto found = made.find(output.name);
    origins.push_back(found == made.end() ? Origin{} : found->second);
  }
  return origins;
}

std::vector<UsedOperator> operators_of(const Model& model) {
  std::vector<UsedOperator> operators;
  collect(model, model.graph->nodes, model.opset_imports, 0, operators);
  return operators;
}

}  // namespace onnxv
