// OneHot: along a new axis of length `depth`, on_value at the index that `indices` hold and
// off_value elsewhere.
//   since 9   an index outside [0, depth) sets nothing.
//   since 11  an index in [-depth, -1] counts from the end.
#include "ops/index/family.h"
#include "src/number/format.h"
#include "src/number/rational.h"
#include "src/tensor/axis_map.h"
#include "src/tensor/index.h"

namespace onnxv {
namespace {

// An element as int64, cut toward zero; nullopt where that does not exist (NaN, infinities, too
// large).
std::optional<int64_t> whole_part(const Tensor& tensor, size_t element) {
  const uint64_t code = tensor.code(element);
  if (!is_float(tensor.dtype())) {
    const auto value =
        decode_integer({dtype_bits(tensor.dtype()), is_signed_integer(tensor.dtype())}, code);
    if (value > INT64_MAX) return std::nullopt;
    return static_cast<int64_t>(value);
  }
  const double value = decode(float_format(tensor.dtype()), code);
  if (!is_finite(value)) return std::nullopt;
  const BigInt whole = Rational::from_double(value).truncated();
  if (whole.bit_length() > 63) return std::nullopt;
  return static_cast<int64_t>(whole.low_bits());
}

int64_t depth_of(const OpCall& call) {
  const Tensor& tensor = call.tensor("depth");
  if (tensor.size() != 1) {
    fail_schema("not-one-element", "depth has shape " + tensor.shape().text(),
                "must have one element");
  }
  const std::optional<int64_t> depth = whole_part(tensor, 0);
  if (!depth || *depth < 0) {
    fail_undefined("input-range",
                   depth ? "depth is " + std::to_string(*depth) : "depth is no int64",
                   "must be 0 or more");
  }
  return *depth;
}

enum class Negative { kSetsNothing, kCountsFromEnd };

// Choice: the value is selected, not computed as y · (on - off) + off, so that infinities and
// strings pass.
Tensor one_hot(const OpCall& call, Negative negative) {
  const Tensor &indices = call.tensor("indices"), &values = call.tensor("values");
  if (values.shape() != Shape{2}) {
    fail_schema("shape-mismatch", "values have shape " + values.shape().text(),
                "must be [off_value, on_value]");
  }
  const int64_t depth = depth_of(call), axis = call.axis(indices.rank() + 1);
  Shape shape = indices.shape();
  shape.insert(axis, depth);
  Tensor out = strided_copy(values, shape, 0, std::vector<int64_t>(shape.size(), 0));
  const int64_t inner = shape.elements(axis + 1, shape.rank());
  const int64_t lowest = negative == Negative::kCountsFromEnd ? -depth : 0;
  for (size_t i = 0; i < indices.size(); ++i) {
    const std::optional<int64_t> index = whole_part(indices, i);
    if (!index || *index >= depth || *index < lowest) continue;
    const int64_t hot = *index < 0 ? *index + depth : *index;
    const auto element = static_cast<int64_t>(i);
    copy_elements(values, 1, 1, out,
                  static_cast<size_t>((element / inner * depth + hot) * inner + element % inner));
  }
  return out;
}

// Spec: in this version a negative index sets nothing, whatever runtimes do.
Tensor one_hot_9(const OpCall& call) { return one_hot(call, Negative::kSetsNothing); }
Tensor one_hot_11(const OpCall& call) { return one_hot(call, Negative::kCountsFromEnd); }

}  // namespace

const Operator kOneHot{"ai.onnx", "OneHot", {
    {.since = 9, .run = one_hot_9},
    {.since = 11, .run = one_hot_11},
}};

}  // namespace onnxv
