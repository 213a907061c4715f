// Conv: Y[n, m, o] = B[m] + sum over the channels c of m's group and the taps k of X[n, c, o + k] · W[m, c, k].
//   since 1   (11 words SAME as ceil(input / stride), which is what 1 means too; 22: bfloat16.)
//
// Padding cells are real zeros: beside an infinite weight they give NaN.
#include "ops/convolution/weights.h"
#include "ops/operator.h"
#include "src/kernel/patches.h"
#include "src/kernel/product.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

// One group of one image: the filters [first_filter, first_filter + filters.count()) over its patches.
void convolve(const Vectors& filters, const Vectors& patches, const Tensor* bias, size_t first_filter,
              const ProductOutput& out) {
  if (bias == nullptr) return multiply(filters, patches, out);
  std::vector<double> values(filters.count());
  decode_elements(*bias, first_filter, values.size(), values.data());
  const ExtendedVectors with_bias(filters, std::move(values), is_narrow(bias->dtype()));
  const ExtendedVectors with_one(patches, {1.0}, true);
  multiply(with_bias, with_one, out);
}

Tensor conv_1(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  const Tensor& w = call.tensor("W");
  const ConvolutionShape shape = convolution_shape(call, WeightLayout::kFilterFirst);
  const std::vector<WindowAxis> axes = placed_windows(shape.spatial, window_attributes(call, shape));
  Tensor y(x.dtype(), shape.output(window_counts(axes)));
  if (y.size() == 0) return y;
  const WindowOffsets offsets = window_offsets(axes);
  const auto filters = static_cast<size_t>(shape.out), channels = static_cast<size_t>(shape.in);
  const size_t cells = offsets.cells.size(), length = channels * offsets.taps.size();
  const auto windows = static_cast<int64_t>(offsets.windows.size());
  const auto groups = static_cast<size_t>(shape.groups);
  for (size_t image_group = 0; image_group < static_cast<size_t>(shape.batch) * groups; ++image_group) {
    const size_t first_filter = image_group % groups * filters;
    const PatchVectors patches(x, image_group * channels * cells, channels, offsets);
    const StridedVectors rows(w, filters, length, static_cast<int64_t>(first_filter * length),
                              static_cast<int64_t>(length), 1);
    convolve(rows, patches, call.optional_tensor("B"), first_filter,
             {&y, static_cast<int64_t>(image_group * filters) * windows, windows, 1, target_of(y.dtype())});
  }
  return y;
}

}  // namespace

extern const Operator kConv;
const Operator kConv{"ai.onnx", "Conv", {{.since = 1, .also = {11, 22}, .run = conv_1}}};

}  // namespace onnxv
