// A diverging node made small: for a bug report that a person can read.
#pragma once

#include <cstdint>

#include "conformance/node_trial.h"

namespace onnxv {

// Drops outputs and optional inputs, cuts dimensions and sets input elements to zero, each as long
// as the node, evaluated exactly anew, still fails on the backend. Spends a fixed number of tries;
// gives back what it was given where nothing could be left out. `outcome` is of the trial that is
// returned.
NodeTrial shrink(NodeTrial trial, NodeOutcome& outcome, const NodeChecker& checker, uint64_t seed);

}  // namespace onnxv
