// Reshape: the same elements under another shape.
//   since 1   the shape is an attribute; 0 copies the input's dimension at the same place, one -1
//   takes what is left. since 5   the shape is an input. since 14  allowzero: 0 is a dimension of
//   0.
// Flatten: all axes before `axis` become one, the others another.
//   since 1   axis in [0, r].
//   since 11  negative axes.
#include "ops/reshape/family.h"
#include "ops/reshape/numbers.h"

namespace onnxv {
namespace {

enum class Zero { kCopies, kIsZero };

Shape resolved(const Numbers& shape, const Tensor& data, Zero zero) {
  std::vector<int64_t> dims = shape.values;
  std::optional<size_t> open;
  int64_t known = 1;
  const std::string fit = "must fit data of shape " + data.shape().text();
  bool has_zero = false;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] == -1) {
      if (open) fail_numbers(shape, "may hold -1 once");
      open = i;
      continue;
    }
    if (dims[i] < 0) fail_number(shape, i, "must be -1 or more");
    if (dims[i] == 0 && zero == Zero::kCopies) {
      if (static_cast<int64_t>(i) >= data.rank()) {
        fail_number(shape, i,
                    "but the data of rank " + std::to_string(data.rank()) +
                        " has no dimension to copy there");
      }
      dims[i] = data.shape()[static_cast<int64_t>(i)];
    }
    has_zero = has_zero || dims[i] == 0;
    // A product beyond int64 is more than any data has, unless a zero is still to come.
    if (!has_zero && __builtin_mul_overflow(known, dims[i], &known)) known = INT64_MAX;
  }
  if (has_zero) known = 0;
  const auto elements = static_cast<int64_t>(data.size());
  if (open) {
    if (known == 0)
      fail_numbers(shape, "must leave -1 a definite value, which a product of 0 does not");
    if (elements % known != 0) fail_numbers(shape, fit);
    dims[*open] = elements / known;
  } else if (known != elements) {
    fail_numbers(shape, fit);
  }
  return Shape(std::move(dims));
}

Tensor reshaped(const OpCall& call, const Numbers& shape, Zero zero) {
  const Tensor& data = call.tensor("data");
  return data.reshaped(resolved(shape, data, zero));
}

Tensor reshape_1(const OpCall& call) {
  return reshaped(call, attribute_numbers(call, "shape"), Zero::kCopies);
}

Tensor reshape_5(const OpCall& call) {
  return reshaped(call, input_numbers(call, "shape"), Zero::kCopies);
}

Tensor reshape_14(const OpCall& call) {
  return reshaped(call, input_numbers(call, "shape"),
                  call.integer("allowzero") != 0 ? Zero::kIsZero : Zero::kCopies);
}

// `lowest` is 0 or -rank: the range of axis.
Tensor flattened(const OpCall& call, int64_t lowest) {
  const Tensor& input = call.tensor("input");
  const int64_t rank = input.rank();
  int64_t axis = call.integer("axis");
  if (axis < lowest || axis > rank) {
    fail_schema("attribute-range", "axis is " + std::to_string(axis),
                "must be in [" + std::to_string(lowest) + ", " + std::to_string(rank) + "]");
  }
  if (axis < 0) axis += rank;
  return input.reshaped(Shape{input.shape().elements(0, axis), input.shape().elements(axis, rank)});
}

Tensor flatten_1(const OpCall& call) { return flattened(call, 0); }

Tensor flatten_11(const OpCall& call) { return flattened(call, -call.tensor("input").rank()); }

}  // namespace

const Operator kReshape{"ai.onnx", "Reshape", {
    {.since = 1, .run = reshape_1},
    {.since = 5, .run = reshape_5},
    {.since = 14, .run = reshape_14},
}};

const Operator kFlatten{"ai.onnx", "Flatten", {
    {.since = 1, .run = flatten_1},
    {.since = 11, .run = flatten_11},
}};

}  // namespace onnxv
