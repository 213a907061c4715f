// Data movement: every such operator says where each output element comes from; bits are copied here.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/tensor/tensor.h"

namespace onnxv {

// out[i] = data[source[i]] for row-major positions; source[i] == -1 takes `fill` (one element of data's
// type; null: zero bits or ""). Any type, strings and packed sub-byte types included; bits are copied. Sources in
// [-1, data.size()) are the caller's promise (checked: internal error). Runs of consecutive sources are copied at once.
Tensor gather_elements(const Tensor& data, Shape shape, std::span<const int64_t> source,
                       const Tensor* fill = nullptr);

// A view of contiguous data with strides: the element at index (i0, i1, …) is data[offset + sum i_k * strides[k]].
// Materialises it. Faster than gather_elements where a formula of the index exists (Transpose, Expand, Slice).
Tensor strided_copy(const Tensor& data, Shape shape, int64_t offset, std::span<const int64_t> strides);

// Copies data[from, from + count) over target[to, to + count), same type.
void copy_elements(const Tensor& data, size_t from, size_t count, Tensor& target, size_t to);

// `tensor` repeated to `shape` by NumPy's rules (schema error if it does not broadcast).
Tensor broadcast_to(const Tensor& tensor, const Shape& shape);

// Elements as int64, from int32, int64 or any other integer type that fits; schema error "type-mismatch" otherwise.
std::vector<int64_t> int64_values(const Tensor& tensor);
// The single element of a one-element integer tensor; schema error "not-one-element" otherwise.
int64_t int64_value(const Tensor& tensor, std::string_view name);
// The exact doubles of a float tensor, an integer tensor of at most 32 bits, or bool.
std::vector<double> double_values(const Tensor& tensor);
double double_value(const Tensor& tensor, std::string_view name);  // one element
bool bool_value(const Tensor& tensor, std::string_view name);      // one element

}  // namespace onnxv
