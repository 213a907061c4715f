#include "conformance/single_node.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <variant>

#include "conformance/subgraphs.h"

namespace onnxv {
namespace {

void collect_constants(const std::vector<Node>& nodes, std::set<std::string>& names) {
  for (const Node& node : nodes) {
    const bool is_constant =
        node.op == "Constant" && (node.domain.empty() || node.domain == "ai.onnx");
    if (is_constant) names.insert(node.outputs.begin(), node.outputs.end());
    for_each_subgraph(node, [&](const Graph& graph) {
      for (const Initializer& initializer : graph.initializers) names.insert(initializer.name);
      collect_constants(graph.nodes, names);
    });
  }
}

bool is_known(const Type& type) {
  switch (type.kind) {
    case Type::Kind::kUnknown: return false;
    case Type::Kind::kTensor:
    case Type::Kind::kSparseTensor: return type.dtype != DType::kUndefined;
    default: return type.element != nullptr && is_known(*type.element);
  }
}

// An operator's attribute as a file holds it; nullopt for a subgraph, which a function cannot be
// handed.
std::optional<Attribute> as_attribute(const std::string& name, const AttributeValue& value) {
  Attribute attribute;
  attribute.name = name;
  const auto set = [&](Attribute::Kind kind, auto held) {
    attribute.kind = kind;
    attribute.value = std::move(held);
    return std::optional<Attribute>(attribute);
  };
  if (const auto* v = std::get_if<int64_t>(&value)) return set(Attribute::Kind::kInt, *v);
  if (const auto* v = std::get_if<float>(&value)) return set(Attribute::Kind::kFloat, *v);
  if (const auto* v = std::get_if<std::string>(&value)) return set(Attribute::Kind::kString, *v);
  if (const auto* v = std::get_if<std::vector<int64_t>>(&value))
    return set(Attribute::Kind::kInts, *v);
  if (const auto* v = std::get_if<std::vector<float>>(&value))
    return set(Attribute::Kind::kFloats, *v);
  if (const auto* v = std::get_if<std::vector<std::string>>(&value))
    return set(Attribute::Kind::kStrings, *v);
  if (const auto* v = std::get_if<Tensor>(&value)) return set(Attribute::Kind::kTensor, *v);
  if (const auto* v = std::get_if<std::vector<Tensor>>(&value))
    return set(Attribute::Kind::kTensors, *v);
  if (const auto* v = std::get_if<SparseTensor>(&value))
    return set(Attribute::Kind::kSparseTensor, *v);
  if (const auto* v = std::get_if<Type>(&value)) return set(Attribute::Kind::kTypeProto, *v);
  return std::nullopt;
}

using Bindings = std::vector<std::pair<std::string, AttributeValue>>;

// Attributes that refer to those of the enclosing function take their values; where the call gives
// none, they go.
bool bind_references(Node& node, const Bindings* bindings);

std::shared_ptr<const Graph> bound(const std::shared_ptr<const Graph>& graph,
                                   const Bindings* bindings, bool& all) {
  auto copy = std::make_shared<Graph>(*graph);
  for (Node& node : copy->nodes) all &= bind_references(node, bindings);
  return copy;
}

bool bind_references(Node& node, const Bindings* bindings) {
  bool all = true;
  std::vector<Attribute> kept;
  for (Attribute& attribute : node.attributes) {
    if (auto* one = std::get_if<std::shared_ptr<const Graph>>(&attribute.value)) {
      if (*one && bindings != nullptr) *one = bound(*one, bindings, all);
    }
    if (auto* many = std::get_if<std::vector<std::shared_ptr<const Graph>>>(&attribute.value)) {
      for (auto& graph : *many) {
        if (graph && bindings != nullptr) graph = bound(graph, bindings, all);
      }
    }
    if (attribute.reference.empty()) {
      kept.push_back(std::move(attribute));
      continue;
    }
    if (bindings == nullptr) return false;
    for (const auto& [name, value] : *bindings) {
      if (name != attribute.reference) continue;
      std::optional<Attribute> given = as_attribute(attribute.name, value);
      if (given) kept.push_back(std::move(*given));
      all &= given.has_value() || std::holds_alternative<std::monostate>(value);
    }
  }
  node.attributes = std::move(kept);
  return all;
}

class Builder {
 public:
  Builder(const Model& model, const NodeEvent& event, const std::set<std::string>& constants)
      : model_(model), event_(event), constants_(constants) {}

  std::optional<SingleNode> build(std::string& problem) {
    graph_.name = model_.graph->name;
    Node node = *event_.node;
    if (!bind_references(node, event_.function_attributes)) {
      problem = "an attribute of the enclosing function holds a graph";
      return std::nullopt;
    }
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      if (!add_input(node.inputs[i], (*event_.inputs)[i], problem)) return std::nullopt;
    }
    for (const auto& [name, value] : event_.captured) {
      if (!add_input(name, value, problem)) return std::nullopt;
    }
    if (!add_outputs(node, problem)) return std::nullopt;
    graph_.nodes.push_back(std::move(node));
    result_.model.ir_version = model_.ir_version;
    result_.model.producer_name = "onnx-verify";
    result_.model.producer_version = ONNXV_VERSION;
    result_.model.functions = model_.functions;
    result_.model.opset_imports = imports();
    result_.model.graph = std::make_shared<const Graph>(std::move(graph_));
    return std::move(result_);
  }

 private:
  bool add_input(const std::string& name, const Value& value, std::string& problem) {
    if (name.empty() || !seen_.insert(name).second) return true;
    if (!value.exists()) {
      problem = "the value \"" + name + "\" is not there";
      return false;
    }
    const bool plain = value.is_tensor() || value.is_sparse_tensor();
    if (plain && constants_.contains(name)) {
      graph_.initializers.push_back({name, value});
      // Before IR version 4 every initializer is an input too.
      if (model_.ir_version < 4) graph_.inputs.push_back({name, value.type(), {}, {}});
      return true;
    }
    ValueInfo info{name, value.type(), {}, {}};
    if (!is_known(info.type)) {
      problem = "the type of \"" + name + "\" cannot be stated";
      return false;
    }
    graph_.inputs.push_back(std::move(info));
    result_.inputs.push_back(value);
    return true;
  }

  bool add_outputs(const Node& node, std::string& problem) {
    for (size_t i = 0; i < node.outputs.size() && i < event_.outputs->size(); ++i) {
      const Value& value = (*event_.outputs)[i];
      if (node.outputs[i].empty() || !value.exists()) continue;
      ValueInfo info{node.outputs[i], value.type(), {}, {}};
      if (!is_known(info.type)) {
        problem = "the type of \"" + info.name + "\" cannot be stated";
        return false;
      }
      graph_.outputs.push_back(std::move(info));
      result_.outputs.push_back(i);
    }
    if (result_.outputs.empty()) problem = "it has no output";
    return !result_.outputs.empty();
  }

  std::vector<OpsetImport> imports() const {
    std::vector<OpsetImport> imports = model_.opset_imports;
    const std::string domain = event_.domain == "ai.onnx" ? "" : event_.domain;
    for (OpsetImport& import : imports) {
      if (import.domain == domain || (domain.empty() && import.domain == "ai.onnx")) {
        import.version = event_.opset;
        return imports;
      }
    }
    imports.push_back({domain, event_.opset});
    return imports;
  }

  const Model& model_;
  const NodeEvent& event_;
  const std::set<std::string>& constants_;
  Graph graph_;
  SingleNode result_;
  std::set<std::string> seen_;
};

}  // namespace

std::set<std::string> constant_names(const Model& model) {
  std::set<std::string> names;
  for (const Initializer& initializer : model.graph->initializers) names.insert(initializer.name);
  collect_constants(model.graph->nodes, names);
  for (const Function& function : model.functions) collect_constants(function.nodes, names);
  return names;
}

std::optional<SingleNode> single_node(const Model& model, const NodeEvent& event,
                                      const std::set<std::string>& constants,
                                      std::string& problem) {
  return Builder(model, event, constants).build(problem);
}

}  // namespace onnxv
