// What the poolings share: the windows over the spatial axes, and how a maximum is picked.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ops/operator.h"
#include "src/tensor/windows.h"

namespace onnxv {

// X is [batch, channels, spatial...]; every channel of every image is pooled alike.
struct Pooling {
  std::vector<WindowAxis> axes;
  Shape output;           // [batch, channels, windows...]
  size_t channels = 0;    // batch · channels
  size_t cells = 0;       // of one channel
  size_t windows = 0, taps = 0;
};
// From kernel_shape, strides, dilations, pads, auto_pad and ceil_mode, as far as the version has them.
Pooling pooling_of(const OpCall& call);

// Batch and channels followed by a 1 for each spatial axis. Schema error for a rank below 2.
Shape pooled_to_one(const Shape& x);

// Where maxima come from, and which of them the text leaves open.
struct Maxima {
  explicit Maxima(size_t count) : source(count, -1), nan(count, 0), empty(count, 0), mixed_zeros(count, 0) {}
  std::vector<int64_t> source;  // position in X, -1 for none
  std::vector<uint8_t> nan, empty, mixed_zeros;
  // Marks the open elements of an output.
  void mark(const OpCall& call, size_t output) const;
};

// Picks the greatest element of a tensor's: NaN is above all, and of equal ones the first is taken.
class MaximumPicker {
 public:
  explicit MaximumPicker(const Tensor& x);
  // Among the candidates, positions in X; fills element `at` of maxima.
  void pick(std::span<const int64_t> candidates, size_t at, Maxima* maxima) const;
  // The order of an element, and whether the greatest of all may be taken by it alone: NaN and zeros are looked at again.
  int64_t key(size_t position) const { return keys_[position]; }
  bool is_clear(int64_t key) const;
  // Takes +0 rather than -0 where a maximum is a zero of both signs.
  void prefer_positive_zero(std::span<const int64_t> candidates, size_t at, Maxima* maxima) const;

 private:
  const Tensor& x_;
  std::vector<int64_t> keys_;
  int64_t zero_key_;
  bool has_signed_zero_, has_nan_;
};

}  // namespace onnxv
