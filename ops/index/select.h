// The choice between two arrays, in loops that the optimizer makes vectors of.
#pragma once

#include "src/tensor/tensor.h"

namespace onnxv {

// out[i] = chosen[i] ? x[i] : y[i] for elements of 1, 2, 4, 8 or 16 bytes; x and y may be one element for all.
void select_elements(std::span<const uint8_t> chosen, const Tensor& x, const Tensor& y, Tensor* out);

}  // namespace onnxv
