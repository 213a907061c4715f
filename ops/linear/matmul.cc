// MatMul: numpy.matmul.
//   since 1   float types; 9 adds 32- and 64-bit integers, 13 bfloat16.
#include <algorithm>

#include "ops/operator.h"
#include "src/kernel/product.h"
#include "src/tensor/index.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

// The operands as stacks of matrices: vectors promoted, batch dimensions broadcast.
struct MatMulShape {
  Shape batch;  // broadcast
  Shape a, b;   // with at least two dimensions
  size_t m, n, k;
  Shape out;
};

MatMulShape matmul_shape(const Shape& given_a, const Shape& given_b) {
  if (given_a.rank() == 0 || given_b.rank() == 0) fail_schema("rank", "an operand is a scalar", "must have rank 1 or more");
  MatMulShape shape;
  shape.a = given_a;
  shape.b = given_b;
  if (given_a.rank() == 1) shape.a.insert(0, 1);
  if (given_b.rank() == 1) shape.b.push_back(1);
  const int64_t ra = shape.a.rank(), rb = shape.b.rank();
  if (shape.a[ra - 1] != shape.b[rb - 2]) {
    fail_schema("shape-mismatch", "A is " + given_a.text() + " and B is " + given_b.text(),
                "the inner dimensions must be equal");
  }
  shape.m = static_cast<size_t>(shape.a[ra - 2]);
  shape.k = static_cast<size_t>(shape.a[ra - 1]);
  shape.n = static_cast<size_t>(shape.b[rb - 1]);
  const auto batch_of = [](const Shape& s) {
    return Shape(std::vector<int64_t>(s.begin(), s.end() - 2));
  };
  shape.batch = broadcast_shape(batch_of(shape.a), batch_of(shape.b));
  shape.out = shape.batch;
  if (given_a.rank() > 1) shape.out.push_back(static_cast<int64_t>(shape.m));
  if (given_b.rank() > 1) shape.out.push_back(static_cast<int64_t>(shape.n));
  return shape;
}

// First element of each matrix of the broadcast batch.
std::vector<int64_t> matrix_offsets(const Shape& with_matrix, const Shape& batch) {
  const Shape own(std::vector<int64_t>(with_matrix.begin(), with_matrix.end() - 2));
  const int64_t size = with_matrix.elements(with_matrix.rank() - 2, with_matrix.rank());
  const std::vector<int64_t> strides = broadcast_strides(own, batch);
  std::vector<int64_t> offsets;
  for (Odometer at(batch); at.more(); at.next()) {
    int64_t matrix = 0;
    for (int64_t axis = 0; axis < batch.rank(); ++axis) matrix += at[axis] * strides[static_cast<size_t>(axis)];
    offsets.push_back(matrix * size);
  }
  return offsets;
}

void multiply_wrapping(const Tensor& a, const Tensor& b, const MatMulShape& shape, Tensor* y) {
  const std::vector<uint64_t> x = extended_integers(a), w = extended_integers(b);
  const auto from_a = matrix_offsets(shape.a, shape.batch), from_b = matrix_offsets(shape.b, shape.batch);
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
  const MatMulShape shape = matmul_shape(a.shape(), b.shape());
  Tensor y(a.dtype(), shape.out);
  if (y.size() == 0) return y;
  if (is_integer(a.dtype())) {
    multiply_wrapping(a, b, shape, &y);
    return y;
  }
  const auto from_a = matrix_offsets(shape.a, shape.batch), from_b = matrix_offsets(shape.b, shape.batch);
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
