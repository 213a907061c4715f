// MatMulInteger: numpy.matmul of integers less their zero points, in int32.
//   since 10
// QLinearMatMul: the same, scaled and quantized again.
//   since 10   int8 and uint8, float32 scales
//   since 21   float8 too (whose products are exact reals), scales of 16 bits
#include "ops/operator.h"
#include "ops/quantize/centred.h"
#include "ops/quantize/granularity.h"
#include "ops/quantize/requantize.h"
#include "src/kernel/matrix_stack.h"
#include "src/kernel/product.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

[[noreturn]] void fail_parameter(std::string_view port, const Tensor& parameter, const Shape& wanted) {
  fail_schema("shape-mismatch", std::string(port) + " is " + parameter.shape().text(),
              "must be a scalar, one element per row or column, or broadcast to " + wanted.text());
}

// A scale or zero point of the rows of a matrix operand, [M] or [..., M, 1], so that it broadcasts to `to` = [..., M, *].
// Spec: a rank-1 tensor holds one element per row: it stands along M, not along the last axis.
Tensor along_rows(const Tensor& parameter, std::string_view port, const Shape& to) {
  if (parameter.size() == 1) return parameter.reshaped({});
  const Tensor shaped = parameter.rank() == 1 ? parameter.reshaped({parameter.shape()[0], 1}) : parameter;
  if (shaped.shape().back() != 1 || !broadcasts_to(shaped.shape(), to)) fail_parameter(port, parameter, to);
  return shaped;
}

// The same for columns, [N] or [..., 1, N]. ("K element vector … for per column quantization" names the length of b's columns; one per
// column they are N.)
Tensor along_columns(const Tensor& parameter, std::string_view port, const Shape& to) {
  if (parameter.size() == 1) return parameter.reshaped({});
  const Shape& shape = parameter.shape();
  const bool one_per_column = shape.rank() == 1 || shape[shape.rank() - 2] == 1;
  if (!one_per_column || !broadcasts_to(shape, to)) fail_parameter(port, parameter, to);
  return parameter;
}

std::vector<VectorPair> vector_pairs(const MatrixStack& stack, const Tensor& a, const Tensor& b) {
  const std::vector<int64_t> from_a = stack.a_offsets(), from_b = stack.b_offsets();
  const int64_t k = static_cast<int64_t>(stack.k), n = static_cast<int64_t>(stack.n);
  std::vector<VectorPair> pairs;
  for (size_t i = 0; i < from_a.size(); ++i) {
    pairs.push_back({StridedVectors(a, stack.m, stack.k, from_a[i], k, 1), StridedVectors(b, stack.n, stack.k, from_b[i], 1, n)});
  }
  return pairs;
}

// Exact sums, modulo 2^32: "the accumulation may overflow if and only if in 32 bits".
Tensor integer_products(const MatrixStack& stack, const Tensor& a, const Tensor& b) {
  Tensor products(DType::kInt32, stack.full);
  if (products.size() == 0) return products;
  const int64_t n = static_cast<int64_t>(stack.n), size = static_cast<int64_t>(stack.m) * n;
  int64_t offset = 0;
  for (const VectorPair& pair : vector_pairs(stack, a, b)) {
    multiply(pair.rows, pair.columns, {&products, offset, n, 1, target_of(DType::kInt32)});
    offset += size;
  }
  return products;
}

Tensor centred_rows(const Tensor& a, const Tensor* zero_point, std::string_view port, const Shape& as) {
  const Tensor matrix = a.reshaped(as);
  if (zero_point == nullptr) return centred(matrix, nullptr);
  const Tensor zeros = along_rows(*zero_point, port, as);
  return centred(matrix, &zeros);
}
Tensor centred_columns(const Tensor& b, const Tensor* zero_point, std::string_view port, const Shape& as) {
  const Tensor matrix = b.reshaped(as);
  if (zero_point == nullptr) return centred(matrix, nullptr);
  const Tensor zeros = along_columns(*zero_point, port, as);
  return centred(matrix, &zeros);
}

Tensor matmul_integer_10(const OpCall& call) {
  const Tensor& a = call.tensor("A");
  const Tensor& b = call.tensor("B");
  const MatrixStack stack = matrix_stack(a.shape(), b.shape());
  const Tensor rows = centred_rows(a, call.optional_tensor("a_zero_point"), "a_zero_point", stack.a);
  const Tensor columns = centred_columns(b, call.optional_tensor("b_zero_point"), "b_zero_point", stack.b);
  return integer_products(stack, rows, columns).reshaped(stack.out);
}

Tensor qlinear_matmul_10(const OpCall& call) {
  const Tensor& a = call.tensor("a");
  const Tensor& b = call.tensor("b");
  for (const char* operand : {"a", "b", "y"}) {
    const std::string scale = std::string(operand) + "_scale", zero = std::string(operand) + "_zero_point";
    check_zero_point(call, call.tensor(scale).shape(), call.tensor(zero).shape(), scale + " and " + zero);
  }
  const MatrixStack stack = matrix_stack(a.shape(), b.shape());
  const Tensor rows = centred_rows(a, &call.tensor("a_zero_point"), "a_zero_point", stack.a);
  const Tensor columns = centred_columns(b, &call.tensor("b_zero_point"), "b_zero_point", stack.b);
  const Requantization by{along_rows(call.tensor("a_scale"), "a_scale", stack.full),
                          along_columns(call.tensor("b_scale"), "b_scale", stack.full),
                          along_rows(call.tensor("y_scale"), "y_scale", stack.full),
                          along_rows(call.tensor("y_zero_point"), "y_zero_point", stack.full)};
  if (is_integer(a.dtype()) && is_integer(b.dtype())) {
    return requantized(call, integer_products(stack, rows, columns), by).reshaped(stack.out);
  }
  return requantized(call, vector_pairs(stack, rows, columns), stack.full, by).reshaped(stack.out);
}

}  // namespace

extern const Operator kMatMulInteger, kQLinearMatMul;
const Operator kMatMulInteger{"ai.onnx", "MatMulInteger", {{.since = 10, .run = matmul_integer_10}}};
const Operator kQLinearMatMul{"ai.onnx", "QLinearMatMul", {{.since = 10, .also = {21}, .run = qlinear_matmul_10}}};

}  // namespace onnxv
