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
#include <bit>

#include "ops/operator.h"
#include "src/number/float_loops.h"
#include "src/tensor/index.h"
#include "src/tensor/order.h"

namespace onnxv {
namespace {

enum class Wanted { kLargest, kSmallest };

struct Entry {
  int64_t key;  // greater is better
  size_t place;
};
// A type of its own, which the algorithms take in where they would call a function.
struct Better {
  bool operator()(const Entry& a, const Entry& b) const { return a.key != b.key ? a.key > b.key : a.place < b.place; }
};
constexpr Better better;

// The best k elements of a line that is offered piece by piece.
class Selection {
 public:
  Selection(size_t length, size_t k, Wanted wanted) : k_(k), wanted_(wanted), takes_all_(k > 64 && k > length / 16) {}

  void offer(const int64_t* keys, size_t count, size_t stride, size_t place) {
    size_t i = 0;
    for (; i < count && (takes_all_ || entries_.size() < k_); ++i) entries_.push_back({key(keys[i * stride]), place + i});
    if (takes_all_ || i == count) return;
    // The worst of the best so far on top of a heap: most elements fall at one comparison with it.
    if (!is_heap_) std::make_heap(entries_.begin(), entries_.end(), better);
    is_heap_ = true;
    for (; i < count; ++i) {
      const int64_t next = key(keys[i * stride]);
      if (next <= entries_.front().key) continue;
      std::pop_heap(entries_.begin(), entries_.end(), better);
      entries_.back() = {next, place + i};
      std::push_heap(entries_.begin(), entries_.end(), better);
    }
  }

  // Whether k elements are there, none of which an element whose key is `best` at most would replace.
  bool is_full() const { return is_heap_; }
  bool rejects(int64_t best) const { return is_heap_ && key(best) <= entries_.front().key; }

  // Best first. The next offer starts a new line.
  template <class Use>
  void finish(const Use& use) {
    const auto end = entries_.begin() + static_cast<std::ptrdiff_t>(k_);
    if (end != entries_.end()) std::nth_element(entries_.begin(), end, entries_.end(), better);
    std::sort(entries_.begin(), end, better);
    for (auto entry = entries_.begin(); entry != end; ++entry) use(entry->place);
    entries_.clear();
    is_heap_ = false;
  }

 private:
  // ~ turns the order round, where - would overflow.
  int64_t key(int64_t key) const { return wanted_ == Wanted::kLargest ? key : ~key; }

  size_t k_;
  Wanted wanted_;
  bool takes_all_;  // so many that all are taken, and sorted out at the end
  bool is_heap_ = false;
  std::vector<Entry> entries_;
};

constexpr size_t kPiece = 1024;  // keys of a line that stay in the first cache

// Whether none of these elements gets into the selection: of float32 the extreme tells it, found at the speed of memory. (A NaN among
// the smallest hides it.)
bool rejects_all(const Selection& selection, const Tensor& x, size_t first, size_t count, Wanted wanted) {
  if (!selection.is_full() || x.dtype() != DType::kFloat) return false;
  const float best = float_of_key(extreme_float(x.as<float>().data() + first, count, wanted == Wanted::kLargest));
  const int64_t key = order_key(DType::kFloat, std::bit_cast<uint32_t>(best));
  return (wanted == Wanted::kLargest || key != kNanKey) && selection.rejects(key);
}

Outputs best_of(const Tensor& x, int64_t axis, int64_t k, Wanted wanted) {
  Shape shape = x.shape();
  const auto length = static_cast<size_t>(shape[axis]), count = static_cast<size_t>(k);
  const auto inner = static_cast<size_t>(shape.elements(axis + 1, shape.rank()));
  const auto outer = static_cast<size_t>(shape.elements(0, axis));
  shape[axis] = k;
  Tensor indices = Tensor::unfilled(DType::kInt64, shape);
  std::vector<int64_t> sources(indices.size());
  const std::span<int64_t> places = indices.mutable_as<int64_t>();
  Selection selection(length, count, wanted);
  // Lines side by side share their pieces, a block of all of them.
  std::vector<int64_t> keys(inner == 1 ? kPiece : length * inner);
  for (size_t o = 0; count > 0 && o < outer; ++o) {
    if (inner > 1) order_keys(x, o * length * inner, length * inner, keys.data());
    for (size_t i = 0; i < inner; ++i) {
      for (size_t first = 0; inner == 1 && first < length; first += kPiece) {
        const size_t some = std::min(kPiece, length - first);
        if (rejects_all(selection, x, o * length + first, some, wanted)) continue;
        order_keys(x, o * length + first, some, keys.data());
        selection.offer(keys.data(), some, 1, first);
      }
      if (inner > 1) selection.offer(keys.data() + i, length, inner, 0);
      const size_t start = o * length * inner + i;
      size_t to = o * count * inner + i;
      selection.finish([&](size_t place) {
        places[to] = static_cast<int64_t>(place);
        sources[to] = static_cast<int64_t>(start + place * inner);
        to += inner;
      });
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
