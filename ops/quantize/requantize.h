// From an accumulated product to a quantized output: y = saturate(round(product * a_scale * b_scale / y_scale) + y_zero_point).
#pragma once

#include "ops/operator.h"
#include "src/kernel/vectors.h"

namespace onnxv {

// Each broadcasts to the product.
struct Requantization {
  Tensor a_scale, b_scale, y_scale, zero_point;
};

// Of products in an int32 tensor.
Tensor requantized(const OpCall& call, const Tensor& products, const Requantization& by);

// Of exact real dot products, a stack of matrices: matrix i of `shape` (rank 2 or more) is rows(i) times columns(i). `parts` hold the
// families, in order.
struct VectorPair {
  StridedVectors rows, columns;
};
Tensor requantized(const OpCall& call, const std::vector<VectorPair>& parts, const Shape& shape, const Requantization& by);

}  // namespace onnxv
