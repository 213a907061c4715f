// The comparison of two tensors of one type and shape, element by element. Part of compare/.
#pragma once

#include "conformance/compare/compare.h"
#include "src/tensor/tensor.h"

namespace onnxv {

// Adds what it finds to `comparison`; `prefix` stands in front of the first mismatch's index.
void compare_elements(const Tensor& expected, const Tensor& actual, const CompareRequest& request,
                      std::span<const int64_t> prefix, Comparison& comparison);

// As samples of one distribution: support, mean and shape (two-sample Kolmogorov-Smirnov).
void compare_samples(const Tensor& expected, const Tensor& actual, const CompareRequest& request,
                     Comparison& comparison);

// Row-major position as an index of `shape`.
std::vector<int64_t> index_at(const Shape& shape, size_t position);

}  // namespace onnxv
