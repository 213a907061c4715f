// RoiAlign: regions of interest, each cut into bins, each bin the mean or the greatest of bilinear
// samples.
//   since 10  coordinates are not shifted, and a region is at least one pixel wide
//   since 16  coordinate_transformation_mode (22: more types)
#include "src/number/formula.h"

namespace onnxv {
namespace {

// The greatest of data * rows * columns / denominator over all corners of all samples.
// Choice: a corner whose weight is exactly 0 is a corner: times a negative pixel it is -0, times an infinity NaN.
constexpr auto greatest_corner = []<class Real>(In<Real> data, In<Real> rows, In<Real> columns,
                                                In<Real> denominator, Out<Real> y) {
  Real greatest = data[0] * rows[0] * columns[0];
  for (size_t i = 1; i < data.size(); ++i) {
    greatest = max(greatest, data[i] * rows[i / columns.size()] * columns[i % columns.size()]);
  }
  y[0] = greatest / denominator[0];
};

}  // namespace
LINE_FORMULA(kGreatestCornerFormula, greatest_corner, 4, 1)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include <algorithm>

#include "ops/operator.h"
#include "ops/vision/resampling.h"
#include "src/kernel/remaining_bounds.h"
#include "src/number/exact_operands.h"
#include "src/tensor/index.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

const Rational kHalf(BigInt(1), BigInt(2));

struct Pooling {
  bool greatest;    // mode max
  bool half_pixel;  // shifted by half a pixel, and no least size
  int64_t height, width, sampling_ratio;
  Rational scale;
};

Pooling pooling_of(const OpCall& call) {
  const std::string mode = call.text("mode"),
                    transform = call.text_or("coordinate_transformation_mode", "output_half_pixel");
  if (mode != "avg" && mode != "max")
    fail_schema("attribute-value", "mode is \"" + mode + "\"", "must be avg or max");
  if (transform != "half_pixel" && transform != "output_half_pixel") {
    fail_schema("attribute-value", "coordinate_transformation_mode is \"" + transform + "\"",
                "must be half_pixel or output_half_pixel");
  }
  const Pooling p{mode == "max",
                  transform == "half_pixel",
                  call.integer("output_height"),
                  call.integer("output_width"),
                  call.integer("sampling_ratio"),
                  is_finite(call.real("spatial_scale"))
                      ? Rational::from_double(call.real("spatial_scale"))
                      : Rational(0)};
  if (!is_finite(call.real("spatial_scale")))
    fail_schema("attribute-value", "spatial_scale is not finite", "must be");
  if (p.height < 1 || p.width < 1 || p.sampling_ratio < 0) {
    fail_schema("attribute-value", "output_height, output_width or sampling_ratio is too small",
                "must be at least 1, 1 and 0");
  }
  return p;
}

// One sample on one axis: up to two pixels with their weights; none outside.
struct Corners {
  int64_t low = -1, high = -1;
  Rational low_weight{0}, high_weight{0};
};

Corners corners_of(Rational x, int64_t dim) {
  Corners corners;
  if (x < Rational(-1) || x > Rational(dim)) return corners;
  if (x.sign() < 0) x = Rational(0);
  corners.low = std::min(x.floor_int64(), dim - 1);
  corners.high = std::min(corners.low + 1, dim - 1);
  corners.high_weight = corners.low == dim - 1 ? Rational(0) : x - Rational(corners.low);
  corners.low_weight = Rational(1) - corners.high_weight;
  return corners;
}

// The samples of every bin along one axis: [bins][samples].
std::vector<std::vector<Corners>> samples_along(double from, double to, int64_t dim, int64_t bins,
                                                const Pooling& p) {
  const Rational shift = p.half_pixel ? kHalf : Rational(0);
  const Rational start = Rational::from_double(from) * p.scale - shift,
                 end = Rational::from_double(to) * p.scale - shift;
  Rational size = end - start;
  if (!p.half_pixel && size < Rational(1)) size = Rational(1);
  const Rational bin = size / Rational(bins);
  const int64_t samples =
      p.sampling_ratio > 0 ? p.sampling_ratio : std::max<int64_t>(bin.ceil_int64(), 0);
  if (samples > (1 << 16))
    fail_limit("roi-samples", "a bin has " + std::to_string(samples) + " samples along one axis",
               "must have at most 65536");
  std::vector<std::vector<Corners>> all(static_cast<size_t>(bins));
  for (int64_t b = 0; b < bins; ++b) {
    for (int64_t i = 0; i < samples; ++i) {
      const Rational place = (Rational(i) + kHalf) / Rational(samples);
      all[static_cast<size_t>(b)].push_back(corners_of(start + (Rational(b) + place) * bin, dim));
    }
  }
  return all;
}

// The mean along one axis as one weighted sum.
AxisSampling mean_of(const std::vector<std::vector<Corners>>& bins) {
  AxisSampling sampling;
  for (const std::vector<Corners>& bin : bins) {
    std::vector<int64_t> indices;
    std::vector<Rational> weights;
    const Rational count(std::max<int64_t>(static_cast<int64_t>(bin.size()), 1));
    for (const Corners& corners : bin) {
      if (corners.low < 0) continue;
      indices.insert(indices.end(), {corners.low, corners.high});
      weights.insert(weights.end(), {corners.low_weight / count, corners.high_weight / count});
    }
    AxisSample sample = joined_sample(indices, weights, Weightless::kTaken);
    sample.outside = indices.empty();  // no sample at all: the bin is 0
    sampling.positions.push_back(std::move(sample));
  }
  return sampling;
}

// Where a sample lies outside its 0 is a term of the sum: beside it no mean is -0.
void add_zeros(const std::vector<std::vector<Corners>>& rows,
               const std::vector<std::vector<Corners>>& columns, Tensor* mean) {
  const auto leaves = [](const std::vector<Corners>& bin) {
    return std::any_of(bin.begin(), bin.end(), [](const Corners& corners) { return corners.low < 0; });
  };
  const uint64_t minus = settle_exact(target_of(mean->dtype()), -0.0);
  for (size_t i = 0; i < mean->size(); ++i) {
    const size_t row = i / columns.size() % rows.size(), column = i % columns.size();
    if (mean->code(i) == minus && (leaves(rows[row]) || leaves(columns[column]))) mean->set_code(i, 0);
  }
}

// The corners of one bin along one axis, one after the other, over one denominator. Index -1:
// outside.
struct Line {
  std::vector<int64_t> indices;
  std::vector<BigInt> numerators;
  BigInt denominator{1};
};

Line line_of(const std::vector<Corners>& bin) {
  Line line;
  std::vector<Rational> weights;
  for (const Corners& corners : bin) {
    line.indices.insert(line.indices.end(), {corners.low, corners.high});
    weights.insert(weights.end(), {corners.low_weight, corners.high_weight});
  }
  for (size_t i = 0; i < weights.size(); ++i) {
    const BigInt d = weights[i].denominator();
    line.denominator *= Rational(d, line.denominator).numerator();  // the least common multiple
  }
  const Rational denominator(line.denominator, BigInt(1));
  for (const Rational& weight : weights)
    line.numerators.push_back((weight * denominator).numerator());
  return line;
}

// Erratum: the text speaks of the maximum of the bilinear samples; the official data holds the
// maximum of the corners, each times its own weight.
Tensor greatest_corners(const Tensor& image, const std::vector<std::vector<Corners>>& rows,
                        const std::vector<std::vector<Corners>>& columns) {
  const Shape& in = image.shape();
  const int64_t height = static_cast<int64_t>(rows.size()),
                width = static_cast<int64_t>(columns.size());
  Tensor y(image.dtype(), {in[0], height, width});
  if (y.size() == 0 || rows[0].empty() || columns[0].empty()) return y;
  std::vector<Line> row_lines, column_lines;
  for (const auto& bin : rows) row_lines.push_back(line_of(bin));
  for (const auto& bin : columns) column_lines.push_back(line_of(bin));
  const size_t tall = row_lines[0].indices.size(), wide = column_lines[0].indices.size();
  if (tall * wide > (size_t{1} << 24)) {
    fail_limit("roi-samples", "a bin has " + std::to_string(tall * wide) + " corners", "must have at most 2^24");
  }
  const auto row_of = [&](size_t line) -> const Line& {
    return row_lines[line / columns.size() % rows.size()];
  };
  const auto column_of = [&](size_t line) -> const Line& {
    return column_lines[line % columns.size()];
  };
  LineJob job(kGreatestCornerFormula, y.size());
  job.gathered(image, tall * wide, [&](size_t line, int64_t* at) {
    const int64_t channel = static_cast<int64_t>(line) / (height * width);
    for (size_t i = 0; i < tall * wide; ++i) {
      const int64_t row = row_of(line).indices[i / wide],
                    column = column_of(line).indices[i % wide];
      at[i] = row < 0 || column < 0 ? -1 : (channel * in[1] + row) * in[2] + column;
    }
  });
  job.source(big_integer_source(tall, [&](size_t line, BigInt* out) {
    std::copy(row_of(line).numerators.begin(), row_of(line).numerators.end(), out);
  }));
  job.source(big_integer_source(wide, [&](size_t line, BigInt* out) {
    std::copy(column_of(line).numerators.begin(), column_of(line).numerators.end(), out);
  }));
  job.source(big_integer_source(1, [&](size_t line, BigInt* out) {
    *out = row_of(line).denominator * column_of(line).denominator;
  }));
  job.lines_to(&y, LineLayout::elements(y.size())).run();
  return y;
}

void check_shapes(const Shape& x, const Shape& rois, const Shape& indices) {
  if (x.rank() != 4) fail_schema("rank", "X is " + x.text(), "must have rank 4");
  if (rois.rank() != 2 || rois[1] != 4)
    fail_schema("shape-mismatch", "rois is " + rois.text(), "must be [regions, 4]");
  if (!(indices == Shape{rois[0]}))
    fail_schema("shape-mismatch", "batch_indices is " + indices.text(),
                "must be [" + std::to_string(rois[0]) + "]");
}

Tensor roi_align_10(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  const Tensor& rois = call.tensor("rois");
  const Shape& in = x.shape();
  const Pooling p = pooling_of(call);
  check_shapes(in, rois.shape(), call.tensor("batch_indices").shape());
  const std::vector<int64_t> images = int64_values(call.tensor("batch_indices"));
  const std::vector<double> corners = double_values(rois);
  Tensor y(x.dtype(), {rois.shape()[0], in[1], p.height, p.width});
  if (images.empty()) return y;
  const size_t size = static_cast<size_t>(in[1] * p.height * p.width);
  for (size_t r = 0; r < images.size(); ++r) {
    if (images[r] < 0 || images[r] >= in[0]) {
      fail_undefined("index-range", "batch_indices has " + std::to_string(images[r]),
                     "must be in [0, " + std::to_string(in[0] - 1) + "]");
    }
    const double* roi = corners.data() + 4 * r;
    if (!std::all_of(roi, roi + 4, is_finite))
      fail_undefined("roi", "a region is not finite", "must be");
    if (size == 0) continue;
    if (in[2] == 0 || in[3] == 0)
      fail_schema("shape-mismatch", "X is " + in.text(), "needs a pixel");
    const std::vector<int64_t> strides = strides_of(in);
    const Tensor image = strided_copy(x, {in[1], in[2], in[3]}, images[r] * strides[0],
                                      std::span(strides).subspan(1));
    const auto rows = samples_along(roi[1], roi[3], in[2], p.height, p),
               columns = samples_along(roi[0], roi[2], in[3], p.width, p);
    Tensor pooled =
        p.greatest ? greatest_corners(image, rows, columns)
                   : resample(image, {identity_sampling(in[1]), mean_of(rows), mean_of(columns)},
                              target_of(x.dtype()), 0.0);
    if (p.greatest) bound_positions(&pooled, image);
    if (!p.greatest) add_zeros(rows, columns, &pooled);
    copy_elements(pooled, 0, size, y, r * size);
  }
  return y;
}

}  // namespace

extern const Operator kRoiAlign;
const Operator kRoiAlign{
    "ai.onnx",
    "RoiAlign",
    {{.since = 10, .run = roi_align_10}, {.since = 16, .also = {22}, .run = roi_align_10}}};

}  // namespace onnxv
#endif
