// LinearRegressor, LinearClassifier: scores s = X W^T + b, then post_transform.
//   since 1
#include "ops/ml/linear_scores.h"
#include "ops/ml/ml.h"

namespace onnxv {
namespace {

// `scores` 0: as many as the coefficients make.
Linear linear_of(const OpCall& call, size_t scores) {
  const Tensor& x = call.tensor("X");
  const Rows rows = rows_of(x);
  const std::vector<float> weights = call.reals("coefficients");
  const std::vector<float> intercepts = call.reals("intercepts");
  const auto width = static_cast<size_t>(rows.width);
  if (scores == 0 && width > 0) scores = weights.size() / width;
  if (scores == 0 || weights.size() != scores * width) {
    fail_schema("list-length", "coefficients has " + std::to_string(weights.size()) + " entries",
                "must have one for each score and each of the " + std::to_string(width) + " features");
  }
  if (!intercepts.empty() && intercepts.size() != scores) {
    fail_schema("list-length", "intercepts has " + std::to_string(intercepts.size()) + " entries",
                "must have none or " + std::to_string(scores));
  }
  Linear linear{x.reshaped({rows.count, rows.width}), {weights.begin(), weights.end()},
                {intercepts.begin(), intercepts.end()}};
  linear.intercepts.resize(scores, 0);
  return linear;
}

Tensor linear_regressor_1(const OpCall& call) {
  const Linear linear = linear_of(call, target_count(call.integer("targets"), "targets"));
  return linear_scores_of(linear, post_transform_of(call), Pairing::kNone, DType::kFloat);
}

// Choice: where the text does not say how many rows of coefficients there are, one per label, or for two labels one
// row, whose score s stands for the pair [-s, s]; without labels the classes are the rows, or s > 0 for a single one.
Pairing pairing_of(size_t scores, const Tensor* labels) {
  if (labels == nullptr || labels->size() == scores) return Pairing::kNone;
  if (scores == 1 && labels->size() == 2) return Pairing::kNegated;
  fail_schema("list-length", "coefficients make " + std::to_string(scores) + " scores for " +
              std::to_string(labels->size()) + " labels", "must make one for each, or one for two");
}

// 1 where the single score is positive, else 0.
std::vector<int64_t> signs_of(const Linear& linear) {
  const Tensor rounded = linear_scores_of(linear, PostTransform::kNone, Pairing::kNone, DType::kFloat);
  std::vector<int64_t> signs;
  for (size_t row = 0; row < linear.rows(); ++row) {
    const float score = rounded.as<float>()[row];
    const bool positive = score > 0 || (score == 0 && exact_linear_score(linear, row, 0) > Extended(0));
    signs.push_back(positive ? 1 : 0);
  }
  return signs;
}

Outputs linear_classifier_1(const OpCall& call) {
  const bool unlabelled = !call.has_attribute("classlabels_ints") && !call.has_attribute("classlabels_strings");
  const Linear linear = linear_of(call, 0);
  const Tensor labels = unlabelled ? Tensor() : one_list_of(call, "classlabels_ints", "classlabels_strings");
  const Pairing pairing = pairing_of(linear.scores(), unlabelled ? nullptr : &labels);
  const bool single_sign = pairing == Pairing::kNegated || (unlabelled && linear.scores() == 1);
  const std::vector<int64_t> classes = single_sign ? signs_of(linear) : top_classes(linear);
  const Tensor y = unlabelled ? Tensor::int64_list(classes) : labels_at(labels, classes);
  return {y, linear_scores_of(linear, post_transform_of(call), pairing, DType::kFloat)};
}

}  // namespace

const Operator kLinearRegressor{"ai.onnx.ml", "LinearRegressor", {
    {.since = 1, .run = linear_regressor_1},
}};
const Operator kLinearClassifier{"ai.onnx.ml", "LinearClassifier", {
    {.since = 1, .run = linear_classifier_1},
}};

}  // namespace onnxv
