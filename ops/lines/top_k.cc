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

#include "ops/operator.h"
#include "src/tensor/index.h"
#include "src/tensor/order.h"

namespace onnxv {
namespace {

enum class Wanted { kLargest, kSmallest };

// Positions on one line, `stride` apart, of its best `k` elements.
class Line {
 public:
  Line(size_t length, size_t stride, Wanted wanted) : length_(length), stride_(stride), wanted_(wanted) {}

  std::span<const size_t> best(std::span<const int64_t> keys, size_t start, size_t k) {
    // The worst of the best so far on top of a heap: most elements fall at one comparison with it.
    const auto better = [&](const Entry& a, const Entry& b) {
      if (a.key != b.key) return a.key > b.key;
      return a.place < b.place;
    };
    heap_.clear();
    for (size_t i = 0; i < k; ++i) heap_.push_back({key_at(keys, start, i), i});
    std::make_heap(heap_.begin(), heap_.end(), better);
    for (size_t i = k; i < length_; ++i) {
      const int64_t key = key_at(keys, start, i);
      if (key <= heap_.front().key) continue;
      std::pop_heap(heap_.begin(), heap_.end(), better);
      heap_.back() = {key, i};
      std::push_heap(heap_.begin(), heap_.end(), better);
    }
    std::sort_heap(heap_.begin(), heap_.end(), better);
    places_.clear();
    for (const Entry& entry : heap_) places_.push_back(entry.place);
    return places_;
  }

 private:
  struct Entry {
    int64_t key;
    size_t place;
  };
  // Greater is better. ~ turns the order round, where - would overflow.
  int64_t key_at(std::span<const int64_t> keys, size_t start, size_t i) const {
    const int64_t key = keys[start + i * stride_];
    return wanted_ == Wanted::kLargest ? key : ~key;
  }

  size_t length_, stride_;
  Wanted wanted_;
  std::vector<Entry> heap_;
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
