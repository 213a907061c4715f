// What convolutions share: the shapes of X, W and B, and the attributes of the windows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ops/operator.h"
#include "src/tensor/windows.h"

namespace onnxv {

// X is [batch, groups * in, spatial...]; the output has groups * out channels.
struct ConvolutionShape {
  int64_t batch = 0, groups = 1;
  int64_t in = 0, out = 0;  // channels of one group
  std::vector<int64_t> spatial, kernel;
  int64_t channels() const { return groups * in; }
  int64_t filters() const { return groups * out; }
  // [batch, filters, counts...]
  Shape output(const Shape& counts) const;
};
enum class WeightLayout {
  kFilterFirst,   // [filters, in, kernel...]
  kChannelFirst,  // [channels, out, kernel...]
};
// Schema errors where X, W, group or the attribute kernel_shape contradict each other, or B is not [filters].
ConvolutionShape convolution_shape(const OpCall& call, WeightLayout layout);

// strides, dilations, pads and auto_pad of the node, with the kernel of W.
WindowAttributes window_attributes(const OpCall& call, const ConvolutionShape& shape);

// Elements [first, first + count) of a float tensor as a tensor of exact doubles.
Tensor exact_doubles(const Tensor& tensor, size_t first, size_t count);

// All sums of one entry from each list, the last list's entries fastest; a single 0 for no lists.
std::vector<int64_t> sums_of(const std::vector<std::vector<int64_t>>& lists);

}  // namespace onnxv
