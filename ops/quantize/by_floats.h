// QuantizeLinear and DequantizeLinear by float32 arithmetic, which is the text's own wherever it divides in float32 or less.
#pragma once

#include "ops/quantize/granularity.h"
#include "src/number/format.h"

namespace onnxv {

// Scales and zero points (null: none) of the shapes that the layout knows.
struct Scaling {
  const ScaleLayout& layout;
  const Tensor& scale;
  const Tensor* zero_point;
};

// Whether y was written: false where the formula must do it. `met_nan`: some quotient may be NaN.
bool quantized_by_floats(const Tensor& x, const Scaling& by, DType precision, Overflow overflow, Tensor* y, bool* met_nan);
bool dequantized_by_floats(const Tensor& x, const Scaling& by, Tensor* y);

}  // namespace onnxv
