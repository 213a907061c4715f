#include "ops/attention/formulas.h"

#include <vector>

#include "src/number/instruction_sets.h"
#include "src/number/ladder.h"

namespace onnxv {
namespace {

// Spec: "scale Q, K by sqrt(scale)" is advice against overflow, which real numbers do not have. The
// default scale is the real 1 / sqrt(head size): `scale` is then that root.
template <class Real>
Real score_of(Options options, Real product, Real bias, Real scale, Real softcap) {
  Real score = options[0] != 0 ? product * scale : product / scale;
  // Spec: the soft cap comes before the bias.
  if (options[1] != 0) {
    score = softcap * tanh(score / softcap);
  }
  return options[2] != 0 ? score + bias : score;
}
template <class Real>
Real scale_of(Options options, Real scale) {
  return options[0] != 0 ? scale : sqrt(scale);
}
constexpr auto attention_score = []<class Real>(Options options, Real product, Real bias,
                                                Real scale, Real softcap) -> Real {
  return score_of(options, product, bias, scale_of(options, scale), softcap);
};

// Softmax's numerators over a row, each multiplied by exp(-c) with c near the largest logit.
template <class Real>
void numerators(Options options, In<Real> products, In<Real> bias, In<Real> constants,
                Out<Real> y) {
  const Real scale = scale_of(options, constants[0]);
  for (size_t j = 0; j < y.size(); ++j) {
    y[j] = score_of(options, products[j], options[2] != 0 ? bias[j] : products[j], scale, constants[1]);
    // Spec: rounds the logits to softmax_precision.
    if (options[3] >= 0) {
      y[j] = round_to(options[3], y[j]);
    }
  }
  const Real c = shift_of(y);
  for (Real& yj : y) yj = exp(yj - c);
}

constexpr auto attention_weights = []<class Real>(Options options, In<Real> products, In<Real> bias,
                                                  In<Real> constants, Out<Real> weights) {
  numerators(options, products, bias, constants, weights);
  const Real total = sum(weights);
  for (Real& weight : weights) {
    weight = weight / total;
    // Spec: rounds the weights to softmax_precision; the operator's output then rounds them to Q's
    // type.
    if (options[3] >= 0) {
      weight = round_to(options[3], weight);
    }
  }
};

// Of the sum of numerators times values: one division behind the sum stands for one in front of each term.
constexpr auto weighted_mean = []<class Real>(Real weighted_sum, Real total) -> Real { return weighted_sum / total; };

constexpr auto as_it_is = []<class Real>(Real x) -> Real { return x; };

}  // namespace
ELEMENTWISE_FORMULA(kAttentionScoreFormula, attention_score, 4)
LINE_FORMULA(kAttentionWeightsFormula, attention_weights, 3, 1)
ELEMENTWISE_FORMULA(kWeightedMeanFormula, weighted_mean, 2)
ELEMENTWISE_FORMULA(kAsItIsFormula, as_it_is, 1)

#ifdef ONNXV_LANES

namespace {

// Element `at` of eight rows that are `stride` apart; the last row repeats.
Ball loaded(const double* midpoints, const double* radii, size_t stride, size_t rows, size_t at) {
  Ball x(0.0);
  for (size_t i = 0; i < kLanes; ++i) {
    const size_t place = (i < rows ? i : rows - 1) * stride + at;
    x.m[i] = midpoints[place];
    if (radii != nullptr) x.r[i] = radii[place];
  }
  return x;
}

}  // namespace

void ONNXV_JOIN(attention_numerators_, ONNXV_LANES)(const NumeratorRows& job) {
  std::vector<Ball> products(job.keys), bias(job.bias == nullptr ? 0 : job.keys), numerator(job.keys);
  const Ball constants[] = {Ball(job.constants[0]), Ball(job.constants[1])};
  for (size_t row = 0; row < job.rows; row += kLanes) {
    const size_t rows = job.rows - row < kLanes ? job.rows - row : kLanes, first = row * job.keys;
    for (size_t j = 0; j < job.keys; ++j) {
      products[j] = loaded(job.products + first, job.radii + first, job.keys, rows, j);
      if (job.bias != nullptr) bias[j] = loaded(job.bias + first, nullptr, job.keys, rows, j);
    }
    numerators(job.options, In<Ball>{products.data(), job.keys}, In<Ball>{bias.data(), bias.size()}, In<Ball>{constants, 2},
               Out<Ball>{numerator.data(), job.keys});
    const Ball total = sum(In<Ball>{numerator.data(), job.keys});
    Vec squares = broadcast(0.0);
    for (size_t j = 0; j < job.keys; ++j) {
      squares = squares + numerator[j].r * numerator[j].r;
      for (size_t i = 0; i < rows; ++i) job.numerators[first + i * job.keys + j] = numerator[j].m[i];
    }
    const Vec norms = vector_sqrt(squares);
    for (size_t i = 0; i < rows; ++i) {
      job.radius_norms[row + i] = norms[i];
      job.totals[row + i] = total.m[i];
      job.total_radii[row + i] = total.r[i];
    }
  }
}

#else

void attention_numerators(const NumeratorRows& job) {
  static const auto function = ONNXV_OF_SET(attention_numerators);
  function(job);
}

void attention_numerators(Options options, In<Interval> products, In<Interval> bias, In<Interval> constants, Out<Interval> y) {
  numerators(options, products, bias, constants, y);
}

#endif

}  // namespace onnxv
