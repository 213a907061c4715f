// One node alone on a backend.
#pragma once

#include <string>
#include <vector>

#include "conformance/backend/scratch.h"
#include "conformance/check.h"
#include "conformance/single_node.h"
#include "ops/operator.h"

namespace onnxv {

// What is asked, and what is right. Everything is counted by the outputs of alone.model's graph.
struct NodeTrial {
  SingleNode alone;
  std::vector<Value> expected;
  std::vector<UnspecifiedMark> unspecified;
  std::vector<Tolerance> tolerances;
};

// From an event of the evaluation; `problem` where the node cannot stand alone.
std::optional<NodeTrial> node_trial(const Model& model, const NodeEvent& event,
                                    const std::set<std::string>& constants,
                                    const ToleranceChoice& tolerance, std::string& problem);

// Puts nodes to a backend, one after the other.
class NodeChecker {
 public:
  NodeChecker(Backend& backend, const CheckSettings& settings, std::string test);
  // Fills status, message and outputs.
  void check(const NodeTrial& trial, NodeOutcome& result) const;

 private:
  BackendJob job_for(const NodeTrial& trial) const;

  Backend& backend_;
  const CheckSettings& settings_;
  std::string test_;
  ScratchDirectory scratch_;
};

// A comparison with its marks: output `position` of the trial.
OutputOutcome compare_node_output(const NodeTrial& trial, size_t position, const Value& actual,
                                  const ComparePolicies& policies);

}  // namespace onnxv
