// Maxima and minima along lines of floats.
#pragma once

#include "src/tensor/lines.h"

namespace onnxv {

// Of each line, which is not empty, the greatest or the least element; NaN where there is one, -0 below +0. The type must be a float32
// or narrower (src/tensor/floats.h), `kept` has an element for each line.
Tensor line_extremes(bool greatest, const Tensor& x, LineLayout layout, const Shape& kept);

}  // namespace onnxv
