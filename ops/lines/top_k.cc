// TopK: along an axis, the k elements that are greatest (or least) and where they stand, best
// first; of equal ones the lower index comes first.
//   since 1   k is an attribute.
//   since 10  K is an input.
//   since 11  largest, sorted; integers. (24: bfloat16.)
//
// Choice: NaN is greater than every number and equal to NaN, so that `largest` lists it first and
// its opposite last.
//
// Choice: sorted 0 leaves the order open; the elements are sorted all the same, and marked.
#include <algorithm>
#include <numeric>

#include "ops/operator.h"
#include "src/tensor/index.h"
#include "src/tensor/order.h"

namespace onnxv {
namespace {

enum class Wanted { kLargest, kSmallest };

// Positions on one line, `stride` apart, of its best `k` elements.
class Line {
 public:
  Line(size_t length, size_t stride, Wanted wanted)
      : stride_(stride), wanted_(wanted), places_(length) {}

  std::span<const size_t> best(std::span<const int64_t> keys, size_t start, size_t k) {
    std::iota(places_.begin(), places_.end(), size_t{0});
    const auto end = places_.begin() + static_cast<std::ptrdiff_t>(k);
    std::partial_sort(places_.begin(), end, places_.end(), [&](size_t a, size_t b) {
      const int64_t key_a = keys[start + a * stride_], key_b = keys[start + b * stride_];
      if (key_a != key_b) return wanted_ == Wanted::kLargest ? key_a > key_b : key_a < key_b;
      return a < b;
    });
    return std::span<const size_t>(places_).first(k);
  }

 private:
  size_t stride_;
  Wanted wanted_;
  std::vector<size_t> places_;
};

Outputs best_of(const Tensor& x, int64_t axis, int64_t k, Wanted wanted) {
  Shape shape = x.shape();
  const auto length = static_cast<size_t>(shape[axis]), count = static_cast<size_t>(k);
  const auto inner = static_cast<size_t>(shape.elements(axis + 1, shape.rank()));
  const auto outer = static_cast<size_t>(shape.elements(0, axis));
  shape[axis] = k;
  Tensor indices(DType::kInt64, shape);
  std::vector<int64_t> sources(indices.size());
  const std::vector<int64_t> keys = order_keys(x);
  const std::span<int64_t> places = indices.mutable_as<int64_t>();
  Line line(length, inner, wanted);
  for (size_t o = 0; count > 0 && o < outer; ++o) {
    for (size_t i = 0; i < inner; ++i) {
      const size_t start = o * length * inner + i;
      size_t to = o * count * inner + i;
      for (size_t place : line.best(keys, start, count)) {
        places[to] = static_cast<int64_t>(place);
        sources[to] = static_cast<int64_t>(start + place * inner);
        to += inner;
      }
    }
  }
  return {gather_elements(x, std::move(shape), sources), indices};
}

std::string wanted_k(int64_t dim) { return "must be in [0, " + std::to_string(dim) + "]"; }

Outputs top_k_1(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  const int64_t axis = call.axis(x.rank()), k = call.integer("k"), dim = x.shape()[axis];
  if (k < 0 || k > dim) fail_schema("attribute-range", "k is " + std::to_string(k), wanted_k(dim));
  return best_of(x, axis, k, Wanted::kLargest);
}

Outputs top_k_by_input(const OpCall& call, Wanted wanted) {
  const Tensor& x = call.tensor("X");
  const int64_t axis = call.axis(x.rank()), k = int64_value(call.tensor("K"), "K"),
                dim = x.shape()[axis];
  if (k < 0 || k > dim) fail_undefined("input-range", "K is " + std::to_string(k), wanted_k(dim));
  return best_of(x, axis, k, wanted);
}

Outputs top_k_10(const OpCall& call) { return top_k_by_input(call, Wanted::kLargest); }

Outputs top_k_11(const OpCall& call) {
  Outputs outputs =
      top_k_by_input(call, call.integer("largest") != 0 ? Wanted::kLargest : Wanted::kSmallest);
  const Tensor& indices = outputs[1].tensor();
  if (call.integer("sorted") == 0 && indices.size() > 0 &&
      indices.shape()[call.axis(indices.rank())] > 1) {
    call.mark_unspecified(0, "topk-unsorted");
    call.mark_unspecified(1, "topk-unsorted");
  }
  return outputs;
}

}  // namespace

extern const Operator kTopK;
const Operator kTopK{"ai.onnx", "TopK", {
    {.since = 1, .run = top_k_1},
    {.since = 10, .run = top_k_10},
    {.since = 11, .run = top_k_11},
}};

}  // namespace onnxv
