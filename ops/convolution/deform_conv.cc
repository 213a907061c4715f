// DeformConv: a convolution whose taps are moved by offsets and weighted by a mask.
//   Y[n, m, o] = B[m] + sum over c, k of W[m, c, k] · mask[n, g, k, o] · sample(X[n, c], o · stride - pad + k · dilation + offset[n, g, k, o])
//   sample: multilinear between the 2^r neighbours; those outside the input are 0, also where the padding is
//   since 19   (22: bfloat16.)
//
// Spec: an absent B is a tensor of zeros: where all samples lie outside, Y is +0 whatever the signs of the weights.
// Choice: a neighbour of weight 0 is a term like the others: an infinity there makes NaN.
// Choice: an infinite offset leads nowhere (0); a NaN offset gives NaN.
// Erratum: the text's shape of mask for more than two axes has a factor n too many.
#include "src/number/formula.h"

namespace onnxv {
namespace {

// options: spatial axes. x: 2^axes neighbours per tap, neighbour j above along the axes of its set bits. w: the taps of
// each filter and its bias.
constexpr auto deformed = []<class Real>(Options options, In<Real> x, In<Real> offset, In<Real> mask, In<Real> w, Out<Real> y) {
  const size_t axes = static_cast<size_t>(options[0]), corners = size_t{1} << axes, taps = mask.size();
  std::vector<Real> terms(taps + 1), share(corners);
  for (size_t t = 0; t < taps; ++t) {
    share[0] = Real(1.0);
    for (size_t axis = 0, known = 1; axis < axes; ++axis, known *= 2) {
      const Real moved = offset[t * axes + axis];
      const Real above = moved - floor(moved), below = Real(1.0) - above;
      for (size_t j = 0; j < known; ++j) {
        share[known + j] = share[j] * above;
        share[j] = share[j] * below;
      }
    }
    terms[t] = mask[t] * dot(In<Real>{share.data(), corners}, x.part(t * corners, corners));
  }
  terms[taps] = Real(1.0);
  for (size_t m = 0; m < y.size(); ++m) y[m] = dot(In<Real>{terms.data(), taps + 1}, w.part(m * (taps + 1), taps + 1));
};

}  // namespace
LINE_FORMULA(kDeformConvFormula, deformed, 4, 1)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include <algorithm>

#include "ops/convolution/weights.h"
#include "ops/operator.h"
#include "src/base/checked.h"
#include "src/kernel/computed_offset.h"
#include "src/tensor/index.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

// How far an offset moves a tap: whole cells, and the offset itself for the share of the neighbours.
struct Moves {
  std::vector<int64_t> cells;
  std::vector<double> offsets;
};
// Beyond every position that a tensor has.
constexpr int64_t kNowhere = int64_t{1} << 62;

Moves moves_of(const Tensor& offset) {
  Moves moves;
  moves.offsets.resize(offset.size() + 1);
  decode_elements(offset, 0, offset.size(), moves.offsets.data());
  moves.cells.resize(offset.size() + 1);
  for (size_t i = 0; i < offset.size(); ++i) {
    const double x = moves.offsets[i];
    if (x != x) continue;
    if (!(x > -0x1p61 && x < 0x1p61)) {
      moves.cells[i] = kNowhere;
      moves.offsets[i] = 0;
      continue;
    }
    const auto truncated = static_cast<int64_t>(x);
    moves.cells[i] = static_cast<double>(truncated) > x ? truncated - 1 : truncated;
  }
  return moves;
}

struct Deformation {
  ConvolutionShape shape;
  std::vector<WindowAxis> axes;
  int64_t offset_groups = 1;
  size_t taps = 1, outputs = 1, cells = 1;  // of one filter's channel, of one filter, of one channel of X
  Tensor x;                                 // all of X, as doubles
  Moves moves;
  std::vector<double> mask;  // empty: all ones

  size_t rank() const { return axes.size(); }
  // Index of the offset group's tap within one image, for a channel of X.
  size_t tap_of(int64_t channel, size_t tap) const {
    const int64_t group = channel / (shape.channels() / offset_groups);
    return static_cast<size_t>(group) * taps + tap;
  }
};

void check_shape(std::string_view port, const Tensor& tensor, const Deformation& job, int64_t second) {
  Shape wanted{job.shape.batch, second};
  for (const WindowAxis& axis : job.axes) wanted.push_back(axis.output);
  if (tensor.shape() == wanted) return;
  fail_schema("shape-mismatch", std::string(port) + " is " + tensor.shape().text(), "must be " + wanted.text());
}

Deformation deformation_of(const OpCall& call) {
  Deformation job;
  job.shape = convolution_shape(call, WeightLayout::kFilterFirst);
  job.axes = placed_windows(job.shape.spatial, window_attributes(call, job.shape));
  if (job.rank() > 16) fail_limit("rank", std::to_string(job.rank()) + " spatial axes", "at most 16");
  job.offset_groups = call.integer_or("offset_group", 1);
  if (job.offset_groups < 1 || job.shape.channels() % job.offset_groups != 0) {
    fail_schema("group", "offset_group is " + std::to_string(job.offset_groups),
                "must divide the " + std::to_string(job.shape.channels()) + " channels");
  }
  const int64_t taps = Shape(job.shape.kernel).elements();
  job.taps = static_cast<size_t>(taps);
  job.outputs = static_cast<size_t>(window_counts(job.axes).elements());
  job.cells = static_cast<size_t>(Shape(job.shape.spatial).elements());
  const int64_t masks = checked_multiply(job.offset_groups, taps);
  check_shape("offset", call.tensor("offset"), job, checked_multiply(masks, static_cast<int64_t>(job.rank())));
  if (const Tensor* mask = call.optional_tensor("mask")) {
    check_shape("mask", *mask, job, masks);
    job.mask.resize(mask->size() + 1);
    decode_elements(*mask, 0, mask->size(), job.mask.data());
  }
  job.x = exact_doubles(call.tensor("X"), 0, call.tensor("X").size());
  job.moves = moves_of(call.tensor("offset"));
  return job;
}

// One line of the formula: an output position of one image.
struct Place {
  size_t image, output;
  std::vector<int64_t> starts;  // first tap, per axis
};

Place place_of(const Deformation& job, size_t line) {
  Place place{line / job.outputs, line % job.outputs, {}};
  place.starts.resize(job.rank());
  size_t rest = place.output;
  for (size_t axis = job.rank(); axis-- > 0;) {
    const auto count = static_cast<size_t>(job.axes[axis].output);
    place.starts[axis] = job.axes[axis].position(static_cast<int64_t>(rest % count), 0);
    rest /= count;
  }
  return place;
}

// The neighbours of one tap: the lower cell of each axis, then every corner. Cells outside of X are 0.
void read_corners(const Deformation& job, const double* channel, const std::vector<int64_t>& lower, double* out) {
  for (size_t corner = 0; corner < size_t{1} << job.rank(); ++corner) {
    int64_t at = 0;
    bool inside = true;
    for (size_t axis = 0; axis < job.rank(); ++axis) {
      const int64_t position = lower[axis] + static_cast<int64_t>(corner >> axis & 1);
      inside = inside && position >= 0 && position < job.axes[axis].input;
      at = at * job.axes[axis].input + (inside ? position : 0);
    }
    out[corner] = inside ? channel[at] : 0.0;
  }
}

// Calls use(channel of X, tap, index of the tap's first offset, distance of its axes) for the taps of a line, in order.
template <class Use>
void each_tap(const Deformation& job, size_t group, const Place& place, const Use& use) {
  const size_t per_image = static_cast<size_t>(job.offset_groups) * job.taps;
  for (int64_t c = 0; c < job.shape.in; ++c) {
    const int64_t channel = static_cast<int64_t>(group) * job.shape.in + c;
    for (size_t tap = 0; tap < job.taps; ++tap) {
      use(channel, tap, (place.image * per_image + job.tap_of(channel, tap)));
    }
  }
}

// How far a tap stands behind the first one, along each axis.
void read_distances(const Deformation& job, size_t tap, std::vector<int64_t>* distances) {
  for (size_t axis = job.rank(); axis-- > 0;) {
    const auto kernel = static_cast<size_t>(job.axes[axis].kernel);
    (*distances)[axis] = static_cast<int64_t>(tap % kernel) * job.axes[axis].dilation;
    tap /= kernel;
  }
}

void read_neighbours(const Deformation& job, size_t group, size_t line, double* out) {
  const Place place = place_of(job, line);
  const size_t rank = job.rank();
  std::vector<int64_t> lower(rank);
  each_tap(job, group, place, [&](int64_t channel, size_t tap, size_t at) {
    read_distances(job, tap, &lower);
    for (size_t axis = 0; axis < rank; ++axis) {
      lower[axis] += place.starts[axis] + job.moves.cells[(at * rank + axis) * job.outputs + place.output];
    }
    const size_t first = place.image * static_cast<size_t>(job.shape.channels()) + static_cast<size_t>(channel);
    read_corners(job, job.x.as<double>().data() + first * job.cells, lower, out);
    out += size_t{1} << rank;
  });
}

// The offsets of a line's taps.
class Offsets : public LineSource {
 public:
  Offsets(const Deformation& job, size_t group) : job_(job), group_(group) {}
  size_t count() const override { return static_cast<size_t>(job_.shape.in) * job_.taps * job_.rank(); }
  void read(size_t first, size_t lines, double* out) const override {
    for (size_t line = first; line < first + lines; ++line) {
      each_offset(line, [&](const Place&, size_t, size_t, size_t index) { *out++ = job_.moves.offsets[index]; });
    }
  }
  void read_models(size_t line, ModelReal* out) const override {
    std::vector<int64_t> distances(job_.rank());
    each_offset(line, [&](const Place& place, size_t tap, size_t axis, size_t index) {
      read_distances(job_, tap, &distances);
      const double offset = job_.moves.offsets[index];
      const int64_t cell = job_.moves.cells[index];
      const bool nowhere = offset != offset || cell == kNowhere;
      *out++ = nowhere ? ModelReal(offset) : computed_offset(offset, cell, place.starts[axis], distances[axis]);
    });
  }

 private:
  // Calls use(place, tap, axis, index of the offset).
  template <class Use>
  void each_offset(size_t line, const Use& use) const {
    const Place place = place_of(job_, line);
    each_tap(job_, group_, place, [&](int64_t, size_t tap, size_t at) {
      for (size_t axis = 0; axis < job_.rank(); ++axis) {
        use(place, tap, axis, (at * job_.rank() + axis) * job_.outputs + place.output);
      }
    });
  }
  const Deformation& job_;
  size_t group_;
};

void read_mask(const Deformation& job, size_t group, size_t line, double* out) {
  const Place place = place_of(job, line);
  each_tap(job, group, place, [&](int64_t, size_t, size_t at) { *out++ = job.mask[at * job.outputs + place.output]; });
}

// The filters of one group, each with its bias (an absent B is zeros, says the text) as its last element.
std::vector<double> group_weights(const OpCall& call, const Deformation& job, size_t group) {
  const auto filters = static_cast<size_t>(job.shape.out);
  const size_t length = static_cast<size_t>(job.shape.in) * job.taps;
  const Tensor* bias = call.optional_tensor("B");
  std::vector<double> weights(filters * (length + 1));
  for (size_t m = 0; m < filters; ++m) {
    double* row = weights.data() + m * (length + 1);
    decode_elements(call.tensor("W"), (group * filters + m) * length, length, row);
    if (bias != nullptr) decode_elements(*bias, group * filters + m, 1, row + length);
  }
  return weights;
}

Tensor deform_conv_19(const OpCall& call) {
  const Deformation job = deformation_of(call);
  Tensor y(call.tensor("X").dtype(), job.shape.output(window_counts(job.axes)));
  if (y.size() == 0) return y;
  const auto batch = static_cast<size_t>(job.shape.batch), groups = static_cast<size_t>(job.shape.groups);
  const auto filters = static_cast<size_t>(job.shape.out);
  const size_t terms = static_cast<size_t>(job.shape.in) * job.taps;
  for (size_t group = 0; group < groups; ++group) {
    Tensor part(y.dtype(), Shape{job.shape.batch, job.shape.out, static_cast<int64_t>(job.outputs)});
    LineJob lines(kDeformConvFormula, batch * job.outputs);
    lines.computed(terms << job.rank(), [&](size_t line, double* out) { read_neighbours(job, group, line, out); });
    lines.source(std::make_unique<Offsets>(job, group));
    if (job.mask.empty()) {
      lines.constants(std::vector<double>(terms, 1.0));
    } else {
      lines.computed(terms, [&](size_t line, double* out) { read_mask(job, group, line, out); });
    }
    lines.constants(group_weights(call, job, group)).option(static_cast<int64_t>(job.rank()));
    lines.lines_to(&part, {batch, filters, job.outputs}).run();
    const size_t block = filters * job.outputs;
    for (size_t n = 0; n < batch; ++n) copy_elements(part, n * block, block, y, (n * groups + group) * block);
  }
  return y;
}

}  // namespace

extern const Operator kDeformConv;
const Operator kDeformConv{"ai.onnx", "DeformConv", {{.since = 19, .also = {22}, .run = deform_conv_19}}};

}  // namespace onnxv
#endif
