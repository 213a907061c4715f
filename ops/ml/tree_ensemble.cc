// TreeEnsemble: one vote per leaf, aggregated per target, then post_transform; in the type of X.
//   since 5
#include <algorithm>

#include "ops/ml/forest_arrays.h"
#include "ops/ml/ml.h"
#include "ops/ml/tree_scores.h"

namespace onnxv {
namespace {

int64_t choice(const OpCall& call, std::string_view name, int64_t most) {
  const int64_t value = call.integer(name);
  if (value < 0 || value > most) {
    fail_schema("attribute-range", std::string(name) + " is " + std::to_string(value),
                "must be in [0, " + std::to_string(most) + "]");
  }
  return value;
}

// Choice: absent, it is one more than the greatest target id.
size_t targets_of(const OpCall& call) {
  int64_t greatest = -1;
  for (int64_t id : call.integers("leaf_targetids")) greatest = std::max(greatest, id);
  return target_count(call.integer_or("n_targets", greatest == INT64_MAX ? greatest : greatest + 1), "n_targets");
}

Tensor tree_ensemble_5(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  const size_t targets = targets_of(call);
  const Forest forest = forest_of_arrays(call, targets);
  const Features features(x);
  check_forest(forest, features.width());
  TreeScoring scoring{forest, features};
  scoring.aggregate = static_cast<Aggregate>(choice(call, "aggregate_function", 3));
  scoring.transform = static_cast<PostTransform>(choice(call, "post_transform", 4));
  scoring.base.assign(targets, -0.0);  // there is none: neutral in a sum
  return tree_scores(scoring, x.dtype());
}

}  // namespace

const Operator kTreeEnsemble{"ai.onnx.ml", "TreeEnsemble", {
    {.since = 5, .run = tree_ensemble_5},
}};

}  // namespace onnxv
