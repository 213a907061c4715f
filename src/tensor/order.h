// The order of elements as integers, so that operators compare and sort without decoding reals.
#pragma once

#include <cstdint>
#include <vector>

#include "src/tensor/tensor.h"

namespace onnxv {

// Keys that compare as the values do: -0 and +0 share one, every NaN has kNanKey, which is above
// all others; false < true; strings by their bytes (keys of one tensor compare only with each
// other). One key per element, for complex types two: real, imaginary.
std::vector<int64_t> order_keys(const Tensor& tensor);
// The same for a part of a tensor of floats, integers or bool.
void order_keys(const Tensor& tensor, size_t first, size_t count, int64_t* keys);
inline constexpr int64_t kNanKey = INT64_MAX;
// The key of one element by its bit pattern; for floats, integers and bool.
int64_t order_key(DType dtype, uint64_t code);
// Keys for each element: 1 or 2.
int order_keys_per_element(DType dtype);

}  // namespace onnxv
