#include "ops/pool/pooling.h"

#include "src/tensor/order.h"

namespace onnxv {

Pooling pooling_of(const OpCall& call) {
  const Shape& x = call.tensor("X").shape();
  if (x.rank() < 3) fail_schema("rank", "X is " + x.text(), "must have a batch, channels and at least one spatial axis");
  const std::vector<int64_t> spatial(x.begin() + 2, x.end());
  WindowAttributes attributes{call.text_or("auto_pad", "NOTSET"), call.integers("kernel_shape"), call.integers("strides"),
                              call.integers("dilations"), call.integers("pads"), call.integer_or("ceil_mode", 0) != 0};
  Pooling pooling;
  pooling.axes = placed_windows(spatial, attributes);
  pooling.output = {x[0], x[1]};
  for (const WindowAxis& axis : pooling.axes) pooling.output.push_back(axis.output);
  pooling.channels = static_cast<size_t>(Shape{x[0], x[1]}.elements());
  pooling.cells = static_cast<size_t>(Shape(spatial).elements());
  pooling.windows = static_cast<size_t>(window_counts(pooling.axes).elements());
  pooling.taps = static_cast<size_t>(Shape(attributes.kernel).elements());
  return pooling;
}

Shape pooled_to_one(const Shape& x) {
  if (x.rank() < 2) fail_schema("rank", "X is " + x.text(), "must have a batch and channels");
  std::vector<int64_t> dims(x.size(), 1);
  dims[0] = x[0];
  dims[1] = x[1];
  return Shape(dims);
}

void Maxima::mark(const OpCall& call, size_t output) const {
  // Choice: NaN propagates, as NumPy has it; runtimes skip it and the text is silent.
  call.mark_unspecified(output, "maximum-nan", nan);
  call.mark_unspecified(output, "empty-window", empty);
  call.mark_unspecified(output, "zero-of-both-signs", mixed_zeros);
}

MaximumPicker::MaximumPicker(const Tensor& x)
    : x_(x), keys_(order_keys(x)), zero_key_(order_key(x.dtype(), 0)), has_signed_zero_(is_float(x.dtype())),
      has_nan_(is_float(x.dtype())) {}

void MaximumPicker::pick(std::span<const int64_t> candidates, size_t at, Maxima* maxima) const {
  if (candidates.empty()) {
    maxima->empty[at] = 1;
    return;
  }
  int64_t best = candidates[0], best_key = keys_[static_cast<size_t>(best)];
  for (const int64_t candidate : candidates) {
    const int64_t key = keys_[static_cast<size_t>(candidate)];
    if (key <= best_key) continue;
    best = candidate;
    best_key = key;
  }
  maxima->source[at] = best;
  if (has_nan_ && best_key == kNanKey) maxima->nan[at] = 1;
  if (!has_signed_zero_ || best_key != zero_key_) return;
  const uint64_t code = x_.code(static_cast<size_t>(best));
  for (const int64_t candidate : candidates) {
    const auto element = static_cast<size_t>(candidate);
    if (keys_[element] == zero_key_ && x_.code(element) != code) maxima->mixed_zeros[at] = 1;
  }
}

bool MaximumPicker::is_clear(int64_t key) const { return (!has_nan_ || key != kNanKey) && (!has_signed_zero_ || key != zero_key_); }

void MaximumPicker::prefer_positive_zero(std::span<const int64_t> candidates, size_t at, Maxima* maxima) const {
  if (maxima->mixed_zeros[at] == 0) return;
  for (const int64_t candidate : candidates) {
    const auto element = static_cast<size_t>(candidate);
    if (keys_[element] != zero_key_ || x_.code(element) != 0) continue;
    maxima->source[at] = candidate;
    return;
  }
}

}  // namespace onnxv
