// ConvTranspose: Y[n, m, p] = B[m] + sum over c and k of X[n, c, i] · W[c, m, k] with i · stride + k · dilation - pad = p.
//   since 1    output_shape without SAME halves the padding with its floor at the beginning.
//   since 11   with its floor at the end, except for SAME_UPPER. output_padding is below stride or dilation. (22: bfloat16.)
//
// Gathered, not scattered: the output positions of one axis whose taps are the same form a class, and each combination
// of classes is a product of its own. So a cell that a tap does not reach is no term at all, not even 0 · inf.
//
// Erratum: version 1 words the two halves for auto_pad the other way round than its attribute auto_pad; SAME is as in 11.
#include <algorithm>
#include <cstring>
#include <map>

#include "ops/convolution/weights.h"
#include "ops/operator.h"
#include "src/base/checked.h"
#include "src/kernel/patches.h"
#include "src/kernel/product.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

// ---- geometry ----

struct GivenSize {
  std::vector<int64_t> output_shape, output_padding;  // per axis; output_shape empty: not given
};

GivenSize given_size(const OpCall& call, size_t rank) {
  GivenSize given{call.integers("output_shape"), call.integers("output_padding")};
  // Choice: batch and channels in front are tolerated, as old exporters wrote them.
  if (given.output_shape.size() == rank + 2) given.output_shape.erase(given.output_shape.begin(), given.output_shape.begin() + 2);
  if (given.output_padding.empty()) given.output_padding.assign(rank, 0);
  for (const auto* list : {&given.output_shape, &given.output_padding}) {
    if (list->empty() || list->size() == rank) continue;
    fail_schema("attribute-length",
                std::string(list == &given.output_shape ? "output_shape" : "output_padding") + " has " +
                    std::to_string(list->size()) + " entries",
                "must have " + std::to_string(rank));
  }
  return given;
}

void check_output_padding(const WindowAxis& axis, int64_t padding, int since_version) {
  const bool too_much = since_version >= 11 && padding >= std::max(axis.stride, axis.dilation);
  if (padding >= 0 && !too_much) return;
  fail_schema("attribute-range", "output_padding has " + std::to_string(padding),
              "must be 0 or more, and less than the stride or the dilation");
}

// Where the total padding goes. A negative total is halved with its floor too: the output then ends behind the last tap.
void split_padding(WindowAxis& axis, int64_t total, AutoPad auto_pad, int since_version) {
  const int64_t half = floor_divide(total, 2);
  const bool floor_first =
      auto_pad == AutoPad::kSameUpper || (since_version < 11 && auto_pad != AutoPad::kSameLower);
  axis.pad_begin = floor_first ? half : total - half;
  axis.pad_end = total - axis.pad_begin;
}

std::vector<WindowAxis> transposed_axes(const OpCall& call, const ConvolutionShape& shape) {
  const GivenSize given = given_size(call, shape.spatial.size());
  WindowAttributes attributes = window_attributes(call, shape);
  if (!given.output_shape.empty()) attributes.pads.clear();
  const AutoPad auto_pad = auto_pad_of(attributes.auto_pad);
  const bool same = auto_pad == AutoPad::kSameUpper || auto_pad == AutoPad::kSameLower;
  std::vector<WindowAxis> axes = window_axes(shape.spatial, attributes);
  for (size_t i = 0; i < axes.size(); ++i) {
    WindowAxis& axis = axes[i];
    check_output_padding(axis, given.output_padding[i], call.since_version());
    const int64_t full = checked_add(checked_add(checked_multiply(axis.stride, axis.input - 1), given.output_padding[i]),
                                     axis.extent());
    if (!given.output_shape.empty() || same) {
      axis.output = given.output_shape.empty() ? checked_multiply(axis.input, axis.stride) : given.output_shape[i];
      if (axis.output >= 1) split_padding(axis, checked_subtract(full, axis.output), auto_pad, call.since_version());
    } else {
      axis.output = full - axis.pad_begin - axis.pad_end;
    }
    if (axis.output < 1) {
      fail_schema("empty-window", "the output would have " + std::to_string(axis.output) + " cells along axis " +
                  std::to_string(i + 2), "must have one or more");
    }
  }
  return axes;
}

// ---- classes of output positions ----

// Output positions of one axis that the same taps reach. With position + pad = stride · quotient + remainder and
// tap · dilation = stride · step + the same remainder, the input cell is quotient - step.
struct TapClass {
  std::vector<int64_t> positions, quotients;
  std::vector<int64_t> taps, steps;
};

std::vector<TapClass> tap_classes(const WindowAxis& axis) {
  std::map<int64_t, std::vector<int64_t>> taps_of_remainder;
  for (int64_t k = 0; k < axis.kernel; ++k) taps_of_remainder[k * axis.dilation % axis.stride].push_back(k);
  std::map<std::vector<int64_t>, size_t> known;
  std::vector<TapClass> classes;
  for (int64_t p = 0; p < axis.output; ++p) {
    const int64_t quotient = floor_divide(p + axis.pad_begin, axis.stride);
    std::vector<int64_t> taps, steps;
    const auto candidates = taps_of_remainder.find(p + axis.pad_begin - quotient * axis.stride);
    if (candidates != taps_of_remainder.end()) {
      for (const int64_t k : candidates->second) {
        const int64_t step = k * axis.dilation / axis.stride;
        if (quotient - step < 0 || quotient - step >= axis.input) continue;
        taps.push_back(k);
        steps.push_back(step);
      }
    }
    const auto [at, is_new] = known.try_emplace(taps, classes.size());
    if (is_new) classes.push_back({{}, {}, taps, steps});
    classes[at->second].positions.push_back(p);
    classes[at->second].quotients.push_back(quotient);
  }
  return classes;
}

std::vector<int64_t> times(std::vector<int64_t> values, int64_t factor) {
  for (int64_t& value : values) value *= factor;
  return values;
}

// One combination of classes, as offsets: input cell = quotients[v] + steps[e], weight tap = taps[e], output = positions[v].
struct Combination {
  std::vector<int64_t> positions, quotients, taps, steps;
};

Combination combined(const std::vector<std::vector<TapClass>>& classes, const std::vector<int64_t>& chosen,
                     const ConvolutionShape& shape, const std::vector<WindowAxis>& axes) {
  const std::vector<int64_t> in = strides_of(Shape(shape.spatial)), kernel = strides_of(Shape(shape.kernel)),
                             out = strides_of(window_counts(axes));
  std::vector<std::vector<int64_t>> positions, quotients, taps, steps;
  for (size_t i = 0; i < axes.size(); ++i) {
    const TapClass& part = classes[i][static_cast<size_t>(chosen[i])];
    positions.push_back(times(part.positions, out[i]));
    quotients.push_back(times(part.quotients, in[i]));
    taps.push_back(times(part.taps, kernel[i]));
    steps.push_back(times(part.steps, -in[i]));
  }
  return {sums_of(positions), sums_of(quotients), sums_of(taps), sums_of(steps)};
}

std::vector<Combination> all_combinations(const ConvolutionShape& shape, const std::vector<WindowAxis>& axes) {
  std::vector<std::vector<TapClass>> classes;
  Shape counts;
  for (const WindowAxis& axis : axes) {
    classes.push_back(tap_classes(axis));
    counts.push_back(static_cast<int64_t>(classes.back().size()));
  }
  std::vector<Combination> combinations;
  for (Odometer at(counts); at.more(); at.next()) combinations.push_back(combined(classes, at.index(), shape, axes));
  return combinations;
}

// ---- the products ----

struct Problem {
  const ConvolutionShape& shape;
  const Tensor* bias;
  Tensor* y;
  size_t cells, taps, outputs;  // of one channel, of one filter's channel, of one filter
};

// The filters and the cells of one image's group, decoded.
struct Operands {
  Tensor x, w;
  size_t image, group;
};

std::vector<int64_t> per_channel(int64_t channels, int64_t stride, const std::vector<int64_t>& offsets) {
  std::vector<int64_t> starts;
  for (int64_t c = 0; c < channels; ++c) starts.push_back(c * stride);
  return sums_of({starts, offsets});
}

// Codes of `part`, [filters, positions], to their places in y.
void scatter(const Tensor& part, const std::vector<int64_t>& positions, size_t first, size_t outputs, Tensor* y) {
  const size_t width = static_cast<size_t>(dtype_bits(y->dtype())) / 8;
  std::byte* to = y->mutable_bytes().data();
  const std::byte* from = part.bytes().data();
  for (size_t m = 0; m < static_cast<size_t>(part.shape()[0]); ++m) {
    for (const int64_t position : positions) {
      std::memcpy(to + ((first + m) * outputs + static_cast<size_t>(position)) * width, from, width);
      from += width;
    }
  }
  if (part.bounds() == nullptr) return;
  auto bound = part.bounds()->begin();
  for (size_t m = 0; m < static_cast<size_t>(part.shape()[0]); ++m) {
    for (const int64_t position : positions) y->mutable_bounds()[(first + m) * outputs + static_cast<size_t>(position)] = *bound++;
  }
}

void convolve(const Problem& problem, const Operands& operands, const Combination& at) {
  const ConvolutionShape& shape = problem.shape;
  const auto filters = static_cast<size_t>(shape.out);
  const auto taps = static_cast<int64_t>(problem.taps);
  const std::vector<int64_t> rows = per_channel(shape.out, taps, {0});
  const std::vector<int64_t> weights = per_channel(shape.in, shape.out * taps, at.taps);
  const std::vector<int64_t> cells = per_channel(shape.in, static_cast<int64_t>(problem.cells), at.steps);
  const bool narrow = is_narrow(problem.y->dtype());
  const OffsetVectors a(operands.w.as<double>().data(), rows, weights, narrow);
  const OffsetVectors b(operands.x.as<double>().data(), at.quotients, cells, narrow);
  const auto columns = static_cast<int64_t>(at.positions.size());
  Tensor part(problem.y->dtype(), Shape{shape.out, columns});
  std::vector<double> bias(problem.bias == nullptr ? 0 : filters);
  if (problem.bias != nullptr) decode_elements(*problem.bias, operands.group * filters, filters, bias.data());
  multiply(a, b, {&part, 0, columns, 1, target_of(part.dtype()), bias.empty() ? nullptr : bias.data()});
  const size_t groups = static_cast<size_t>(shape.groups);
  scatter(part, at.positions, (operands.image * groups + operands.group) * filters, problem.outputs, problem.y);
}

Tensor conv_transpose_1(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  const ConvolutionShape shape = convolution_shape(call, WeightLayout::kChannelFirst);
  const std::vector<WindowAxis> axes = transposed_axes(call, shape);
  const Shape counts = window_counts(axes);
  Tensor y(x.dtype(), shape.output(counts));
  if (y.size() == 0) return y;
  const auto elements = [](const std::vector<int64_t>& dims) { return static_cast<size_t>(Shape(dims).elements()); };
  const Problem problem{shape, call.optional_tensor("B"), &y, elements(shape.spatial), elements(shape.kernel),
                        static_cast<size_t>(counts.elements())};
  const std::vector<Combination> combinations = all_combinations(shape, axes);
  const auto in = static_cast<size_t>(shape.in), out = static_cast<size_t>(shape.out);
  for (size_t image = 0; image < static_cast<size_t>(shape.batch); ++image) {
    for (size_t group = 0; group < static_cast<size_t>(shape.groups); ++group) {
      const size_t first = image * static_cast<size_t>(shape.channels()) + group * in;
      const size_t weights = in * out * problem.taps;
      const Operands operands{exact_doubles(x, first * problem.cells, in * problem.cells),
                              exact_doubles(call.tensor("W"), group * weights, weights), image, group};
      for (const Combination& combination : combinations) convolve(problem, operands, combination);
    }
  }
  return y;
}

}  // namespace

extern const Operator kConvTranspose;
const Operator kConvTranspose{"ai.onnx", "ConvTranspose", {
    {.since = 1, .run = conv_transpose_1},
    {.since = 11, .also = {22}, .run = conv_transpose_1},
}};

}  // namespace onnxv
