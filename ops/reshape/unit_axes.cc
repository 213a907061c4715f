// Squeeze drops axes of size 1, Unsqueeze adds them.
//   since 1   the axes are an attribute. (11: negative ones, read as the same rule.)
//   since 13  the axes are an input.
#include <algorithm>

#include "ops/reshape/family.h"
#include "ops/reshape/numbers.h"

namespace onnxv {
namespace {

Tensor without_unit_axes(const Tensor& data) {
  Shape shape;
  for (int64_t dim : data.shape()) {
    if (dim != 1) shape.push_back(dim);
  }
  return data.reshaped(shape);
}

// Choice: an empty list of axes drops none, since only a list that is not there means all of them.
// An axis named twice is dropped once.
Tensor squeezed(const Tensor& data, const Numbers& axes) {
  std::vector<bool> drop(data.shape().size(), false);
  const std::vector<int64_t> positive = normalized(axes, data.rank());
  for (size_t i = 0; i < positive.size(); ++i) {
    if (data.shape()[positive[i]] != 1) {
      fail_number(axes, i, "must name an axis of size 1 of shape " + data.shape().text());
    }
    drop[static_cast<size_t>(positive[i])] = true;
  }
  Shape shape;
  for (size_t i = 0; i < drop.size(); ++i) {
    if (!drop[i]) shape.push_back(data.shape()[static_cast<int64_t>(i)]);
  }
  return data.reshaped(shape);
}

Tensor squeeze_1(const OpCall& call) {
  const Tensor& data = call.tensor("data");
  if (!call.has_attribute("axes")) return without_unit_axes(data);
  return squeezed(data, attribute_numbers(call, "axes"));
}

Tensor squeeze_13(const OpCall& call) {
  const Tensor& data = call.tensor("data");
  if (!call.has_input("axes")) return without_unit_axes(data);
  return squeezed(data, input_axes(call, "axes"));
}

// Spec: the axes count in the output, so their order does not matter.
Tensor unsqueezed(const Tensor& data, const Numbers& axes) {
  std::vector<int64_t> added =
      normalized_once(axes, data.rank() + static_cast<int64_t>(axes.size()));
  std::sort(added.begin(), added.end());
  Shape shape = data.shape();
  for (int64_t axis : added) shape.insert(axis, 1);
  return data.reshaped(shape);
}

Tensor unsqueeze_1(const OpCall& call) {
  return unsqueezed(call.tensor("data"), attribute_numbers(call, "axes"));
}

Tensor unsqueeze_13(const OpCall& call) {
  return unsqueezed(call.tensor("data"), input_axes(call, "axes"));
}

}  // namespace

const Operator kSqueeze{"ai.onnx", "Squeeze", {
    {.since = 1, .also = {11}, .run = squeeze_1},
    {.since = 13, .also = {23}, .run = squeeze_13},
}};

const Operator kUnsqueeze{"ai.onnx", "Unsqueeze", {
    {.since = 1, .also = {11}, .run = unsqueeze_1},
    {.since = 13, .also = {23}, .run = unsqueeze_13},
}};

}  // namespace onnxv
