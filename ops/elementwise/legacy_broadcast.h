// How binary operators matched shapes before opset 7.
#pragma once

#include "ops/operator.h"

namespace onnxv {

// B reshaped so that it broadcasts to A by today's rules.
//   broadcast == 0   the shapes must be equal (`axis` is ignored)
//   broadcast != 0   B has one element, or its shape is a run of A's dimensions starting at `axis` (absent: a
//                    suffix); each dimension of B equals A's or is 1
// Schema error "shape-mismatch" otherwise. The output's shape is A's.
Tensor aligned_to(const Tensor& a, const Tensor& b, const OpCall& call);

}  // namespace onnxv
