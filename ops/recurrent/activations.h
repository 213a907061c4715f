// The activation functions of RNN, GRU and LSTM: a list of their own in the texts, with formulas of
// their own.
#pragma once

#include "src/number/sigmoid.h"

namespace onnxv {

enum class Activation : int64_t {
  kRelu,
  kTanh,
  kSigmoid,
  kAffine,
  kLeakyRelu,
  kThresholdedRelu,
  kScaledTanh,
  kHardSigmoid,
  kElu,
  kSoftsign,
  kSoftplus,
};

// ln(1 + e^x) = max(x, 0) + ln(1 + e^-|x|).
template <class Real>
Real gate_softplus(Real x) {
  return select(x < Real(0.0), log1p(exp(min(x, Real(0.0)))), x + log1p(exp(-max(x, Real(0.0)))));
}

// Spec: LeakyRelu, ThresholdedRelu and Elu take x itself from x >= their bound on, not from x > it
// as the operators do. A NaN is not >= anything: ThresholdedRelu makes it 0.
template <class Real>
[[gnu::always_inline]] inline Real activated(int64_t kind, Real x, Real alpha, Real beta) {
  if constexpr (reads_every_form<Real>) {
    // The texts' own forms of those that are rewritten below.
    if (kind == static_cast<int64_t>(Activation::kElu)) {
      Real y = select(x >= Real(0.0), x, alpha * expm1(min(x, Real(0.0))));
      join(&y, select(x >= Real(0.0), x, alpha * (exp(min(x, Real(0.0))) - Real(1.0))));
      return y;
    }
    if (kind == static_cast<int64_t>(Activation::kSoftplus)) {
      Real y = gate_softplus(x);
      join(&y, log(Real(1.0) + exp(x)));
      return y;
    }
  }
  switch (static_cast<Activation>(kind)) {
    case Activation::kRelu: return max(x, Real(0.0));
    case Activation::kTanh: return tanh(x);
    case Activation::kSigmoid: return sigmoid(x);
    case Activation::kAffine: return alpha * x + beta;
    case Activation::kLeakyRelu: return select(x >= Real(0.0), x, alpha * x);
    case Activation::kThresholdedRelu: return select(x >= alpha, x, Real(0.0));
    case Activation::kScaledTanh: return alpha * tanh(beta * x);
    case Activation::kHardSigmoid: return max(min(alpha * x + beta, Real(1.0)), Real(0.0));
    case Activation::kElu: return select(x >= Real(0.0), x, alpha * expm1(min(x, Real(0.0))));
    case Activation::kSoftsign: return x / (Real(1.0) + abs(x));
    case Activation::kSoftplus: return gate_softplus(x);
  }
  return x;
}

// The functions of one cell, as a formula reads them: options [clips, kind of each function…] and
// parameters [clip, alpha and beta of each function…].
template <class Real>
struct CellFunctions {
  Options options;
  In<Real> parameters;

  [[gnu::always_inline]] Real operator()(size_t function, Real x) const {
    return activated(options[1 + function], clipped(x), parameters[1 + 2 * function],
                     parameters[2 + 2 * function]);
  }
  // 1 - f(x): for a sigmoid that is sigmoid(-x), which keeps its digits where f(x) is nearly 1.
  [[gnu::always_inline]] Real complement(size_t function, Real x) const {
    if (options[1 + function] == static_cast<int64_t>(Activation::kSigmoid)) {
      Real rest = sigmoid(-clipped(x));
      if constexpr (reads_every_form<Real>) join(&rest, Real(1.0) - (*this)(function, x));
      return rest;
    }
    return Real(1.0) - (*this)(function, x);
  }

 private:
  Real clipped(Real x) const {
    return options[0] == 0 ? x : min(max(x, -parameters[0]), parameters[0]);
  }
};

}  // namespace onnxv
