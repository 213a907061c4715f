#include "ops/attention/formulas.h"

#include <vector>

namespace onnxv {
namespace {

// Spec: "scale Q, K by sqrt(scale)" is advice against overflow, which real numbers do not have. The
// default scale is the real 1 / sqrt(head size).
constexpr auto attention_score = []<class Real>(Options options, Real product, Real bias,
                                                Real scale, Real softcap) -> Real {
  Real score = options[0] != 0 ? product * scale : product / sqrt(scale);
  // Spec: the soft cap comes before the bias.
  if (options[1] != 0) {
    score = softcap * tanh(score / softcap);
  }
  return options[2] != 0 ? score + bias : score;
};

// Softmax's numerators over a row, each multiplied by exp(-c) with c near the largest logit.
template <class Real>
void numerators(Options options, In<Real> products, In<Real> bias, In<Real> constants,
                Out<Real> y) {
  for (size_t j = 0; j < y.size(); ++j) {
    y[j] = attention_score(options, products[j], options[2] != 0 ? bias[j] : products[j],
                           constants[0], constants[1]);
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

// One division behind each sum stands for one in front of each term.
constexpr auto attention = []<class Real>(Options options, In<Real> products, In<Real> bias,
                                          In<Real> constants, In<Real> values, Out<Real> y) {
  const size_t keys = products.size();
  std::vector<Real> weights(keys);
  numerators(options, products, bias, constants, Out<Real>{weights.data(), keys});
  const In<Real> w{weights.data(), keys};
  const Real total = sum(w);
  for (size_t column = 0; column < y.size(); ++column)
    y[column] = dot(values.part(column * keys, keys), w) / total;
};

constexpr auto as_it_is = []<class Real>(Real x) -> Real { return x; };

}  // namespace
ELEMENTWISE_FORMULA(kAttentionScoreFormula, attention_score, 4)
LINE_FORMULA(kAttentionWeightsFormula, attention_weights, 3, 1)
LINE_FORMULA(kAttentionFormula, attention, 4, 1)
ELEMENTWISE_FORMULA(kAsItIsFormula, as_it_is, 1)
}  // namespace onnxv
