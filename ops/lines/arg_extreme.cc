// ArgMax, ArgMin: the index of the extreme element along an axis; of equal ones the first.
//   since 1   (11: negative axes, read as the same rule.)
//   since 12  select_last_index: of equal ones the last. (13: bfloat16.)
//
// Choice: NaN is the extreme for both, the first of several even with select_last_index, as NumPy
// has it; marked. A scalar is a line of one element.
#include "ops/operator.h"
#include "src/tensor/order.h"

namespace onnxv {
namespace {

enum class Extreme { kMax, kMin };
enum class Tie { kFirst, kLast };

struct Rule {
  Extreme extreme;
  Tie tie;
  bool has_nan;  // false for integers, whose keys may reach kNanKey
};

struct Choice {
  size_t place = 0;
  bool is_nan = false;
};

// Among keys[start], keys[start + stride], …
Choice chosen(std::span<const int64_t> keys, size_t start, size_t stride, size_t length,
              const Rule& rule) {
  size_t best = 0;
  for (size_t i = 0; i < length; ++i) {
    const int64_t key = keys[start + i * stride], best_key = keys[start + best * stride];
    if (rule.has_nan && key == kNanKey) return {i, true};
    const bool better = rule.extreme == Extreme::kMax ? key > best_key : key < best_key;
    if (better || (key == best_key && rule.tie == Tie::kLast)) best = i;
  }
  return {best, false};
}

Tensor arg_extreme(const OpCall& call, Extreme extreme, Tie tie) {
  const Tensor& data = call.tensor("data");
  const Tensor lines = data.rank() == 0 ? data.reshaped(Shape{1}) : data;
  const int64_t axis = call.axis(lines.rank());
  Shape shape = lines.shape();
  const auto length = static_cast<size_t>(shape[axis]);
  if (length == 0) {
    fail_schema("empty-axis",
                "axis " + std::to_string(axis) + " of shape " + shape.text() + " is empty",
                "must have an element");
  }
  const auto inner = static_cast<size_t>(shape.elements(axis + 1, shape.rank()));
  shape[axis] = 1;
  Tensor out(DType::kInt64, shape);
  std::vector<uint8_t> nans(out.size(), 0);
  const std::span<int64_t> places = out.mutable_as<int64_t>();
  const std::vector<int64_t> keys = order_keys(lines);
  const Rule rule{extreme, tie, is_float(data.dtype())};
  for (size_t i = 0; i < places.size(); ++i) {
    const size_t start = i / inner * length * inner + i % inner;
    const Choice choice = chosen(keys, start, inner, length, rule);
    places[i] = static_cast<int64_t>(choice.place);
    nans[i] = choice.is_nan;
  }
  call.mark_unspecified(0, "arg-extreme-nan", std::move(nans));
  if (data.rank() == 0) return out.reshaped(Shape{});
  if (call.integer("keepdims") == 0) shape.erase(axis);
  return out.reshaped(std::move(shape));
}

Tie tie_of(const OpCall& call) {
  return call.integer("select_last_index") != 0 ? Tie::kLast : Tie::kFirst;
}

Tensor arg_max_1(const OpCall& call) { return arg_extreme(call, Extreme::kMax, Tie::kFirst); }
Tensor arg_max_12(const OpCall& call) { return arg_extreme(call, Extreme::kMax, tie_of(call)); }
Tensor arg_min_1(const OpCall& call) { return arg_extreme(call, Extreme::kMin, Tie::kFirst); }
Tensor arg_min_12(const OpCall& call) { return arg_extreme(call, Extreme::kMin, tie_of(call)); }

}  // namespace

extern const Operator kArgMax, kArgMin;
const Operator kArgMax{"ai.onnx", "ArgMax", {
    {.since = 1, .also = {11}, .run = arg_max_1},
    {.since = 12, .also = {13}, .run = arg_max_12},
}};

const Operator kArgMin{"ai.onnx", "ArgMin", {
    {.since = 1, .also = {11}, .run = arg_min_1},
    {.since = 12, .also = {13}, .run = arg_min_12},
}};

}  // namespace onnxv
