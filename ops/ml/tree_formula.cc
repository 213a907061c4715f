// The scores of a row of trees: s_k = aggregate of the votes for k, plus base_k, then post_transform.
#include "ops/ml/post_transform.h"

namespace onnxv {
namespace {

// `votes` holds as many places for each score; places that are not used hold a neutral zero.
// Options: the transform, the pairing.
constexpr auto vote_scores = []<class Real>(Options options, In<Real> votes, In<Real> base, In<Real> divisor,
                                            Out<Real> y) {
  const size_t places = votes.size() / base.size();
  for (size_t k = 0; k < base.size(); ++k) {
    y[k] = sum(votes.part(k * places, places)) / divisor[0] + base[k];
  }
  make_pair_of_scores(options[1], y);
  post_transform(options[0], y);
};

}  // namespace
LINE_FORMULA(kVoteScores, vote_scores, 3, 1)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include <algorithm>

#include "ops/ml/tree_scores.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

bool takes_extreme(const TreeScoring& scoring) {
  return scoring.aggregate == Aggregate::kMin || scoring.aggregate == Aggregate::kMax;
}

// The least or greatest vote of each score; NaN wins, no vote is 0.
std::vector<double> extremes(const TreeScoring& scoring, size_t row) {
  const size_t scores = scoring.base.size();
  std::vector<double> result(scores, 0);
  std::vector<bool> voted(scores, false);
  for (const Vote& vote : votes_of(scoring.forest, scoring.features, row)) {
    double& held = result[vote.target];
    const bool better = scoring.aggregate == Aggregate::kMin ? vote.weight < held : vote.weight > held;
    if (!voted[vote.target] || is_nan_value(vote.weight) || better) held = is_nan_value(held) ? held : vote.weight;
    voted[vote.target] = true;
  }
  return result;
}

// A bound on the votes that one score gets from one row. A row's votes are spread over places for every score.
size_t most_votes(const TreeScoring& scoring) {
  constexpr size_t kMost = size_t{1} << 27;
  size_t most = 1;
  for (const std::vector<Vote>& leaf : scoring.forest.leaves) most = std::max(most, leaf.size());
  const size_t places = std::max<size_t>(1, most * scoring.forest.roots.size());
  if (places > kMost / scoring.base.size()) {
    fail_limit("tree-votes", "a row may get " + std::to_string(places) + " votes for each of " +
               std::to_string(scoring.base.size()) + " targets", "must be at most 2^27 in all");
  }
  return places;
}

// The votes of each score side by side. -0 is neutral in a sum; a score without votes is +0.
void fill_places(const TreeScoring& scoring, size_t row, size_t places, double* values) {
  const size_t scores = scoring.base.size();
  std::vector<size_t> used(scores, 0);
  std::fill(values, values + scores * places, -0.0);
  for (const Vote& vote : votes_of(scoring.forest, scoring.features, row)) {
    values[vote.target * places + used[vote.target]++] = vote.weight;
  }
  for (size_t k = 0; k < scores; ++k) {
    if (used[k] == 0) values[k * places] = 0.0;
  }
}

double divisor_of(const TreeScoring& scoring) {
  const bool average = scoring.aggregate == Aggregate::kAverage;
  return average ? static_cast<double>(scoring.forest.roots.size()) : 1.0;
}

}  // namespace

Tensor tree_scores(const TreeScoring& scoring, DType dtype) {
  const size_t scores = scoring.base.size();
  const auto columns = static_cast<int64_t>(scoring.pairing == Pairing::kNone ? scores : 2);
  Tensor y(dtype, Shape{static_cast<int64_t>(scoring.features.rows()), columns});
  if (y.size() == 0) return y;
  const size_t places = takes_extreme(scoring) ? 1 : most_votes(scoring);
  LineJob(kVoteScores, scoring.features.rows())
      .computed(scores * places,
                [&](size_t row, double* values) {
                  if (!takes_extreme(scoring)) return fill_places(scoring, row, places, values);
                  std::ranges::copy(extremes(scoring, row), values);
                })
      .constants(scoring.base)
      .constants({divisor_of(scoring)})
      .option(static_cast<int64_t>(scoring.transform))
      .option(static_cast<int64_t>(scoring.pairing))
      .lines_to(&y, LineLayout::along(y.shape(), 1))
      .run();
  return y;
}

Extended exact_tree_score(const TreeScoring& scoring, size_t row, size_t score) {
  Extended total;
  for (const Vote& vote : votes_of(scoring.forest, scoring.features, row)) {
    if (vote.target == score) total = total + Extended::from_double(vote.weight);
  }
  return total + Extended::from_double(scoring.base[score]);
}

}  // namespace onnxv
#endif
