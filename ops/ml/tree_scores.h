// From the leaves that rows reach to scores.
#pragma once

#include "ops/ml/classes.h"
#include "ops/ml/forest.h"

namespace onnxv {

enum class Aggregate : int64_t { kAverage = 0, kSum = 1, kMin = 2, kMax = 3 };  // TreeEnsemble-5's numbers

struct TreeScoring {
  const Forest& forest;
  const Features& features;
  Aggregate aggregate = Aggregate::kSum;
  std::vector<double> base = {};  // one per score: added after the aggregation
  Pairing pairing = Pairing::kNone;
  PostTransform transform = PostTransform::kNone;
};

// [N, scores], or [N, 2] where the one score becomes a pair; each exact value rounded once to `dtype`.
Tensor tree_scores(const TreeScoring& scoring, DType dtype);

// One score of a row before any pairing or transform.
Extended exact_tree_score(const TreeScoring& scoring, size_t row, size_t score);

}  // namespace onnxv
