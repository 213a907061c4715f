// Quantized numbers less their zero point, exactly.
#pragma once

#include "src/tensor/tensor.h"

namespace onnxv {

// `zero_point` (null: 0) broadcasts to `quantized` and has its type. 8-bit integers become int16; float8 stays as it is
// where the zero point is 0, and becomes double else.
Tensor centred(const Tensor& quantized, const Tensor* zero_point);

}  // namespace onnxv
