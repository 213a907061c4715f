// TreeEnsembleRegressor, TreeEnsembleClassifier: trees in parallel lists, any number of votes per leaf.
//   since 1
//   since 3   thresholds, weights and base values may be double, in tensors named …_as_tensor
//   since 5   deprecated in favour of TreeEnsemble; means what 3 means
#include <algorithm>

#include "ops/ml/ml.h"
#include "ops/ml/tree_scores.h"

namespace onnxv {
namespace {

Aggregate aggregate_of(const OpCall& call) {
  const std::string& name = call.text("aggregate_function");
  if (name == "SUM") return Aggregate::kSum;
  if (name == "AVERAGE") return Aggregate::kAverage;
  if (name == "MIN") return Aggregate::kMin;
  if (name == "MAX") return Aggregate::kMax;
  fail_schema("attribute-value", "aggregate_function is \"" + name + "\"", "must be SUM, AVERAGE, MIN or MAX");
}

std::vector<double> base_values(const OpCall& call, size_t scores) {
  std::vector<double> base = reals_or_tensor(call, "base_values");
  if (!base.empty() && base.size() != scores) {
    fail_schema("list-length", "base_values has " + std::to_string(base.size()) + " entries",
                "must have none or " + std::to_string(scores));
  }
  base.resize(scores, 0);
  return base;
}

Tensor tree_ensemble_regressor_1(const OpCall& call) {
  // No default: "attribute-missing" when absent.
  const size_t targets = target_count(call.integer("n_targets"), "n_targets");
  const Forest forest = forest_of_lists(call, "target", targets);
  const Features features(call.tensor("X"));
  check_forest(forest, features.width());
  TreeScoring scoring{forest, features};
  scoring.aggregate = aggregate_of(call);
  scoring.transform = post_transform_of(call);
  scoring.base = base_values(call, targets);
  return tree_scores(scoring, DType::kFloat);
}

// Choice: with two classes, all votes for class 0 and at most one base value, the score s is that of class 1, the
// positive one. The text is silent; every converter for boosted trees relies on it.
bool has_single_score(const OpCall& call, size_t classes) {
  const std::vector<int64_t> ids = call.integers("class_ids");
  return classes == 2 && !ids.empty() && std::ranges::all_of(ids, [](int64_t id) { return id == 0; }) &&
         reals_or_tensor(call, "base_values").size() <= 1;
}

// [1 - s, s] where s may be a probability, else [-s, s].
Pairing pairing_of(const OpCall& call, PostTransform transform) {
  const std::vector<double> weights = reals_or_tensor(call, "class_weights");
  const bool positive = std::ranges::all_of(weights, [](double weight) { return weight >= 0; });
  const bool complement = (transform == PostTransform::kNone && positive) || transform == PostTransform::kProbit;
  return complement ? Pairing::kComplement : Pairing::kNegated;
}

Extended exact_class_score(const TreeScoring& scoring, size_t row, size_t k) {
  if (scoring.pairing == Pairing::kNone) return exact_tree_score(scoring, row, k);
  const Extended score = exact_tree_score(scoring, row, 0);
  if (k == 1) return score;
  return scoring.pairing == Pairing::kNegated ? -score : Extended(1) - score;
}

// Spec: "top class" is taken of the scores before post_transform, which may change their order.
std::vector<int64_t> classes_of(TreeScoring scoring) {
  scoring.transform = PostTransform::kNone;
  const Tensor rounded = tree_scores(scoring, DType::kFloat);
  const std::span<const float> scores = rounded.as<float>();
  const auto width = static_cast<size_t>(rounded.shape()[1]);
  std::vector<int64_t> classes;
  for (size_t row = 0; row < scoring.features.rows(); ++row) {
    const auto exact = [&](size_t k) { return exact_class_score(scoring, row, k); };
    classes.push_back(static_cast<int64_t>(top_class(scores.subspan(row * width, width), exact)));
  }
  return classes;
}

Outputs tree_ensemble_classifier_1(const OpCall& call) {
  const Tensor labels = one_list_of(call, "classlabels_int64s", "classlabels_strings");
  if (labels.size() == 0) fail_schema("list-length", "there are no class labels", "must be at least one");
  const Forest forest = forest_of_lists(call, "class", labels.size());
  const Features features(call.tensor("X"));
  check_forest(forest, features.width());
  TreeScoring scoring{forest, features};
  scoring.transform = post_transform_of(call);
  const bool single = has_single_score(call, labels.size());
  scoring.base = base_values(call, single ? 1 : labels.size());
  if (single) scoring.pairing = pairing_of(call, scoring.transform);
  return {labels_at(labels, classes_of(scoring)), tree_scores(scoring, DType::kFloat)};
}

}  // namespace

const Operator kTreeEnsembleRegressor{"ai.onnx.ml", "TreeEnsembleRegressor", {
    {.since = 1, .also = {3, 5}, .run = tree_ensemble_regressor_1},
}};
const Operator kTreeEnsembleClassifier{"ai.onnx.ml", "TreeEnsembleClassifier", {
    {.since = 1, .also = {3, 5}, .run = tree_ensemble_classifier_1},
}};

}  // namespace onnxv
