#include "src/run/testing_models.h"

namespace onnxv::testing {
namespace {

Node with(Node node, std::string name, Attribute::Kind kind, decltype(Attribute::value) value) {
  node.attributes.push_back({std::move(name), kind, {}, {}, std::move(value)});
  return node;
}

}  // namespace

Node node(std::string op, std::vector<std::string> inputs, std::vector<std::string> outputs,
          std::string name) {
  Node made;
  made.op = std::move(op);
  made.inputs = std::move(inputs);
  made.outputs = std::move(outputs);
  made.name = std::move(name);
  return made;
}

Node with_int(Node node, std::string name, int64_t value) {
  return with(std::move(node), std::move(name), Attribute::Kind::kInt, value);
}
Node with_float(Node node, std::string name, float value) {
  return with(std::move(node), std::move(name), Attribute::Kind::kFloat, value);
}
Node with_graph(Node node, std::string name, Graph graph) {
  return with(std::move(node), std::move(name), Attribute::Kind::kGraph,
              std::make_shared<const Graph>(std::move(graph)));
}
Node with_reference(Node node, std::string name, Attribute::Kind kind, std::string of) {
  node.attributes.push_back({std::move(name), kind, std::move(of), {}, {}});
  return node;
}
Node in_domain(Node node, std::string domain, std::string overload) {
  node.domain = std::move(domain);
  node.overload = std::move(overload);
  return node;
}

ValueInfo info(std::string name, DType dtype, std::vector<int64_t> dims) {
  ValueInfo made = info(std::move(name), dtype);
  made.type.shape.emplace();
  for (const int64_t dim : dims) made.type.shape->push_back({dim, {}});
  return made;
}
ValueInfo info(std::string name, DType dtype) {
  return {std::move(name), Type::tensor(dtype), {}, {}};
}

Graph graph(std::vector<ValueInfo> inputs, std::vector<Node> nodes,
            std::vector<ValueInfo> outputs) {
  Graph made;
  made.name = "graph";
  made.inputs = std::move(inputs);
  made.nodes = std::move(nodes);
  made.outputs = std::move(outputs);
  return made;
}

Attribute int_attribute(std::string name, int64_t value) {
  return {std::move(name), Attribute::Kind::kInt, {}, {}, value};
}

Model model(Graph graph, int64_t opset, std::vector<Function> functions) {
  Model made;
  made.ir_version = 10;
  made.opset_imports.push_back({"", opset});
  made.graph = std::make_shared<const Graph>(std::move(graph));
  made.functions = std::move(functions);
  return made;
}

Evaluation evaluate(const Model& model, const std::map<std::string, Value>& inputs,
                    const EvaluateOptions& options) {
  return PreparedModel(std::make_shared<const Model>(model)).evaluate(inputs, options);
}

std::string error_of(const Model& model, const std::map<std::string, Value>& inputs) {
  try {
    evaluate(model, inputs);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace onnxv::testing
