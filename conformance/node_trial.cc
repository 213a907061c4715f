#include "conformance/node_trial.h"

#include <new>
#include <utility>

#include "conformance/compare/open_elements.h"
#include "conformance/node_directory.h"
#include "conformance/origin.h"
#include "src/base/error.h"
#include "src/model/model_io.h"

namespace onnxv {

std::optional<NodeTrial> node_trial(const Model& model, const NodeEvent& event,
                                    const std::set<std::string>& constants,
                                    const ToleranceChoice& tolerance, std::string& problem) {
  std::optional<SingleNode> alone = single_node(model, event, constants, problem);
  if (!alone) return std::nullopt;
  NodeTrial trial;
  const Origin origin = node_origin(*event.node, event.domain, event.since_version, false);
  for (size_t k = 0; k < alone->outputs.size(); ++k) {
    const size_t position = alone->outputs[k];
    Value expected = (*event.outputs)[position];
    // Nodes inside are judged by themselves: the whole has no bound.
    const bool whole = event.since_version == 0 || has_subgraph(*event.node);
    if (whole && expected.is_tensor()) expected.mutable_tensor().drop_bounds();
    const DType dtype = expected.is_tensor() ? expected.tensor().dtype() : DType::kUndefined;
    const auto resolved = [&](const ToleranceChoice& choice) {
      return resolve(choice, ToleranceContext::kNode, event.domain, event.node->op,
                     event.since_version, dtype, event.node->outputs[position], nullptr,
                     event.node->name);
    };
    Tolerance asked = origin.random ? origin.distribution : resolved(tolerance);
    if (whole && asked.kind == Tolerance::Kind::kDerived) asked = resolved({});
    trial.tolerances.push_back(asked);
    trial.expected.push_back(std::move(expected));
    for (const UnspecifiedMark& mark : *event.unspecified) {
      if (mark.output == position) trial.unspecified.push_back({k, mark.slug, mark.elements});
    }
  }
  trial.alone = std::move(*alone);
  return trial;
}

OutputOutcome compare_node_output(const NodeTrial& trial, size_t position, const Value& actual,
                                  const ComparePolicies& policies) {
  OutputOutcome output;
  output.name = trial.alone.model.graph->outputs[position].name;
  output.tolerance = trial.tolerances[position];
  CompareRequest request;
  request.tolerance = output.tolerance;
  request.policies = policies;
  const OpenElements open = open_elements(trial.unspecified, position);
  request.unspecified = open.elements;
  request.all_unspecified = open.all;
  output.comparison = compare(trial.expected[position], actual, request);
  return output;
}

NodeChecker::NodeChecker(Backend& backend, const CheckSettings& settings, std::string test)
    : backend_(backend), settings_(settings), test_(std::move(test)), scratch_(settings.scratch) {}

BackendJob NodeChecker::job_for(const NodeTrial& trial) const {
  const Model& model = trial.alone.model;
  BackendJob job;
  job.model_path = scratch_.path() + "/model.onnx";
  job.model = &model;
  job.test = test_;
  job.inputs = trial.alone.inputs;
  for (const ValueInfo* input : required_inputs(*model.graph)) {
    job.kinds.push_back(kind_text(input->type));
  }
  for (const ValueInfo& output : model.graph->outputs) {
    job.want.push_back(output.name);
    job.types.push_back(output.type);
  }
  job.time_limit = settings_.timeout;
  return job;
}

void NodeChecker::check(const NodeTrial& trial, NodeOutcome& result) const {
  result.outputs.clear();
  const BackendJob job = job_for(trial);
  scratch_.clear();
  try {
    write_model(trial.alone.model, job.model_path);
  } catch (const Error& error) {
    result.status = Status::kError;
    result.message = error.what();
    return;
  }
  const BackendAnswer answer = backend_.run(job);
  result.status = answer.status;
  result.message = answer.message;
  if (answer.status != Status::kPass) return;
  for (size_t i = 0; i < trial.expected.size() && i < answer.outputs.size(); ++i) {
    OutputOutcome output = compare_node_output(trial, i, answer.outputs[i], settings_.policies);
    if (!output.comparison.matches && result.status == Status::kPass) {
      result.status = Status::kFail;
      result.message = mismatch_text(output);
    }
    result.outputs.push_back(std::move(output));
  }
}

}  // namespace onnxv
