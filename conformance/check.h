// Checks a trial: the interpreter against recorded outputs, or a backend against what is right.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "conformance/backend/backend.h"
#include "conformance/compare/compare.h"
#include "conformance/trial.h"

namespace onnxv {

struct CheckSettings {
  ToleranceChoice tolerance;
  ToleranceModel assumptions;  // of the bounds that single nodes are measured by
  ComparePolicies policies;
  bool expected_exact = false;    // the interpreter's outputs instead of the files'
  std::optional<bool> nodes;      // node by node; nullopt: after a mismatch
  std::string extract;            // directory for diverging nodes; "": none
  bool several_backends = false;  // then each has a directory of its own in `extract`
  int node_jobs = 1;              // nodes that are compared side by side
  BackendSettings backend;        // for the backends beside the first that these take
  // Told of every node that is compared: how many there were, and its name.
  std::function<void(size_t, const std::string&)> node_done;
  double timeout = 0;  // seconds for each run of a backend; 0: none
  int repeat = 1;
  uint64_t seed = 0;
  std::string scratch;
};

// Both leave `seconds` to the caller.
Outcome check_interpreter(const Trial& trial, const CheckSettings& settings);
Outcome check_backend(const Trial& trial, Backend& backend, const CheckSettings& settings);

// Moves what the comparison found of the bounds to the outcome, and says in a warning what is suspicious.
void take_bounds(OutputOutcome& output, std::vector<std::string>& warnings);

// The first thing that is wrong with an output, for messages: "y[3]: expected 1.5 (…), got …".
std::string mismatch_text(const OutputOutcome& output);

}  // namespace onnxv
