// Node isolation: each node that an evaluation ran, alone on a backend, on the exact inputs.
#pragma once

#include <functional>
#include <string>

#include "conformance/check.h"

namespace onnxv {

// Evaluates one data set of the trial exactly and, as each node ends, runs it as a single-node
// model on the backend; fills outcome.nodes and outcome.first_divergence. No intermediate value
// outlives its node here.
void compare_nodes(const Trial& trial, const TrialData& data, Backend& backend,
                   const CheckSettings& settings, Outcome& outcome);

}  // namespace onnxv
