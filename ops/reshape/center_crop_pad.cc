// CenterCropPad: each axis becomes the length that `shape` says, its middle kept; zeros are added,
// or ends cut off. An odd number leaves the additional element to the right: start = floor((dim -
// length) / 2), and the same for padding.
#include "ops/reshape/family.h"
#include "ops/reshape/numbers.h"
#include "src/tensor/axis_map.h"

namespace onnxv {
namespace {

AxisMap centered(int64_t dim, int64_t length) {
  if (length == dim) return {length, {}};
  if (length < dim) return {length, [start = (dim - length) / 2](int64_t i) { return start + i; }};
  return {length, [dim, start = (length - dim) / 2](int64_t i) {
            return i >= start && i - start < dim ? i - start : -1;
          }};
}

Tensor center_crop_pad_18(const OpCall& call) {
  const Tensor& data = call.tensor("input_data");
  const Numbers lengths = input_numbers(call, "shape");
  const Numbers axes = call.has_attribute("axes") ? attribute_numbers(call, "axes")
                                                  : leading_axes("axes", data.shape().size());
  // Choice: an axis named twice, which the text leaves undefined, is an error.
  const std::vector<int64_t> changed = normalized_once(axes, data.rank());
  if (lengths.size() != changed.size()) {
    fail_schema("shape-mismatch", "shape has " + std::to_string(lengths.size()) + " elements",
                "must have one for each of " + std::to_string(changed.size()) + " axes");
  }
  std::vector<AxisMap> maps;
  for (int64_t dim : data.shape()) maps.push_back({dim, {}});
  const Shape target = shape_of(lengths);
  for (size_t i = 0; i < changed.size(); ++i) {
    maps[static_cast<size_t>(changed[i])] =
        centered(data.shape()[changed[i]], target[static_cast<int64_t>(i)]);
  }
  return map_axes(data, maps);
}

}  // namespace

const Operator kCenterCropPad{"ai.onnx", "CenterCropPad", {
    {.since = 18, .run = center_crop_pad_18},
}};

}  // namespace onnxv
