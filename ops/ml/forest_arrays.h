// The forest that TreeEnsemble-5's attributes describe.
#pragma once

#include "ops/ml/forest.h"

namespace onnxv {

// Schema errors for lists of different length, children and targets out of range, nodes with several parents.
Forest forest_of_arrays(const OpCall& call, size_t targets);

}  // namespace onnxv
