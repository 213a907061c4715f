// LoopIndexTensor: the slice of T at position loop_idx of `axis`, without that axis. The text
// allows it inside a Loop's body alone; it means the same anywhere.
#include "ops/experimental/family.h"
#include "src/tensor/axis_map.h"
#include "src/tensor/index.h"

namespace onnxv {
namespace {

Tensor loop_index_tensor_1(const OpCall& call) {
  const Tensor& tensor = call.tensor("T");
  const int64_t axis = normalized_axis(call.integer_or("axis", 0), tensor.rank());
  const int64_t index = int64_value(call.tensor("loop_idx"), "loop_idx"),
                dim = tensor.shape()[axis];
  if (index < 0 || index >= dim) {
    fail_undefined("index-range", "loop_idx is " + std::to_string(index),
                   "must be in [0, " + std::to_string(dim - 1) + "]");
  }
  Shape shape = tensor.shape();
  std::vector<AxisMap> maps;
  for (int64_t each : shape) maps.push_back({each, {}});
  maps[static_cast<size_t>(axis)] = {1, [index](int64_t) { return index; }};
  shape.erase(axis);
  return map_axes(tensor, maps).reshaped(std::move(shape));
}

}  // namespace

const Operator kLoopIndexTensor{"ai.onnx", "LoopIndexTensor", {
    {.since = 1, .run = loop_index_tensor_1},
}};

}  // namespace onnxv
