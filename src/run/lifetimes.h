// When a value is read for the last time.
#pragma once

#include "src/run/plan.h"

namespace onnxv {

// Fills `takes` and `frees` of every node: a value is moved into the last node that reads it (so
// that it may be reused in place), and freed behind the last node whose subgraphs read it. Outputs
// of the graph stay.
void plan_lifetimes(GraphPlan& plan);

}  // namespace onnxv
