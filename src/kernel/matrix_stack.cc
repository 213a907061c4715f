#include "src/kernel/matrix_stack.h"

#include "src/base/error.h"

namespace onnxv {
namespace {

Shape batch_of(const Shape& shape) {
  return Shape(std::vector<int64_t>(shape.begin(), shape.end() - 2));
}

std::vector<int64_t> offsets(const Shape& operand, const Shape& batch) {
  const int64_t size = operand.elements(operand.rank() - 2, operand.rank());
  const std::vector<int64_t> strides = broadcast_strides(batch_of(operand), batch);
  std::vector<int64_t> result;
  for (Odometer at(batch); at.more(); at.next()) {
    int64_t matrix = 0;
    for (int64_t axis = 0; axis < batch.rank(); ++axis) {
      matrix += at[axis] * strides[static_cast<size_t>(axis)];
    }
    result.push_back(matrix * size);
  }
  return result;
}

}  // namespace

MatrixStack matrix_stack(const Shape& given_a, const Shape& given_b) {
  if (given_a.rank() == 0 || given_b.rank() == 0) {
    fail_schema("rank", "an operand is a scalar", "must have rank 1 or more");
  }
  MatrixStack stack;
  stack.a = given_a;
  stack.b = given_b;
  if (given_a.rank() == 1) stack.a.insert(0, 1);
  if (given_b.rank() == 1) stack.b.push_back(1);
  const int64_t ra = stack.a.rank(), rb = stack.b.rank();
  if (stack.a[ra - 1] != stack.b[rb - 2]) {
    fail_schema("shape-mismatch", "A is " + given_a.text() + " and B is " + given_b.text(),
                "the inner dimensions must be equal");
  }
  stack.m = static_cast<size_t>(stack.a[ra - 2]);
  stack.k = static_cast<size_t>(stack.a[ra - 1]);
  stack.n = static_cast<size_t>(stack.b[rb - 1]);
  stack.batch = broadcast_shape(batch_of(stack.a), batch_of(stack.b));
  stack.full = stack.out = stack.batch;
  stack.full.push_back(stack.a[ra - 2]);
  stack.full.push_back(stack.b[rb - 1]);
  if (given_a.rank() > 1) stack.out.push_back(stack.a[ra - 2]);
  if (given_b.rank() > 1) stack.out.push_back(stack.b[rb - 1]);
  return stack;
}

std::vector<int64_t> MatrixStack::a_offsets() const { return offsets(a, batch); }
std::vector<int64_t> MatrixStack::b_offsets() const { return offsets(b, batch); }

}  // namespace onnxv
