// Shape: the dimensions. Size: their product.
//   Shape since 1   all dimensions.
//   Shape since 15  those in [start, end), where both count from the back when negative and are
//   then clamped to [0, r].
#include <algorithm>

#include "ops/reshape/family.h"

namespace onnxv {
namespace {

Tensor shape_1(const OpCall& call) {
  return Tensor::int64_list(call.tensor("data").shape().dims());
}

int64_t clamped(int64_t axis, int64_t rank) {
  return std::clamp<int64_t>(axis < 0 ? axis + rank : axis, 0, rank);
}

Tensor shape_15(const OpCall& call) {
  const Shape& shape = call.tensor("data").shape();
  const int64_t rank = shape.rank();
  const int64_t start = clamped(call.integer("start"), rank),
                end = clamped(call.integer_or("end", rank), rank);
  const auto count = static_cast<size_t>(std::max<int64_t>(0, end - start));
  return Tensor::int64_list(std::span(shape.dims()).subspan(static_cast<size_t>(start), count));
}

Tensor size_1(const OpCall& call) {
  return Tensor::int64_scalar(static_cast<int64_t>(call.tensor("data").size()));
}

}  // namespace

const Operator kShape{"ai.onnx", "Shape", {
    {.since = 1, .run = shape_1},
    {.since = 15, .run = shape_15},
}};

const Operator kSize{"ai.onnx", "Size", {
    {.since = 1, .run = size_1},
}};

}  // namespace onnxv
