// MaxRoiPool: the greatest element of each bin of each region, as in Fast R-CNN.
//   since 1   (22: bfloat16.)
//
// Choice: the text defines nothing but shapes. The corners are multiplied by spatial_scale and rounded, halves away from
// zero; a region is at least one cell wide and high, and its last cell belongs to it. Bin p of P of a length n runs from
// floor(p · n / P) to ceil((p + 1) · n / P), cut to the image; an empty bin is 0.
#include <algorithm>

#include "ops/operator.h"
#include "ops/pool/pooling.h"
#include "src/base/checked.h"
#include "src/number/rational.h"
#include "src/tensor/index.h"

namespace onnxv {
namespace {

struct Region {
  int64_t image = 0;
  int64_t top = 0, left = 0, height = 0, width = 0;
};
struct Range {
  int64_t begin, end;
};

int64_t rounded_half_away(const Rational& x) {
  const Rational half(1, 2);
  return x.sign() < 0 ? -(-x + half).floor_int64() : (x + half).floor_int64();
}

Region region_of(const double* roi, const Rational& scale, int64_t images) {
  int64_t corner[4];
  for (int i = 0; i < 5; ++i) {
    if (!is_finite(roi[i])) fail_undefined("value-range", "rois has a NaN or an infinity", "must be finite");
    if (i > 0) corner[i - 1] = rounded_half_away(Rational::from_double(roi[i]) * scale);
  }
  const Rational image = Rational::from_double(roi[0]);
  if (image < Rational(0) || image >= Rational(images) || image.denominator() != BigInt(1)) {
    fail_undefined("index-range", "rois names image " + shortest_text(kFloat64, image.encode(kFloat64, Rounding::kNearestEven, Overflow::kInfinity)),
                "must be an integer in [0, " + std::to_string(images - 1) + "]");
  }
  const auto length = [](int64_t first, int64_t last) {
    return std::max<int64_t>(checked_add(checked_subtract(last, first), 1), 1);
  };
  return {image.floor_int64(), corner[1], corner[0], length(corner[1], corner[3]), length(corner[0], corner[2])};
}

Range bin_of(int64_t bin, int64_t bins, int64_t start, int64_t length, int64_t size) {
  const int64_t first = floor_divide(checked_multiply(bin, length), bins);
  const int64_t last = ceil_divide(checked_multiply(bin + 1, length), bins);
  return {std::clamp<int64_t>(checked_add(start, first), 0, size), std::clamp<int64_t>(checked_add(start, last), 0, size)};
}

std::vector<int64_t> pooled_shape_of(const OpCall& call) {
  const std::vector<int64_t> shape = call.integers("pooled_shape");
  if (shape.size() != 2) {
    fail_schema("attribute-length", "pooled_shape has " + std::to_string(shape.size()) + " entries", "must have 2");
  }
  for (const int64_t size : shape) {
    if (size < 1) fail_schema("attribute-range", "pooled_shape has " + std::to_string(size), "must be 1 or more");
  }
  return shape;
}

// Cells of one bin in one channel, row-major.
void candidates_of(Range rows, Range columns, int64_t first, int64_t width, std::vector<int64_t>* candidates) {
  candidates->clear();
  for (int64_t row = rows.begin; row < rows.end; ++row) {
    for (int64_t column = columns.begin; column < columns.end; ++column) {
      candidates->push_back(first + row * width + column);
    }
  }
}

Tensor max_roi_pool_1(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  const Tensor& rois = call.tensor("rois");
  const Shape& shape = x.shape();
  if (shape.rank() != 4) fail_schema("rank", "X is " + shape.text(), "must have rank 4");
  if (rois.rank() != 2 || rois.shape()[1] != 5) fail_schema("shape-mismatch", "rois is " + rois.shape().text(), "must be [regions, 5]");
  const double scale = call.real_or("spatial_scale", 1.0);
  if (!is_finite(scale)) fail_schema("attribute-range", "spatial_scale is not finite", "must be a number");
  const Rational exact_scale = Rational::from_double(scale);
  const std::vector<int64_t> bins = pooled_shape_of(call);
  const Tensor y(x.dtype(), {rois.shape()[0], shape[1], bins[0], bins[1]});
  const std::vector<double> values = double_values(rois);
  const MaximumPicker picker(x);
  Maxima maxima(y.size());
  std::vector<int64_t> candidates;
  size_t at = 0;
  for (int64_t r = 0; r < rois.shape()[0]; ++r) {
    const Region region = region_of(values.data() + r * 5, exact_scale, shape[0]);
    for (int64_t channel = 0; channel < shape[1]; ++channel) {
      const int64_t first = (region.image * shape[1] + channel) * shape[2] * shape[3];
      for (int64_t bin = 0; bin < bins[0] * bins[1]; ++bin, ++at) {
        const Range rows = bin_of(bin / bins[1], bins[0], region.top, region.height, shape[2]);
        const Range columns = bin_of(bin % bins[1], bins[1], region.left, region.width, shape[3]);
        candidates_of(rows, columns, first, shape[3], &candidates);
        if (!candidates.empty()) picker.pick(candidates, at, &maxima);
      }
    }
  }
  maxima.mark(call, 0);
  return gather_elements(x, y.shape(), maxima.source);
}

}  // namespace

extern const Operator kMaxRoiPool;
const Operator kMaxRoiPool{"ai.onnx", "MaxRoiPool", {{.since = 1, .also = {22}, .run = max_roi_pool_1}}};

}  // namespace onnxv
