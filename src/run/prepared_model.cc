#include "src/run/evaluate.h"

#include "schema/check.h"
#include "src/number/bound.h"
#include "src/run/frame.h"
#include "src/run/plan.h"

namespace onnxv {

struct PreparedModel::Plan {
  std::shared_ptr<const Model> model;
  std::shared_ptr<const GraphPlan> graph;
  std::vector<std::unique_ptr<FunctionPlan>> functions;  // the graphs' nodes point to them
  std::vector<std::string> warnings;  // the checker's, told with every evaluation
  std::unique_ptr<KeptResults> kept;
};

namespace {

// The checker's warnings; throws its first error.
std::vector<std::string> require_valid(const Model& model) {
  std::vector<std::string> warnings;
  for (const Finding& finding : check_model(model)) {
    const std::string_view said = std::string_view(finding.line).substr(finding.slug.size() + 2);
    if (finding.warning) {
      warnings.emplace_back(said);
      continue;
    }
    const ErrorKind kind = finding.slug.starts_with("model/")   ? ErrorKind::kModel
                           : finding.slug.starts_with("limit/") ? ErrorKind::kLimit
                                                                : ErrorKind::kSchema;
    throw Error(kind, finding.slug, said);
  }
  return warnings;
}

}  // namespace

PreparedModel::PreparedModel(std::shared_ptr<const Model> model, Check check)
    : plan_(std::make_unique<Plan>()) {
  plan_->model = std::move(model);
  if (check == Check::kWhole) plan_->warnings = require_valid(*plan_->model);
  Planner planner(*plan_->model);
  plan_->graph = planner.main_graph();
  plan_->functions = planner.take_functions();
  plan_->kept = std::make_unique<KeptResults>(static_cast<size_t>(planner.constant_nodes()));
}

PreparedModel::~PreparedModel() = default;

const Model& PreparedModel::model() const { return *plan_->model; }

std::vector<const ValueInfo*> PreparedModel::required_inputs() const {
  std::vector<const ValueInfo*> required;
  const GraphPlan& graph = *plan_->graph;
  for (size_t i = 0; i < graph.inputs.size(); ++i) {
    if (!graph.has_initializer[i]) required.push_back(&graph.graph->inputs[i]);
  }
  return required;
}

namespace {

void bind_inputs(Frame& frame, const std::map<std::string, Value>& inputs) {
  const GraphPlan& graph = frame.plan;
  size_t bound = 0;
  for (size_t i = 0; i < graph.inputs.size(); ++i) {
    const std::string what = "graph input \"" + graph.inputs[i].name + "\"";
    const auto given = inputs.find(graph.inputs[i].name);
    if (given == inputs.end()) {
      if (!graph.has_initializer[i])
        fail_schema("input-missing", what + " is not given", "must be");
      continue;
    }
    ++bound;
    const std::string remark = check_declared_type(graph.inputs[i].type, given->second, what);
    if (!remark.empty()) fail_schema("input-shape", remark);
    frame.at(graph.input_slots[i]) = given->second;
    if (graph.has_initializer[i]) frame.overridden[graph.input_slots[i]] = given->second;
  }
  if (bound == inputs.size()) return;
  for (const auto& [name, value] : inputs) {
    bool known = false;
    for (const Body::Port& port : graph.inputs) known = known || port.name == name;
    if (!known) fail_schema("input-unknown", "the graph has no input \"" + name + "\"");
  }
}

}  // namespace

Evaluation PreparedModel::evaluate(const std::map<std::string, Value>& inputs,
                                   const EvaluateOptions& options) const {
  const GraphPlan& graph = *plan_->graph;
  Run run(options);
  // Who watches the nodes, or wants their bounds, wants every one of them evaluated.
  const bool plain = options.observer == nullptr && options.disturber == nullptr && ToleranceScope::current() == nullptr;
  const auto use = plain ? plan_->kept->use() : std::unique_lock<std::mutex>();
  if (use) run.kept = plan_->kept.get();
  Frame frame(graph, run, "", 0, nullptr);
  bind_inputs(frame, inputs);
  walk(frame);
  Evaluation result;
  result.outputs = outputs_of(frame);
  for (size_t i = 0; i < result.outputs.size(); ++i) {
    const int slot = graph.output_slots[i];
    // The producing node checked its own outputs; an input or an initializer that is an output was
    // not.
    check_declared_type(graph.outputs[i].type, result.outputs[i],
                        "graph output \"" + graph.outputs[i].name + "\"");
    result.unspecified.emplace_back();
    if (const auto marks = frame.marks.find(slot); marks != frame.marks.end()) {
      for (const UnspecifiedMark& mark : marks->second) {
        result.unspecified.back().push_back({i, mark.slug, mark.elements});
      }
    }
    result.downstream_of_unspecified.push_back(frame.below_marks[static_cast<size_t>(slot)] != 0);
  }
  result.warnings = plan_->warnings;
  result.warnings.insert(result.warnings.end(), run.warnings.begin(), run.warnings.end());
  return result;
}

}  // namespace onnxv
