// Compress: the slices along an axis (without one, the elements of the flattened input) whose
// condition is true. What lies beyond a shorter condition is dropped.
//   since 9   axis in [0, r - 1].
//   since 11  negative axes.
#include "ops/index/family.h"
#include "ops/index/positions.h"
#include "src/tensor/axis_map.h"

namespace onnxv {
namespace {

// Choice: a condition may be longer than the axis as long as it selects nothing there.
std::vector<int64_t> selected(const OpCall& call, int64_t dim) {
  const Tensor& condition = call.tensor("condition");
  if (condition.rank() != 1) {
    fail_schema("rank-mismatch", "condition has shape " + condition.shape().text(),
                "must have rank 1");
  }
  std::vector<int64_t> positions;
  int64_t position = 0;
  for (uint8_t chosen : condition.as<uint8_t>()) {
    if (chosen != 0) positions.push_back(position);
    ++position;
  }
  if (!positions.empty() && positions.back() >= dim) {
    fail_undefined("index-range", "condition is true at " + std::to_string(positions.back()),
                   "must select among " + std::to_string(dim) + " positions");
  }
  return positions;
}

Tensor compressed(const OpCall& call, const Tensor& input, int64_t axis) {
  const std::vector<int64_t> positions = selected(call, input.shape()[axis]);
  std::vector<AxisMap> maps;
  for (int64_t dim : input.shape()) maps.push_back({dim, {}});
  maps[static_cast<size_t>(axis)] = {static_cast<int64_t>(positions.size()),
                                     [&](int64_t i) { return positions[static_cast<size_t>(i)]; }};
  return map_axes(input, maps);
}

Tensor compress_flat(const OpCall& call) {
  const Tensor& input = call.tensor("input");
  return compressed(call, input.reshaped(Shape{static_cast<int64_t>(input.size())}), 0);
}

Tensor compress_11(const OpCall& call) {
  const Tensor& input = call.tensor("input");
  check_has_axes(input, "input");
  if (!call.has_attribute("axis")) return compress_flat(call);
  return compressed(call, input, call.axis(input.rank()));
}

Tensor compress_9(const OpCall& call) {
  if (call.integer_or("axis", 0) < 0) {
    fail_schema("attribute-range", "axis is " + std::to_string(call.integer("axis")),
                "must not be negative");
  }
  return compress_11(call);
}

}  // namespace

const Operator kCompress{"ai.onnx", "Compress", {
    {.since = 9, .run = compress_9},
    {.since = 11, .run = compress_11},
}};

}  // namespace onnxv
