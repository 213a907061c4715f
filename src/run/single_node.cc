// One node alone: a model around it that has nothing else.
#include "schema/schema.h"
#include "src/run/evaluate.h"

namespace onnxv {
namespace {

std::shared_ptr<Model> surrounding_model(int64_t opset, const std::string& domain) {
  auto model = std::make_shared<Model>();
  model->ir_version = 13;
  const std::string own = domain.empty() ? "ai.onnx" : domain;
  model->opset_imports.push_back({own, opset});
  for (const std::string& other : known_domains()) {
    if (other != own) model->opset_imports.push_back({other, newest_opset(other)});
  }
  return model;
}

}  // namespace

NodeEvaluation evaluate_node(const Node& node, int64_t opset, const std::vector<Value>& inputs,
                             const NodeSurroundings& surroundings) {
  auto model = surrounding_model(opset, node.domain);
  auto graph = std::make_shared<Graph>();
  std::map<std::string, Value> values = surroundings.outer;
  Node alone = node;
  // Inputs are by position: two of one name may hold different values here.
  alone.inputs.assign(inputs.size(), "");
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].exists()) continue;
    alone.inputs[i] = "input " + std::to_string(i);
    values[alone.inputs[i]] = inputs[i];
  }
  for (const auto& [name, value] : values) graph->inputs.push_back({name, {}, {}, {}});
  std::vector<size_t> positions;
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    if (node.outputs[i].empty()) continue;
    const Type declared =
        i < surroundings.output_types.size() ? surroundings.output_types[i] : Type();
    graph->outputs.push_back({node.outputs[i], declared, {}, {}});
    positions.push_back(i);
  }
  graph->nodes.push_back(std::move(alone));
  model->graph = std::move(graph);

  Evaluation evaluation = PreparedModel(model, PreparedModel::Check::kNodesThatRun)
                              .evaluate(values, {.seed = surroundings.seed});
  NodeEvaluation result;
  result.outputs.resize(node.outputs.size());
  result.warnings = std::move(evaluation.warnings);
  for (size_t k = 0; k < positions.size(); ++k) {
    result.outputs[positions[k]] = std::move(evaluation.outputs[k]);
    for (UnspecifiedMark& mark : evaluation.unspecified[k]) {
      result.unspecified.push_back({positions[k], std::move(mark.slug), std::move(mark.elements)});
    }
  }
  return result;
}

}  // namespace onnxv
