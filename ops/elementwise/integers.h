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

// out = operation(a, b) element by element over broadcast operands of one integer type; the result wraps to `out`.
// `operation` gets exact values and returns one.
template <class Operation>
Tensor map_integers(const Tensor& a, const Tensor& b, DType out, const Operation& operation) {
  const Shape shape = broadcast_shape(a.shape(), b.shape());
  const std::vector<int128> x = exact_integers(broadcast_to(a, shape)), y = exact_integers(broadcast_to(b, shape));
  Tensor result(out, shape);
  const IntegerFormat format = integer_format_of(out);
  for (size_t i = 0; i < x.size(); ++i) result.set_code(i, wrap_integer(format, operation(x[i], y[i])));
  return result;
}
template <class Operation>
Tensor map_integers(const Tensor& a, DType out, const Operation& operation) {
  const std::vector<int128> x = exact_integers(a);
  Tensor result(out, a.shape());
  const IntegerFormat format = integer_format_of(out);
  for (size_t i = 0; i < x.size(); ++i) result.set_code(i, wrap_integer(format, operation(x[i])));
  return result;
}

}  // namespace onnxv
