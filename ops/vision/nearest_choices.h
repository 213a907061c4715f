// Nearest-mode resizing under a ToleranceScope: which neighbours a backend may pick.
#pragma once

#include <vector>

#include "ops/vision/resize_axis.h"
#include "src/tensor/tensor.h"

namespace onnxv {

// y is picked from x, each axis by its own modes. Where a position that is computed by the text's formula may fall on either side of
// a jump, the element gets the hull of what may be picked; every other keeps asking for the same bits. Nothing outside of a scope.
void bound_nearest(Tensor* y, const Tensor& x, const std::vector<Axis>& axes, const std::vector<Modes>& modes, double fill);

}  // namespace onnxv
