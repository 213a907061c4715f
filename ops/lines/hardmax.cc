// Hardmax: 1 for the first greatest element of each line, 0 for the others.
//   since 1   a line is everything from `axis` on, flattened. (11: negative axes, read as the same
//   rule.) since 13  a line runs along `axis` alone.
//
// Choice: a NaN counts as the greatest; such lines are marked.
#include "ops/operator.h"
#include "src/number/format.h"
#include "src/tensor/order.h"

namespace onnxv {
namespace {

// The input as [outer, length, inner], with lines along the middle.
struct Lines {
  size_t outer = 1, length = 1, inner = 1;
};

size_t first_greatest(std::span<const int64_t> keys, size_t start, const Lines& lines) {
  size_t best = start;
  for (size_t i = 1; i < lines.length; ++i) {
    const size_t at = start + i * lines.inner;
    if (keys[at] > keys[best]) best = at;
  }
  return best;
}

Tensor hardmax(const OpCall& call, const Tensor& input, const Lines& lines) {
  Tensor out(input.dtype(), input.shape());
  if (out.size() == 0) return out;
  const uint64_t one =
      encode(float_format(input.dtype()), {1.0, 0}, Rounding::kNearestEven, Overflow::kInfinity);
  const std::vector<int64_t> keys = order_keys(input);
  std::vector<uint8_t> nans(input.size(), 0);
  for (size_t o = 0; o < lines.outer; ++o) {
    for (size_t i = 0; i < lines.inner; ++i) {
      const size_t start = o * lines.length * lines.inner + i;
      const size_t best = first_greatest(keys, start, lines);
      out.set_code(best, one);
      if (keys[best] != kNanKey) continue;
      for (size_t k = 0; k < lines.length; ++k) nans[start + k * lines.inner] = 1;
    }
  }
  call.mark_unspecified(0, "hardmax-nan", std::move(nans));
  return out;
}

Tensor hardmax_1(const OpCall& call) {
  const Tensor& input = call.tensor("input");
  const Shape& shape = input.shape();
  const int64_t axis = call.axis(shape.rank());
  return hardmax(call, input,
                 {static_cast<size_t>(shape.elements(0, axis)),
                  static_cast<size_t>(shape.elements(axis, shape.rank())), 1});
}

Tensor hardmax_13(const OpCall& call) {
  const Tensor& input = call.tensor("input");
  const Shape& shape = input.shape();
  const int64_t axis = call.axis(shape.rank());
  return hardmax(call, input,
                 {static_cast<size_t>(shape.elements(0, axis)), static_cast<size_t>(shape[axis]),
                  static_cast<size_t>(shape.elements(axis + 1, shape.rank()))});
}

}  // namespace

extern const Operator kHardmax;
const Operator kHardmax{"ai.onnx", "Hardmax", {
    {.since = 1, .also = {11}, .run = hardmax_1},
    {.since = 13, .run = hardmax_13},
}};

}  // namespace onnxv
