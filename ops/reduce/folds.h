// Reductions of integers modulo 2^n, in loops that the optimizer makes vectors of.
#pragma once

#include "src/tensor/lines.h"

namespace onnxv {

enum class Fold : uint8_t { kSum, kProduct, kMagnitudes, kSquares, kMax, kMin };

// A line of whole-byte integers to one: 0, 1, or the worst extreme where it is empty.
void fold_lines(const Tensor& x, LineLayout layout, Fold how, Tensor* y);

}  // namespace onnxv
