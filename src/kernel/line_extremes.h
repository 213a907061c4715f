// Maxima and minima along lines of floats.
#pragma once

#include "src/tensor/lines.h"

namespace onnxv {

// Of each line, which is not empty, the greatest or the least element; NaN where there is one, -0 below +0. The type must be a float32
// or narrower (src/tensor/floats.h), `kept` has an element for each line.
Tensor line_extremes(bool greatest, const Tensor& x, LineLayout layout, const Shape& kept);

// Where a line, which is not empty, has its greatest or least element: the first or the last of equal ones, zeros of both signs among
// them. The first NaN where there is one.
struct ExtremePlace {
  size_t place;
  bool is_nan;
};
ExtremePlace extreme_place(bool greatest, bool last, const float* line, size_t length);

}  // namespace onnxv
