// Where: output = condition ? X : Y, all three broadcast with each other.
#include <array>

#include "ops/index/family.h"
#include "src/tensor/index.h"

namespace onnxv {
namespace {

int64_t position(const Odometer& at, std::span<const int64_t> strides) {
  int64_t position = 0;
  for (size_t axis = 0; axis < strides.size(); ++axis) position += at.index()[axis] * strides[axis];
  return position;
}

// For each output element, whether it comes from X.
std::vector<bool> chosen(const Tensor& condition, const Shape& shape) {
  const std::vector<int64_t> strides = broadcast_strides(condition.shape(), shape);
  const std::span<const uint8_t> values = condition.as<uint8_t>();
  std::vector<bool> chosen;
  for (Odometer at(shape); at.more(); at.next()) {
    chosen.push_back(values[static_cast<size_t>(position(at, strides))] != 0);
  }
  return chosen;
}

Tensor where_9(const OpCall& call) {
  const Tensor &condition = call.tensor("condition"), &x = call.tensor("X"), &y = call.tensor("Y");
  const std::array shapes{condition.shape(), x.shape(), y.shape()};
  const Shape shape = broadcast_shape(shapes);
  const Tensor if_true = broadcast_to(x, shape);
  Tensor out = broadcast_to(y, shape);
  const std::vector<bool> from_x = chosen(condition, shape);
  for (size_t begin = 0, end = 0; begin < from_x.size(); begin = end) {
    while (end < from_x.size() && from_x[end] == from_x[begin]) ++end;
    if (from_x[begin]) copy_elements(if_true, begin, end - begin, out, begin);
  }
  return out;
}

}  // namespace

const Operator kWhere{"ai.onnx", "Where", {
    {.since = 9, .run = where_9},
}};

}  // namespace onnxv
