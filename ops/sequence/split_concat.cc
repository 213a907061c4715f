// SplitToSequence cuts a tensor into a sequence along an axis, ConcatFromSequence puts one together.
//   SplitToSequence since 11; 24 adds bfloat16.
//   ConcatFromSequence since 11.
#include "ops/sequence/sequence.h"
#include "src/tensor/index.h"
#include "src/tensor/pieces.h"

namespace onnxv {
namespace {

constexpr int64_t kMostItems = int64_t{1} << 24;

std::vector<int64_t> listed_lengths(const Tensor& split, int64_t dim) {
  const std::vector<int64_t> lengths = int64_values(split);
  int64_t sum = 0;
  for (int64_t length : lengths) {
    // Spec: "only positive numbers" in one sentence, ">= 0" in another. Choice: 0 is allowed.
    if (length < 0) fail_undefined("split-sizes", "split holds " + std::to_string(length), "must be at least 0");
    // A sum beyond int64 is more than any axis has.
    if (__builtin_add_overflow(sum, length, &sum)) sum = INT64_MAX;
  }
  if (sum != dim) {
    fail_undefined("split-sizes", "split sums to " + std::to_string(sum),
                   "must sum to the axis's " + std::to_string(dim));
  }
  return lengths;
}

std::vector<int64_t> equal_lengths(int64_t chunk, int64_t dim) {
  if (chunk <= 0) fail_undefined("split-sizes", "split is " + std::to_string(chunk), "must be positive");
  // An axis of any length may belong to a tensor without elements.
  if (dim / chunk > kMostItems) fail_limit("sequence-length", "the sequence would have " + std::to_string(dim / chunk) +
                                           " items", "must be at most " + std::to_string(kMostItems));
  std::vector<int64_t> lengths(static_cast<size_t>(dim / chunk), chunk);
  if (dim % chunk != 0) lengths.push_back(dim % chunk);
  return lengths;
}

Outputs split_to_sequence_11(const OpCall& call) {
  const Tensor& input = call.tensor("input");
  const int64_t axis = call.axis(input.rank());
  const Tensor* split = call.optional_tensor("split");
  const int64_t dim = input.shape()[axis];
  if (split != nullptr && split->rank() > 1) {
    fail_schema("shape-mismatch", "split has shape " + split->shape().text(), "must be a scalar or 1-D");
  }
  const bool scalar = split == nullptr || split->rank() == 0;
  const std::vector<int64_t> lengths =
      scalar ? equal_lengths(split != nullptr ? int64_value(*split, "split") : 1, dim) : listed_lengths(*split, dim);
  // Spec: keepdims counts only where `split` is absent.
  const bool drop_axis = split == nullptr && call.integer("keepdims") == 0;

  Sequence sequence{Type::tensor(input.dtype()), {}};
  int64_t from = 0;
  for (int64_t length : lengths) {
    sequence.items.emplace_back(drop_axis ? item_at(input, axis, from) : cut(input, axis, from, length));
    from += length;
  }
  return {Value(std::move(sequence))};
}

Tensor concat_from_sequence_11(const OpCall& call) {
  const Value& given = call.value("input_sequence");
  if (!given.is_sequence()) {
    fail_schema("type-mismatch", "input_sequence is " + given.type().text(), "must be a sequence");
  }
  std::vector<Tensor> parts;
  for (const Value& item : given.sequence().items) parts.push_back(item.tensor());
  if (parts.empty()) fail_undefined("empty-sequence", "input_sequence is empty", "must have an item");
  const int64_t new_axis = call.integer("new_axis");
  if (new_axis != 0 && new_axis != 1) {
    fail_schema("attribute-range", "new_axis is " + std::to_string(new_axis), "must be 0 or 1");
  }
  const int64_t rank = parts[0].rank();
  return new_axis == 1 ? stack(parts, call.axis(rank + 1)) : concatenate(parts, call.axis(rank));
}

}  // namespace

const Operator kSplitToSequence{"ai.onnx", "SplitToSequence", {
    {.since = 11, .also = {24}, .run = split_to_sequence_11},
}};
const Operator kConcatFromSequence{"ai.onnx", "ConcatFromSequence", {
    {.since = 11, .run = concat_from_sequence_11},
}};

}  // namespace onnxv
