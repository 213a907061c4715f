// ArgMax, ArgMin: the index of the extreme element along an axis; of equal ones the first.
//   since 1   (11: negative axes, read as the same rule.)
//   since 12  select_last_index: of equal ones the last. (13: bfloat16.)
//
// Choice: NaN is the extreme for both, the first of several even with select_last_index, as NumPy
// has it; marked. A scalar is a line of one element.
#include <algorithm>
#include <span>
#include <vector>

#include "ops/operator.h"
#include "src/base/parallel.h"
#include "src/kernel/line_extremes.h"
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
  int64_t key = 0;
  size_t place = 0;
};

// Whether an element that comes later is chosen in place of the best so far. The first NaN stays.
bool replaces(int64_t key, int64_t best, const Rule& rule) {
  if (rule.has_nan && best == kNanKey) return false;
  if (rule.has_nan && key == kNanKey) return true;
  const bool better = rule.extreme == Extreme::kMax ? key > best : key < best;
  return better || (rule.tie == Tie::kLast && key == best);
}

// The choices of lines that stand side by side: `count` elements of each, from `place` on, `best.size()` keys apart.
void choose(const int64_t* keys, size_t count, size_t place, const Rule& rule, std::span<Choice> best) {
  const size_t lines = best.size();
  if (place == 0) {
    for (size_t k = 0; k < lines; ++k) best[k] = {keys[k], 0};
  }
  if (lines == 1) {
    Choice choice = best[0];
    for (size_t i = place == 0 ? 1 : 0; i < count; ++i) {
      if (replaces(keys[i], choice.key, rule)) choice = {keys[i], place + i};
    }
    best[0] = choice;
    return;
  }
  for (size_t i = place == 0 ? 1 : 0; i < count; ++i) {
    for (size_t k = 0; k < lines; ++k) {
      const int64_t key = keys[i * lines + k];
      if (replaces(key, best[k].key, rule)) best[k] = {key, place + i};
    }
  }
}

// Lines of `length` elements in memory: one pass finds the extreme, one its place.
void choose_in_floats(const Tensor& data, size_t length, Extreme extreme, Tie tie, std::span<int64_t> places, std::span<uint8_t> nans) {
  const float* x = data.as<float>().data();
  parallel_for(places.size(), std::max<size_t>(1, (size_t{1} << 15) / length), [&](size_t begin, size_t end) {
    for (size_t line = begin; line < end; ++line) {
      const ExtremePlace found = extreme_place(extreme == Extreme::kMax, tie == Tie::kLast, x + line * length, length);
      places[line] = static_cast<int64_t>(found.place);
      nans[line] = found.is_nan ? 1 : 0;
    }
  });
}

// Of any type and layout, by keys.
void choose_by_keys(const Tensor& lines, size_t length, size_t inner, const Rule& rule, std::span<int64_t> places, std::span<uint8_t> nans) {
  constexpr size_t kPiece = 1024;  // keys that stay in the first cache
  const size_t together = std::max<size_t>(kPiece / std::max<size_t>(inner, 1), 1);  // elements of each line
  std::vector<int64_t> keys(together * inner);
  std::vector<Choice> best(inner);
  for (size_t first = 0; first < places.size(); first += inner) {
    for (size_t i = 0; i < length; i += together) {
      const size_t some = std::min(together, length - i);
      order_keys(lines, first * length + i * inner, some * inner, keys.data());
      choose(keys.data(), some, i, rule, best);
    }
    for (size_t k = 0; k < inner; ++k) {
      places[first + k] = static_cast<int64_t>(best[k].place);
      nans[first + k] = rule.has_nan && best[k].key == kNanKey ? 1 : 0;
    }
  }
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
  if (data.dtype() == DType::kFloat && inner == 1) {
    choose_in_floats(data, length, extreme, tie, places, nans);
  } else {
    choose_by_keys(lines, length, inner, {extreme, tie, is_float(data.dtype())}, places, nans);
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
