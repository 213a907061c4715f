// MatMul: numpy.matmul.
//   since 1   float types; 9 adds 32- and 64-bit integers, 13 bfloat16.
#include "ops/operator.h"
#include "src/kernel/matrix_stack.h"
#include "src/kernel/product.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

void multiply_wrapping(const Tensor& a, const Tensor& b, const MatrixStack& shape, Tensor* y) {
  const std::vector<uint64_t> x = extended_integers(a), w = extended_integers(b);
  const std::vector<int64_t> from_a = shape.a_offsets(), from_b = shape.b_offsets();
  std::vector<uint64_t> product(shape.m * shape.n);
  const int64_t k = static_cast<int64_t>(shape.k), n = static_cast<int64_t>(shape.n);
  for (size_t i = 0; i < from_a.size(); ++i) {
    multiply_integers(shape.m, shape.n, shape.k, {x.data() + from_a[i], k, 1}, {w.data() + from_b[i], n, 1}, product.data());
    for (size_t e = 0; e < product.size(); ++e) y->set_code(i * product.size() + e, product[e]);
  }
}

Tensor matmul_1(const OpCall& call) {
  const Tensor& a = call.tensor("A");
  const Tensor& b = call.tensor("B");
  const MatrixStack shape = matrix_stack(a.shape(), b.shape());
  Tensor y = Tensor::unfilled(a.dtype(), shape.out);
  if (y.size() == 0) return y;
  if (is_integer(a.dtype())) {
    multiply_wrapping(a, b, shape, &y);
    return y;
  }
  const std::vector<int64_t> from_a = shape.a_offsets(), from_b = shape.b_offsets();
  const int64_t k = static_cast<int64_t>(shape.k), n = static_cast<int64_t>(shape.n);
  for (size_t i = 0; i < from_a.size(); ++i) {
    const StridedVectors rows(a, shape.m, shape.k, from_a[i], k, 1);
    const StridedVectors columns(b, shape.n, shape.k, from_b[i], 1, n);
    const int64_t offset = static_cast<int64_t>(i * shape.m * shape.n);
    multiply(rows, columns, {&y, offset, n, 1, target_of(y.dtype())});
  }
  return y;
}

}  // namespace

extern const Operator kMatMul;
const Operator kMatMul{"ai.onnx", "MatMul", {{.since = 1, .also = {9, 13}, .run = matmul_1}}};

}  // namespace onnxv
