// Conv: Y[n, m, o] = B[m] + sum over the channels c of m's group and the taps k of X[n, c, o + k] · W[m, c, k].
//   since 1   (11 words SAME as ceil(input / stride), which is what 1 means too; 22: bfloat16.)
//
// Padding cells are real zeros: beside an infinite weight they give NaN.
#include "ops/convolution/weights.h"
#include "ops/operator.h"
#include "src/base/parallel.h"
#include "src/kernel/patches.h"
#include "src/kernel/product.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

// What all groups of all images share.
struct Problem {
  const Tensor& x;
  const Tensor& w;
  const ConvolutionShape& shape;
  const WindowOffsets& offsets;
  const PatchLayout& layout;
  bool pointwise;            // each window is the cell of its own number
  std::vector<double> bias;  // of every filter; empty: none
};

// One group of one image: its filters over its patches.
void convolve(const Problem& problem, size_t image_group, Tensor* y) {
  const ConvolutionShape& shape = problem.shape;
  const auto filters = static_cast<size_t>(shape.out), channels = static_cast<size_t>(shape.in);
  const size_t cells = problem.offsets.cells.size(), windows = problem.offsets.windows.size();
  const size_t length = channels * problem.offsets.taps.size();
  const size_t first_filter = image_group % static_cast<size_t>(shape.groups) * filters, first = image_group * channels * cells;
  const StridedVectors rows(problem.w, filters, length, static_cast<int64_t>(first_filter * length), static_cast<int64_t>(length), 1);
  const ProductOutput out{y, static_cast<int64_t>(image_group * filters * windows), static_cast<int64_t>(windows), 1,
                          target_of(y->dtype()), problem.bias.empty() ? nullptr : problem.bias.data() + first_filter};
  if (problem.pointwise) {
    multiply(rows, StridedVectors(problem.x, cells, channels, static_cast<int64_t>(first), 1, static_cast<int64_t>(cells)), out);
  } else {
    multiply(rows, PatchVectors(problem.x, first, channels, problem.layout), out);
  }
}

bool is_pointwise(const WindowOffsets& offsets) {
  return offsets.taps.size() == 1 && offsets.cells == offsets.windows;
}

std::vector<double> decoded(const Tensor* bias) {
  if (bias == nullptr) return {};
  std::vector<double> values(bias->size());
  decode_elements(*bias, 0, values.size(), values.data());
  return values;
}

Tensor conv_1(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  const Tensor& w = call.tensor("W");
  const ConvolutionShape shape = convolution_shape(call, WeightLayout::kFilterFirst);
  const std::vector<WindowAxis> axes = placed_windows(shape.spatial, window_attributes(call, shape));
  Tensor y = Tensor::unfilled(x.dtype(), shape.output(window_counts(axes)));
  if (y.size() == 0) return y;
  const WindowOffsets offsets = window_offsets(axes);
  const PatchLayout layout(offsets);
  const Problem problem{x, w, shape, offsets, layout, is_pointwise(offsets), decoded(call.optional_tensor("B"))};
  // Many small products share the threads; one large product cuts itself.
  const auto parts = static_cast<size_t>(shape.batch * shape.groups);
  // What the threads share is made before they start.
  y.mutable_bytes();
  if (ToleranceScope::current() != nullptr) y.mutable_bounds();
  parallel_for(parts, shape.groups == 1 ? parts : 1, [&](size_t begin, size_t end) {
    for (size_t part = begin; part < end; ++part) convolve(problem, part, &y);
  });
  return y;
}

}  // namespace

extern const Operator kConv;
const Operator kConv{"ai.onnx", "Conv", {{.since = 1, .also = {11, 22}, .run = conv_1}}};

}  // namespace onnxv
