// post_transform: what happens to the scores of one row. The text gives only the names.
//   LOGISTIC      1 / (1 + e^-s)
//   SOFTMAX       e^s / sum e^s
//   SOFTMAX_ZERO  u / sum u with u = e^s where |s| > 1e-7, else u = s: zeros stay zero
//   PROBIT        the normal quantile sqrt(2) erfinv(2 s - 1)
// Choice: each applies along the scores of a row, to one score and to pairs as well.
#pragma once

#include "src/number/formula.h"

namespace onnxv {

// By TreeEnsemble-5's numbers.
enum class PostTransform : int64_t { kNone = 0, kSoftmax = 1, kLogistic = 2, kSoftmaxZero = 3, kProbit = 4 };

// How a single score becomes a pair of class scores.
enum class Pairing : int64_t { kNone = 0, kNegated = 1, kComplement = 2 };  // [-s, s], [1 - s, s]

// With e = exp(-|x|) <= 1 nothing overflows.
template <class Real>
Real logistic(Real x) {
  const Real e = exp(-abs(x));
  return select(x < Real(0.0), e, Real(1.0)) / (Real(1.0) + e);
}

// A shift by the largest score changes no quotient and overflows nowhere.
template <class Real>
void softmax(Out<Real> y) {
  const Real shift = shift_of(y);
  for (Real& score : y) score = exp(score - shift);
  const Real total = sum(y);
  for (Real& score : y) score = score / total;
}

// The same shift: every u is multiplied by e^-shift.
template <class Real>
void softmax_zero(Out<Real> y) {
  const Real shift = shift_of(y);
  const Real unit = exp(-shift);
  const Real near_zero(static_cast<double>(1e-7F));
  for (Real& score : y) score = select(abs(score) > near_zero, exp(score - shift), score * unit);
  const Real total = sum(y);
  for (Real& score : y) score = score / total;
}

template <class Real>
Real probit(Real x) {
  return sqrt(Real(2.0)) * erfinv(Real(2.0) * x - Real(1.0));
}

template <class Real>
void post_transform(int64_t transform, Out<Real> y) {
  switch (static_cast<PostTransform>(transform)) {
    case PostTransform::kNone: return;
    case PostTransform::kSoftmax: return softmax(y);
    case PostTransform::kSoftmaxZero: return softmax_zero(y);
    case PostTransform::kLogistic:
      for (Real& score : y) score = logistic(score);
      return;
    case PostTransform::kProbit:
      for (Real& score : y) score = probit(score);
      return;
  }
}

// Two scores out of the one in y[0].
template <class Real>
void make_pair_of_scores(int64_t pairing, Out<Real> y) {
  const auto kind = static_cast<Pairing>(pairing);
  if (kind == Pairing::kNone) return;
  y[1] = y[0];
  y[0] = kind == Pairing::kNegated ? -y[0] : Real(1.0) - y[0];
}

}  // namespace onnxv
