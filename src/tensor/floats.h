// Elements as float32, for the loops that need nothing wider (src/number/float_loops.h).
#pragma once

#include "src/tensor/tensor.h"

namespace onnxv {

// Whether every element of the type is a float32: floats of at most 32 bits, integers of at most 16.
bool fits_float32(DType dtype);

// The elements [first, first + count): where they stand if they are float32, else in `buffer`. The type must fit, or be an integer
// of 32 or 64 bits, which is rounded to nearest even, or bool, whose elements are 0 and 1.
const float* float_elements(const Tensor& tensor, size_t first, size_t count, float* buffer);

}  // namespace onnxv
