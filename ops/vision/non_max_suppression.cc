// NonMaxSuppression: boxes by descending score, without those that overlap a better one too much.
//   since 10  (11: the same)
#include <algorithm>
#include <array>
#include <optional>

#include "ops/operator.h"
#include "src/base/int128.h"
#include "src/number/roots_of_unity.h"
#include "src/tensor/index.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

int128 as_integer(const BigInt& value, int128) { return static_cast<int64_t>(value.low_bits()); }
const BigInt& as_integer(const BigInt& value, const BigInt&) { return value; }

// Corners on an integer scale, in twice the unit of the coordinates so that a centre's half widths
// are integers too.
template <class Integer>
struct Box {
  std::array<Integer, 2> from, to;
  bool measurable = true;  // false where a coordinate is NaN or infinite: it never overlaps
};

// The threshold is numerator / 2^shift.
template <class Integer>
class Overlap {
 public:
  Overlap(std::vector<Box<Integer>> boxes, Integer numerator, unsigned shift)
      : boxes_(std::move(boxes)), numerator_(std::move(numerator)), unit_(1) {
    for (unsigned i = 0; i < shift; ++i) unit_ *= Integer(2);
  }
  // intersection / union > threshold, in integers. A box without a positive area has no such
  // quotient.
  bool exceeds(size_t a, size_t b) const {
    const Box<Integer>&p = boxes_[a], &q = boxes_[b];
    if (!p.measurable || !q.measurable) return false;
    const Integer zero(0);
    std::array<Integer, 2> sides{zero, zero};
    for (size_t axis = 0; axis < 2; ++axis) {
      const Integer& from = p.from[axis] < q.from[axis] ? q.from[axis] : p.from[axis];
      const Integer& to = p.to[axis] < q.to[axis] ? p.to[axis] : q.to[axis];
      if (!(from < to)) return false;
      sides[axis] = to - from;
    }
    const Integer first = area(p), second = area(q), shared = sides[0] * sides[1];
    if (!(zero < first) || !(zero < second)) return false;
    return numerator_ * (first + second - shared) < shared * unit_;
  }

 private:
  static Integer area(const Box<Integer>& box) {
    return (box.to[0] - box.from[0]) * (box.to[1] - box.from[1]);
  }
  std::vector<Box<Integer>> boxes_;
  Integer numerator_, unit_;
};

struct Limits {
  size_t most;  // boxes per class
  BigInt threshold_numerator;
  unsigned threshold_shift = 0;
  std::optional<double> least_score;
  bool centred;
};

template <class Integer>
std::vector<Box<Integer>> boxes_of(const std::vector<BigInt>& coordinates,
                                   const std::vector<bool>& measurable, bool centred) {
  std::vector<Box<Integer>> boxes;
  for (size_t i = 0; i < measurable.size(); ++i) {
    std::array<Integer, 4> c{Integer(0), Integer(0), Integer(0), Integer(0)};
    for (size_t k = 0; k < 4; ++k)
      c[k] = as_integer(coordinates[4 * i + k], Integer(0)) * Integer(2);
    Box<Integer> box;
    box.measurable = measurable[i];
    for (size_t axis = 0; axis < 2; ++axis) {
      if (centred) {
        const Integer half = as_integer(coordinates[4 * i + 2 + axis], Integer(0));
        box.from[axis] = c[axis] - half;
        box.to[axis] = c[axis] + half;
      } else {
        const bool ordered = !(c[2 + axis] < c[axis]);
        box.from[axis] = ordered ? c[axis] : c[2 + axis];
        box.to[axis] = ordered ? c[2 + axis] : c[axis];
      }
    }
    boxes.push_back(std::move(box));
  }
  return boxes;
}

// The boxes of one class that stay, best first. Spec: a box with exactly the threshold's score
// stays. A NaN score is never chosen.
template <class Integer>
std::vector<size_t> selected(const Overlap<Integer>& overlap, std::span<const double> scores,
                             const Limits& limits) {
  std::vector<size_t> order;
  for (size_t i = 0; i < scores.size(); ++i) {
    const bool kept =
        limits.least_score ? scores[i] >= *limits.least_score : scores[i] == scores[i];
    if (kept) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return scores[a] > scores[b]; });
  std::vector<size_t> chosen;
  for (const size_t box : order) {
    if (chosen.size() == limits.most) break;
    const bool covered = std::any_of(chosen.begin(), chosen.end(),
                                     [&](size_t better) { return overlap.exceeds(better, box); });
    if (!covered) chosen.push_back(box);
  }
  return chosen;
}

Limits limits_of(const OpCall& call) {
  Limits limits{};
  const Tensor* most = call.optional_tensor("max_output_boxes_per_class");
  const Tensor* overlap = call.optional_tensor("iou_threshold");
  const Tensor* score = call.optional_tensor("score_threshold");
  limits.most = most != nullptr ? static_cast<size_t>(std::max<int64_t>(
                                      int64_value(*most, "max_output_boxes_per_class"), 0))
                                : 0;
  const double threshold = overlap != nullptr ? double_value(*overlap, "iou_threshold") : 0.0;
  if (!(threshold >= 0 && threshold <= 1))
    fail_undefined("iou-threshold", "iou_threshold is outside [0, 1]", "must be inside");
  const Rational exact = Rational::from_double(threshold);
  limits.threshold_numerator = exact.numerator();
  limits.threshold_shift = exact.denominator().bit_length() - 1;
  if (score != nullptr) limits.least_score = double_value(*score, "score_threshold");
  const int64_t centred = call.integer("center_point_box");
  if (centred != 0 && centred != 1)
    fail_schema("attribute-value", "center_point_box is " + std::to_string(centred),
                "must be 0 or 1");
  limits.centred = centred == 1;
  return limits;
}

// Coordinates of one image on one scale; those of boxes that cannot be measured are 0.
struct Measured {
  std::vector<BigInt> coordinates;
  std::vector<bool> measurable;
  bool narrow(const Limits& limits) const {
    unsigned bits = 1;
    for (const BigInt& coordinate : coordinates) bits = std::max(bits, coordinate.bit_length());
    // Sides have bits + 3 bits, areas twice that, and a sum of two one more.
    const unsigned factor =
        std::max(limits.threshold_shift + 1, limits.threshold_numerator.bit_length());
    return bits < 62 && 2 * (bits + 3) + 1 + factor < 127;
  }
};

Measured measured(std::span<const double> values) {
  std::vector<double> finite(values.begin(), values.end());
  Measured result;
  for (size_t i = 0; i < values.size(); i += 4) {
    const bool good = std::all_of(values.begin() + static_cast<long>(i),
                                  values.begin() + static_cast<long>(i) + 4, is_finite);
    if (!good) std::fill_n(finite.begin() + static_cast<long>(i), 4, 0.0);
    result.measurable.push_back(good);
  }
  result.coordinates = scaled_integers(finite)->integers;
  return result;
}

template <class Integer>
void select_image(const Measured& boxes, std::span<const double> scores, int64_t image,
                  const Limits& limits, std::vector<int64_t>* rows) {
  const Overlap<Integer> overlap(
      boxes_of<Integer>(boxes.coordinates, boxes.measurable, limits.centred),
      as_integer(limits.threshold_numerator, Integer(0)), limits.threshold_shift);
  const size_t count = boxes.measurable.size();
  for (size_t cls = 0; count > 0 && cls < scores.size() / count; ++cls) {
    for (const size_t box : selected(overlap, scores.subspan(cls * count, count), limits)) {
      rows->insert(rows->end(), {image, static_cast<int64_t>(cls), static_cast<int64_t>(box)});
    }
  }
}

Tensor non_max_suppression_10(const OpCall& call) {
  const Tensor& boxes = call.tensor("boxes");
  const Tensor& scores = call.tensor("scores");
  const Shape &b = boxes.shape(), &s = scores.shape();
  if (b.rank() != 3 || b[2] != 4)
    fail_schema("shape-mismatch", "boxes is " + b.text(), "must be [batches, boxes, 4]");
  if (s.rank() != 3 || s[0] != b[0] || s[2] != b[1]) {
    fail_schema("shape-mismatch", "scores is " + s.text() + " for boxes " + b.text(),
                "must be [batches, classes, boxes]");
  }
  const Limits limits = limits_of(call);
  std::vector<int64_t> rows;
  if (limits.most > 0 && boxes.size() > 0 && scores.size() > 0) {
    const std::vector<double> corners = double_values(boxes), values = double_values(scores);
    const size_t per_image = static_cast<size_t>(b[1] * 4),
                 scores_per_image = static_cast<size_t>(s[1] * s[2]);  // of tensors with elements
    for (int64_t image = 0; image < b[0]; ++image) {
      const size_t at = static_cast<size_t>(image);
      const Measured image_boxes = measured(std::span(corners).subspan(at * per_image, per_image));
      const std::span<const double> image_scores =
          std::span(values).subspan(at * scores_per_image, scores_per_image);
      if (image_boxes.narrow(limits)) {
        select_image<int128>(image_boxes, image_scores, image, limits, &rows);
      } else {
        select_image<BigInt>(image_boxes, image_scores, image, limits, &rows);
      }
    }
  }
  return Tensor::of<int64_t>(DType::kInt64, {static_cast<int64_t>(rows.size() / 3), 3}, rows);
}

}  // namespace

extern const Operator kNonMaxSuppression;
const Operator kNonMaxSuppression{
    "ai.onnx", "NonMaxSuppression", {{.since = 10, .also = {11}, .run = non_max_suppression_10}}};

}  // namespace onnxv
