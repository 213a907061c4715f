// Integer elements: operations on exact values, results modulo 2^n.
#pragma once

#include "src/base/int128.h"
#include "src/number/format.h"
#include "src/tensor/index.h"
#include "src/tensor/tensor.h"

namespace onnxv {

inline IntegerFormat integer_format_of(DType dtype) { return {dtype_bits(dtype), is_signed_integer(dtype)}; }

// Elements of an integer tensor of any width as exact 128-bit values.
std::vector<int128> exact_integers(const Tensor& tensor);

// Calls use(T{}) with the C++ type of a whole-byte integer type; false for the packed ones.
template <class Use>
bool with_type_of(DType dtype, const Use& use) {
  switch (dtype) {
    case DType::kInt8: use(int8_t{}); return true;
    case DType::kUint8: use(uint8_t{}); return true;
    case DType::kInt16: use(int16_t{}); return true;
    case DType::kUint16: use(uint16_t{}); return true;
    case DType::kInt32: use(int32_t{}); return true;
    case DType::kUint32: use(uint32_t{}); return true;
    case DType::kInt64: use(int64_t{}); return true;
    case DType::kUint64: use(uint64_t{}); return true;
    default: return false;
  }
}

namespace integers_detail {

// The elements one by one: packed types, and operands of two types.
template <class Operation>
void map_exactly(const Tensor& a, const Tensor& b, const Operation& operation, Tensor& result) {
  const std::vector<int128> x = exact_integers(a), y = exact_integers(b);
  const IntegerFormat format = integer_format_of(result.dtype());
  for (size_t i = 0; i < x.size(); ++i) result.set_code(i, wrap_integer(format, operation(x[i], y[i])));
}

}  // namespace integers_detail

// out = operation(a, b) element by element over broadcast operands of integer types; the result wraps to `out`.
// `operation` gets exact values and returns one: 128 bits wide, of which the compiler drops what the type does not need.
template <class Operation>
Tensor map_integers(const Tensor& given_a, const Tensor& given_b, DType out, const Operation& operation) {
  const Shape shape = broadcast_shape(given_a.shape(), given_b.shape());
  const Tensor a = broadcast_to(given_a, shape), b = broadcast_to(given_b, shape);
  Tensor result = Tensor::unfilled(out, shape);
  const bool one_type = a.dtype() == out && b.dtype() == out;
  const bool done = one_type && with_type_of(out, [&]<class T>(T) {
    const std::span<const T> x = a.as<T>(), y = b.as<T>();
    const std::span<T> to = result.mutable_as<T>();
    for (size_t i = 0; i < to.size(); ++i) to[i] = static_cast<T>(operation(int128{x[i]}, int128{y[i]}));
  });
  if (!done) integers_detail::map_exactly(a, b, operation, result);
  return result;
}
template <class Operation>
Tensor map_integers(const Tensor& a, DType out, const Operation& operation) {
  return map_integers(a, a, out, [&](int128 x, int128) { return operation(x); });
}

}  // namespace onnxv
