// The scores of a linear model: s_k = x . w_k + b_k, then post_transform.
#include "ops/ml/post_transform.h"

namespace onnxv {
namespace {

// Options: the transform, the pairing.
constexpr auto linear_scores = []<class Real>(Options options, In<Real> x, In<Real> weights, In<Real> intercepts,
                                              Out<Real> y) {
  for (size_t r = 0; r < intercepts.size(); ++r) {
    y[r] = dot(x, weights.part(r * x.size(), x.size())) + intercepts[r];
  }
  make_pair_of_scores(options[1], y);
  post_transform(options[0], y);
};

}  // namespace
LINE_FORMULA(kLinearScores, linear_scores, 3, 1)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include "ops/ml/linear_scores.h"
#include "src/tensor/lines.h"

namespace onnxv {

Tensor linear_scores_of(const Linear& linear, PostTransform transform, Pairing pairing, DType dtype) {
  const auto columns = static_cast<int64_t>(pairing == Pairing::kNone ? linear.scores() : 2);
  Tensor y(dtype, Shape{linear.x.shape()[0], columns});
  if (y.size() == 0) return y;
  LineJob(kLinearScores, linear.rows())
      .lines_of(linear.x, LineLayout::along(linear.x.shape(), 1))
      .constants(linear.weights)
      .constants(linear.intercepts)
      .option(static_cast<int64_t>(transform))
      .option(static_cast<int64_t>(pairing))
      .lines_to(&y, LineLayout::along(y.shape(), 1))
      .run();
  return y;
}

Extended exact_linear_score(const Linear& linear, size_t row, size_t score) {
  Extended total;
  for (size_t f = 0; f < linear.width(); ++f) {
    const Extended feature = exact_value(linear.x, row * linear.width() + f);
    total = total + feature * Extended::from_double(linear.weights[score * linear.width() + f]);
  }
  return total + Extended::from_double(linear.intercepts[score]);
}

std::vector<int64_t> top_classes(const Linear& linear) {
  const Tensor rounded = linear_scores_of(linear, PostTransform::kNone, Pairing::kNone, DType::kFloat);
  const std::span<const float> scores = rounded.as<float>();
  std::vector<int64_t> classes;
  for (size_t row = 0; row < linear.rows(); ++row) {
    const auto exact = [&](size_t k) { return exact_linear_score(linear, row, k); };
    const std::span<const float> own = scores.subspan(row * linear.scores(), linear.scores());
    classes.push_back(static_cast<int64_t>(top_class(own, exact)));
  }
  return classes;
}

}  // namespace onnxv
#endif
