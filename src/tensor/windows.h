// Where the windows of a convolution or a pooling stand: the arithmetic of kernel_shape, strides, dilations, pads and
// auto_pad, one spatial axis at a time.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "src/tensor/shape.h"

namespace onnxv {

// The attributes as a node gives them; an empty list is an absent one.
struct WindowAttributes {
  std::string auto_pad = "NOTSET";
  std::vector<int64_t> kernel = {}, strides = {}, dilations = {}, pads = {};
  bool ceil_mode = false;
};

// One spatial axis. Positions count the input's cells from 0; those outside [0, input) are padding.
struct WindowAxis {
  int64_t input = 0;
  int64_t kernel = 1, stride = 1, dilation = 1;
  int64_t pad_begin = 0, pad_end = 0;
  int64_t output = 0;  // windows

  // Cells from the first tap of a window to its last one.
  int64_t extent() const { return (kernel - 1) * dilation + 1; }
  int64_t position(int64_t window, int64_t tap) const { return window * stride - pad_begin + tap * dilation; }
  // Cells from the first window's first tap to the last window's last one.
  int64_t reach() const { return output == 0 ? 0 : (output - 1) * stride + extent(); }
};

enum class AutoPad { kNotSet, kSameUpper, kSameLower, kValid };
// Schema error "attribute-value" for another word.
AutoPad auto_pad_of(const std::string& text);

// Kernel, stride and dilation of each axis, and explicit pads (zeros under auto_pad); output is 0 yet. Schema errors
// "attribute-length" for a list that does not match the axes, "attribute-range" for a number below 1 (pads: below 0),
// "attribute-conflict" for auto_pad beside pads that are not zero.
std::vector<WindowAxis> window_axes(std::span<const int64_t> spatial, const WindowAttributes& attributes);

// The same with the padding of auto_pad and the number of windows. Schema error "empty-window" where no window fits.
// Under ceil_mode a window that would start behind the input and its begin padding is dropped.
std::vector<WindowAxis> placed_windows(std::span<const int64_t> spatial, const WindowAttributes& attributes);

// Windows of each axis.
Shape window_counts(std::span<const WindowAxis> axes);

// The windows as offsets into one channel that was laid out with its padding: tap t of window w is cell
// windows[w] + taps[t] of `padded`; both in row-major order.
struct WindowOffsets {
  Shape padded;                  // reach() of each axis
  std::vector<int64_t> windows;  // offset of each window's first tap
  std::vector<int64_t> taps;
  size_t cells = 0;              // of the input
  struct Run {
    size_t cell, offset, length;
  };
  std::vector<Run> runs;         // where they lie in `padded`, neighbours that stay neighbours; without those that no window reaches
};
// Limit error where the padded channel or the list of windows would not fit in memory as a tensor.
WindowOffsets window_offsets(std::span<const WindowAxis> axes);

// The declared padding around the input, cut to what windows reach: 1 for every cell of offsets.padded inside
// [-pad_begin, input + pad_end), 0 for those that only ceil_mode reaches.
std::vector<uint8_t> declared_cells(std::span<const WindowAxis> axes);

}  // namespace onnxv
