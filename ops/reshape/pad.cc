// Pad: elements added at both ends of the axes, or taken away where the number is negative.
//   since 1   `paddings` and `value` are attributes.
//   since 2   the attribute is called `pads`.
//   since 11  pads and constant_value are inputs. (13: every type.)
//   since 18  axes.
//   since 19  mode wrap.
//
// Erratum: the example of version 1 writes its paddings by axis, against its own attribute's text
// (all begins, then all ends), which later versions confirm.
#include <algorithm>

#include "ops/reshape/family.h"
#include "ops/reshape/numbers.h"
#include "src/base/checked.h"
#include "src/number/format.h"
#include "src/tensor/axis_map.h"
#include "src/tensor/index.h"

namespace onnxv {
namespace {

enum class Mode { kConstant, kReflect, kEdge, kWrap };

Mode mode_of(const OpCall& call) {
  const std::string& mode = call.text("mode");
  const bool knows_wrap = call.since_version() >= 19;
  if (mode == "constant") return Mode::kConstant;
  if (mode == "reflect") return Mode::kReflect;
  if (mode == "edge") return Mode::kEdge;
  if (mode == "wrap" && knows_wrap) return Mode::kWrap;
  fail_schema(
      "attribute-value", "mode is \"" + mode + "\"",
      knows_wrap ? "must be constant, reflect, edge or wrap" : "must be constant, reflect or edge");
}

int64_t modulo(int64_t a, int64_t b) { return a - floor_divide(a, b) * b; }

// The element of a line of `length` > 0 that stands at position `at` of its continuation to both
// sides.
int64_t continued(int64_t at, int64_t length, Mode mode) {
  if (mode == Mode::kEdge) return std::clamp<int64_t>(at, 0, length - 1);
  if (mode == Mode::kWrap) return modulo(at, length);
  // Reflections of reflections: back and forth between the ends, each of which stands once. A
  // single element repeats.
  if (length == 1) return 0;
  const int64_t period = 2 * (length - 1), in_period = modulo(at, period);
  return std::min(in_period, period - in_period);
}

struct Ends {
  int64_t begin = 0, end = 0;
};

AxisMap padded_axis(int64_t dim, Ends pads, Mode mode, const Numbers& given) {
  AxisMap map{checked_add(checked_add(dim, pads.begin), pads.end), {}};
  const std::string on_axis = " for an axis of " + std::to_string(dim) + " elements";
  // Beyond this an index minus the begin would overflow.
  if (pads.begin < -INT64_MAX) fail_numbers(given, "must be above -2^63");
  if (map.length < 0) fail_numbers(given, "must leave a length of 0 or more" + on_axis);
  if (pads.begin == 0 && pads.end == 0) return map;
  if (mode == Mode::kConstant) {
    map.source = [dim, begin = pads.begin](int64_t i) {
      return i >= begin && i - begin < dim ? i - begin : -1;
    };
    const int64_t from = std::max<int64_t>(0, checked_subtract(0, pads.begin)), to = std::max<int64_t>(0, pads.begin);
    map.straight = {to, from, std::min(dim - from, map.length - to)};
    return map;
  }
  // Spec: what is taken away goes first; what is left is continued.
  const int64_t first = std::max<int64_t>(0, checked_subtract(0, pads.begin));
  const int64_t length = dim - first - std::max<int64_t>(0, checked_subtract(0, pads.end));
  if (length < 0 || (length == 0 && map.length > 0)) {
    fail_numbers(given, "must leave an element to repeat" + on_axis +
                            ", which mode constant alone can do without");
  }
  map.source = [first, length, mode, added = std::max<int64_t>(0, pads.begin)](int64_t i) {
    return first + continued(i - added, length, mode);
  };
  map.straight = {std::max<int64_t>(0, pads.begin), first, length};
  return map;
}

Tensor padded(const OpCall& call, const Numbers& pads, const Numbers& axes, const Tensor* value) {
  const Tensor& data = call.tensor("data");
  const Mode mode = mode_of(call);
  const std::vector<int64_t> padded_axes = normalized_once(axes, data.rank());
  if (pads.size() != 2 * padded_axes.size()) {
    fail_schema("shape-mismatch",
                std::string(pads.name) + " has " + std::to_string(pads.size()) + " elements",
                "must have two for each of " + std::to_string(padded_axes.size()) + " axes");
  }
  std::vector<AxisMap> maps;
  for (int64_t dim : data.shape()) maps.push_back({dim, {}});
  for (size_t i = 0; i < padded_axes.size(); ++i) {
    maps[static_cast<size_t>(padded_axes[i])] = padded_axis(
        data.shape()[padded_axes[i]], {pads[i], pads[i + padded_axes.size()]}, mode, pads);
  }
  return map_axes(data, maps, value);
}

// The attribute `value` is a float32, rounded once where the data is narrower.
Tensor value_attribute(const OpCall& call) {
  const DType dtype = call.tensor("data").dtype();
  Tensor value(dtype, Shape{});
  value.set_code(0, encode(float_format(dtype), {call.real("value"), 0}, Rounding::kNearestEven,
                           Overflow::kInfinity));
  return value;
}

Tensor padded_by_attributes(const OpCall& call, std::string_view name) {
  const Tensor value = value_attribute(call);
  return padded(call, attribute_numbers(call, name),
                leading_axes("axes", call.tensor("data").shape().size()), &value);
}

Tensor pad_1(const OpCall& call) { return padded_by_attributes(call, "paddings"); }

Tensor pad_2(const OpCall& call) { return padded_by_attributes(call, "pads"); }

// Null where it is absent or another mode does not use it.
const Tensor* constant_value(const OpCall& call) {
  const Tensor* value = call.optional_tensor("constant_value");
  if (value == nullptr || call.text("mode") != "constant") return nullptr;
  if (value->size() != 1) {
    fail_schema("not-one-element", "constant_value has shape " + value->shape().text(),
                "must have one element");
  }
  return value;
}

Tensor pad_11(const OpCall& call) {
  const Numbers axes = leading_axes("axes", call.tensor("data").shape().size());
  return padded(call, input_numbers(call, "pads"), axes, constant_value(call));
}

Tensor pad_18(const OpCall& call) {
  if (!call.has_input("axes")) return pad_11(call);
  return padded(call, input_numbers(call, "pads"), input_axes(call, "axes"), constant_value(call));
}

}  // namespace

const Operator kPad{"ai.onnx", "Pad", {
    {.since = 1, .run = pad_1},
    {.since = 2, .run = pad_2},
    {.since = 11, .also = {13}, .run = pad_11},
    {.since = 18, .also = {19}, .run = pad_18},
}};

}  // namespace onnxv
