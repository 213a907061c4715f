#include "conformance/divergence.h"

#include <algorithm>
#include <cctype>
#include <new>
#include <set>
#include <utility>

#include "conformance/backend/scratch.h"
#include "conformance/compare/open_elements.h"
#include "conformance/node_directory.h"
#include "conformance/origin.h"
#include "conformance/single_node.h"
#include "src/base/error.h"
#include "src/run/evaluate.h"

namespace onnxv {
namespace {

std::string shown_name(const NodeEvent& event) {
  if (!event.node->name.empty()) return event.node->name;
  for (const std::string& output : event.node->outputs) {
    if (!output.empty()) return "-> \"" + output + "\"";
  }
  return event.path;
}

// A folder's name out of a node's: letters, digits, dash, dot; at most 80 of them.
std::string folder_name(const std::string& text) {
  std::string name;
  for (const char c : text) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '.';
    name += plain ? c : '_';
  }
  return name.substr(0, 80);
}

class NodeComparer : public Observer {
 public:
  NodeComparer(const Trial& trial, Backend& backend, const CheckSettings& settings,
               Outcome& outcome)
      : trial_(trial),
        backend_(backend),
        settings_(settings),
        outcome_(outcome),
        constants_(constant_names(*trial.model)),
        scratch_(settings.scratch) {}

  void node(const NodeEvent& event) override {
    NodeOutcome result;
    result.node = shown_name(event);
    result.op = event.node->op;
    result.domain = event.domain;
    if (event.depth > 0) result.path = event.path;
    result.since_version = event.since_version;
    result.index = next_index_++;
    std::string problem;
    const std::optional<SingleNode> alone = single_node(*trial_.model, event, constants_, problem);
    if (!alone) {
      result.status = Status::kSkipped;
      result.message = problem;
    } else {
      compare(event, *alone, result);
    }
    note_divergence(result);
    outcome_.nodes.push_back(std::move(result));
  }

  void finish() {
    if (!outcome_.first_divergence && first_broken_) outcome_.first_divergence = first_broken_;
  }

 private:
  BackendJob job_for(const SingleNode& alone) const {
    BackendJob job;
    job.model_path = scratch_.path() + "/model.onnx";
    job.model = &alone.model;
    job.test = trial_.name;
    job.inputs = alone.inputs;
    for (const ValueInfo* input : required_inputs(*alone.model.graph)) {
      job.kinds.push_back(kind_text(input->type));
    }
    for (const ValueInfo& output : alone.model.graph->outputs) {
      job.want.push_back(output.name);
      job.types.push_back(output.type);
    }
    job.time_limit = settings_.timeout;
    return job;
  }

  void compare(const NodeEvent& event, const SingleNode& alone, NodeOutcome& result) {
    const BackendJob job = job_for(alone);
    scratch_.clear();
    write_model(alone.model, job.model_path);
    const BackendAnswer answer = backend_.run(job);
    result.status = answer.status;
    result.message = answer.message;
    if (answer.status != Status::kPass) return;
    const Origin origin = node_origin(*event.node, event.domain, event.since_version, false);
    for (size_t i = 0; i < alone.outputs.size() && i < answer.outputs.size(); ++i) {
      OutputOutcome output = compare_output(event, origin, alone.outputs[i], answer.outputs[i]);
      output.name = job.want[i];
      if (!output.comparison.matches && result.status == Status::kPass) {
        result.status = Status::kFail;
        result.message = mismatch_text(output);
      }
      result.outputs.push_back(std::move(output));
    }
    if (result.status == Status::kFail && !settings_.extract.empty()) extract(event, alone, result);
  }

  OutputOutcome compare_output(const NodeEvent& event, const Origin& origin, size_t position,
                               const Value& actual) const {
    const Value& expected = (*event.outputs)[position];
    OutputOutcome output;
    const DType dtype = expected.is_tensor() ? expected.tensor().dtype() : DType::kUndefined;
    output.tolerance = origin.random ? origin.distribution
                                     : resolve(settings_.tolerance, ToleranceContext::kNode,
                                               event.domain, event.node->op, event.since_version,
                                               dtype, event.node->outputs[position], nullptr);
    CompareRequest request;
    request.tolerance = output.tolerance;
    request.policies = settings_.policies;
    const OpenElements open = open_elements(*event.unspecified, position);
    request.unspecified = open.elements;
    request.all_unspecified = open.all;
    output.comparison = onnxv::compare(expected, actual, request);
    return output;
  }

  void extract(const NodeEvent& event, const SingleNode& alone, NodeOutcome& result) const {
    CaseContents contents;
    contents.model = &alone.model;
    CaseContents::Values values;
    values.inputs = alone.inputs;
    for (const size_t position : alone.outputs)
      values.outputs.push_back((*event.outputs)[position]);
    contents.data_sets.push_back(std::move(values));
    const std::string directory = settings_.extract + "/" +
                                  folder_name(trial_.name + "_" + std::to_string(result.index) +
                                              "_" + result.op + "_" + result.node);
    write_case(contents, directory);
    result.extracted = directory;
    if (outcome_.extracted.empty()) outcome_.extracted = directory;
  }

  void note_divergence(const NodeOutcome& node) {
    const bool failed = node.status == Status::kFail;
    const bool broken = node.status == Status::kCrash || node.status == Status::kTimeout ||
                        node.status == Status::kError;
    if (!failed && !broken) return;
    FirstDivergence first{node.node, node.op, node.domain, node.index, "", node.path};
    for (const OutputOutcome& output : node.outputs) {
      if (first.output.empty() && !output.comparison.matches) first.output = output.name;
    }
    if (failed && !outcome_.first_divergence) outcome_.first_divergence = first;
    if (broken && !first_broken_) first_broken_ = first;
  }

  const Trial& trial_;
  Backend& backend_;
  const CheckSettings& settings_;
  Outcome& outcome_;
  const std::set<std::string> constants_;
  ScratchDirectory scratch_;
  int64_t next_index_ = 0;
  std::optional<FirstDivergence> first_broken_;  // counts where no node's values differ
};

}  // namespace

void compare_nodes(const Trial& trial, const TrialData& data, Backend& backend,
                   const CheckSettings& settings, Outcome& outcome) {
  NodeComparer comparer(trial, backend, settings, outcome);
  try {
    const PreparedModel prepared(trial.model);
    EvaluateOptions options;
    options.seed = settings.seed;
    options.observer = &comparer;
    prepared.evaluate(inputs_by_name(trial, data), options);
  } catch (const Error& error) {
    outcome.warnings.push_back(std::string("node by node ended early: ") + error.what());
  }
  comparer.finish();
  const auto failed =
      std::find_if(outcome.nodes.begin(), outcome.nodes.end(),
                   [](const NodeOutcome& node) { return node.status == Status::kFail; });
  if (failed == outcome.nodes.end() || outcome.status != Status::kPass) return;
  outcome.status = Status::kFail;
  outcome.message = "node " + failed->node + " (" + failed->op + "): " + failed->message;
}

}  // namespace onnxv
