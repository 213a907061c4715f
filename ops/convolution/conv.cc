// Conv: Y[n, m, o] = B[m] + sum over the channels c of m's group and the taps k of X[n, c, o + k] · W[m, c, k].
//   since 1   (11 words SAME as ceil(input / stride), which is what 1 means too; 22: bfloat16.)
//
// Padding cells are real zeros: beside an infinite weight they give NaN.
#include <algorithm>
#include <cstring>
#include <optional>

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
  size_t cells, windows, taps;  // of one channel, of one filter
  std::vector<double> bias;     // of every filter; empty: none
  std::optional<PatchLayout> layout;  // none: each window is the cell of its own number
};

// Groups [begin, end) of the images': the filters of each over its patches.
void convolve(const Problem& problem, size_t begin, size_t end, Tensor* y) {
  const ConvolutionShape& shape = problem.shape;
  const auto filters = static_cast<size_t>(shape.out), channels = static_cast<size_t>(shape.in);
  const size_t length = channels * problem.taps;
  std::optional<PatchVectors> patches;
  for (size_t group = begin; group < end; ++group) {
    const size_t first_filter = group % static_cast<size_t>(shape.groups) * filters, first = group * channels * problem.cells;
    const StridedVectors rows(problem.w, filters, length, static_cast<int64_t>(first_filter * length), static_cast<int64_t>(length), 1);
    const ProductOutput out{y, static_cast<int64_t>(group * filters * problem.windows), static_cast<int64_t>(problem.windows), 1,
                            target_of(y->dtype()), problem.bias.empty() ? nullptr : problem.bias.data() + first_filter};
    if (!problem.layout) {
      const auto cells = static_cast<int64_t>(problem.cells);
      multiply(rows, StridedVectors(problem.x, problem.cells, channels, static_cast<int64_t>(first), 1, cells), out);
      continue;
    }
    if (patches) {
      patches->move_to(first);
    } else {
      patches.emplace(problem.x, first, channels, *problem.layout);
    }
    multiply(rows, *patches, out);
  }
}

// Images with few windows each are multiplied together, for then the filters are read once for many of them. As many as fill
// some panels, and whose padded cells stay in the caches. Bounds are left where they belong, image by image; few filters have a
// kernel that needs no panels.
size_t images_together(const ConvolutionShape& shape, size_t windows, const std::vector<WindowAxis>& axes) {
  constexpr size_t kFewWindows = 48, kManyWindows = 480, kMostCells = size_t{1} << 18;
  if (shape.groups != 1 || windows >= kFewWindows || shape.out < 8 || shape.in == 0 || ToleranceScope::current() != nullptr) return 1;
  const size_t images = std::min(static_cast<size_t>(shape.batch), kManyWindows / windows);
  size_t most = kMostCells / static_cast<size_t>(shape.in);
  for (const WindowAxis& axis : axes) most /= static_cast<size_t>(axis.reach());
  return std::max<size_t>(1, std::min(images, most));
}

// The filters over the patches of some images, [filter][image][window], then turned.
void convolve_together(const Problem& problem, size_t first, size_t images, Tensor* y) {
  const auto filters = static_cast<size_t>(problem.shape.out), channels = static_cast<size_t>(problem.shape.in);
  const size_t length = channels * problem.taps, windows = problem.windows;
  const StridedVectors rows(problem.w, filters, length, 0, static_cast<int64_t>(length), 1);
  Tensor products = Tensor::unfilled(y->dtype(), {static_cast<int64_t>(filters), static_cast<int64_t>(images * windows)});
  multiply(rows, PatchVectors(problem.x, first * channels * problem.cells, channels, *problem.layout, 0.0, images),
           {&products, 0, static_cast<int64_t>(images * windows), 1, target_of(y->dtype()),
            problem.bias.empty() ? nullptr : problem.bias.data()});
  const size_t run = windows * static_cast<size_t>(dtype_bits(y->dtype())) / 8;
  std::byte* to = y->mutable_bytes().data() + first * filters * run;
  for (size_t image = 0; image < images; ++image) {
    const std::byte* from = products.bytes().data() + image * run;
    for (size_t filter = 0; filter < filters; ++filter, from += images * run, to += run) std::memcpy(to, from, run);
  }
}

bool is_pointwise(const std::vector<WindowAxis>& axes) {
  return std::all_of(axes.begin(), axes.end(), [](const WindowAxis& axis) {
    return axis.kernel == 1 && axis.stride == 1 && axis.pad_begin == 0 && axis.output == axis.input;
  });
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
  const auto elements = [](const std::vector<int64_t>& dims) { return static_cast<size_t>(Shape(dims).elements()); };
  Problem problem{x, w, shape, elements(shape.spatial), static_cast<size_t>(window_counts(axes).elements()), elements(shape.kernel),
                  decoded(call.optional_tensor("B")), std::nullopt};
  const size_t together = images_together(shape, problem.windows, axes);
  if (together > 1 || !is_pointwise(axes)) problem.layout.emplace(window_offsets(axes));
  // Many small products share the threads, each some that lie together; one large product cuts itself.
  const auto parts = static_cast<size_t>(shape.batch * shape.groups);
  // What the threads share is made before they start.
  y.mutable_bytes();
  if (ToleranceScope::current() != nullptr) y.mutable_bounds();
  for (size_t image = 0; together > 1 && image < parts; image += together) {
    convolve_together(problem, image, std::min(together, parts - image), &y);
  }
  if (together > 1) return y;
  const size_t grain = shape.groups == 1 ? parts : std::max<size_t>(1, parts / (8 * static_cast<size_t>(thread_count())));
  parallel_for(parts, grain, [&](size_t begin, size_t end) { convolve(problem, begin, end, &y); });
  return y;
}

}  // namespace

extern const Operator kConv;
const Operator kConv{"ai.onnx", "Conv", {{.since = 1, .also = {11, 22}, .run = conv_1}}};

}  // namespace onnxv
