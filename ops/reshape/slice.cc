// Slice: a regular part of each axis.
//   since 1   starts and ends are attributes.
//   since 10  starts, ends, axes and steps are inputs. (11: negative axes; 13: the clamps in full,
//   read for 10 and 11 too.)
#include <algorithm>

#include "ops/reshape/family.h"
#include "ops/reshape/numbers.h"
#include "src/tensor/index.h"

namespace onnxv {
namespace {

struct Cut {
  int64_t start, step, count;
};

// Spec: start and end are clamped to the axis, so stepping backward from before its beginning still
// takes element 0. (Python, which the text is "similar to", takes nothing.)
Cut cut_of(int64_t start, int64_t end, int64_t step, int64_t dim) {
  if (dim == 0) return {0, 1, 0};
  if (start < 0) start += dim;
  if (end < 0) end += dim;
  const bool forward = step > 0;
  start = std::clamp<int64_t>(start, 0, forward ? dim : dim - 1);
  end = forward ? std::clamp<int64_t>(end, 0, dim) : std::clamp<int64_t>(end, -1, dim - 1);
  const int64_t length = forward ? end - start : start - end;
  if (length <= 0) return {0, 1, 0};
  // A step beyond the axis takes one element; cutting it there also keeps -step from overflowing.
  step = std::clamp(step, -dim, dim);
  const int64_t stride = forward ? step : -step;
  return {start, step, (length - 1) / stride + 1};
}

Tensor taken(const Tensor& data, std::span<const Cut> cuts) {
  const std::vector<int64_t> strides = strides_of(data.shape());
  Shape shape;
  int64_t offset = 0;
  std::vector<int64_t> steps;
  for (size_t axis = 0; axis < cuts.size(); ++axis) {
    shape.push_back(cuts[axis].count);
    offset += cuts[axis].start * strides[axis];
    steps.push_back(cuts[axis].step * strides[axis]);
  }
  if (shape.elements() == 0) return Tensor(data.dtype(), shape);
  return strided_copy(data, std::move(shape), offset, steps);
}

void check_length(const Numbers& numbers, size_t wanted, std::string_view of) {
  if (numbers.size() == wanted) return;
  fail_schema("shape-mismatch",
              std::string(numbers.name) + " has " + std::to_string(numbers.size()) + " elements",
              "must have the " + std::to_string(wanted) + " of " + std::string(of));
}

Tensor sliced(const Tensor& data, const Numbers& starts, const Numbers& ends, const Numbers& axes,
              const Numbers& steps) {
  check_length(ends, starts.size(), "starts");
  check_length(axes, starts.size(), "starts");
  check_length(steps, starts.size(), "starts");
  std::vector<Cut> cuts;
  for (int64_t dim : data.shape()) cuts.push_back({0, 1, dim});
  const std::vector<int64_t> cut_axes = normalized_once(axes, data.rank());
  for (size_t i = 0; i < cut_axes.size(); ++i) {
    if (steps[i] == 0) fail_number(steps, i, "must not be 0");
    cuts[static_cast<size_t>(cut_axes[i])] =
        cut_of(starts[i], ends[i], steps[i], data.shape()[cut_axes[i]]);
  }
  return taken(data, cuts);
}

// Without axes, the text names all axes and as many starts; fewer starts count for the first axes.
Numbers first_axes(const Numbers& starts, const Tensor& data) {
  if (starts.size() > data.shape().size()) {
    fail_schema("shape-mismatch", "starts has " + std::to_string(starts.size()) + " elements",
                "must have at most one for each axis of shape " + data.shape().text());
  }
  return leading_axes("axes", starts.size());
}

Tensor slice_1(const OpCall& call) {
  const Tensor& data = call.tensor("data");
  const Numbers starts = attribute_numbers(call, "starts");
  const Numbers axes =
      call.has_attribute("axes") ? attribute_numbers(call, "axes") : first_axes(starts, data);
  const Numbers ones{"steps", std::vector<int64_t>(starts.size(), 1), Numbers::Origin::kAttribute};
  return sliced(data, starts, attribute_numbers(call, "ends"), axes, ones);
}

Tensor slice_10(const OpCall& call) {
  const Tensor& data = call.tensor("data");
  const Numbers starts = input_numbers(call, "starts");
  const Numbers axes = call.has_input("axes") ? input_axes(call, "axes") : first_axes(starts, data);
  const Numbers ones{"steps", std::vector<int64_t>(starts.size(), 1), Numbers::Origin::kAttribute};
  const Numbers steps = call.has_input("steps") ? input_numbers(call, "steps") : ones;
  return sliced(data, starts, input_numbers(call, "ends"), axes, steps);
}

}  // namespace

const Operator kSlice{"ai.onnx", "Slice", {
    {.since = 1, .run = slice_1},
    {.since = 10, .also = {11, 13}, .run = slice_10},
}};

}  // namespace onnxv
