// A linear model: what LinearRegressor, LinearClassifier and an SVMClassifier without support vectors share.
#pragma once

#include <vector>

#include "ops/ml/classes.h"

namespace onnxv {

struct Linear {
  Tensor x;  // [N,F]
  std::vector<double> weights, intercepts;
  size_t rows() const { return static_cast<size_t>(x.shape()[0]); }
  size_t width() const { return static_cast<size_t>(x.shape()[1]); }
  size_t scores() const { return intercepts.size(); }
};

// [N, scores], or [N, 2] where the one score becomes a pair; each exact value rounded once to `dtype`.
Tensor linear_scores_of(const Linear& linear, PostTransform transform, Pairing pairing, DType dtype);

// One score of a row before any pairing or transform.
Extended exact_linear_score(const Linear& linear, size_t row, size_t score);

// The class of each row: the one with the greatest score.
std::vector<int64_t> top_classes(const Linear& linear);

}  // namespace onnxv
