// Sigmoid, 1 / (1 + e^-x), as formulas use it.
#pragma once

#include "src/number/formula.h"

namespace onnxv {

// With e = exp(-|x|) <= 1 nothing overflows: 1 / (1 + e) for x >= 0, e / (1 + e) for x < 0.
template <class Real>
[[gnu::always_inline]] inline Real general_sigmoid(const Real& x) {
  const Real e = exp(-abs(x));
  return select(x < Real(0.0), e, Real(1.0)) / (Real(1.0) + e);
}
template <class Real>
[[gnu::always_inline]] inline Real sigmoid(const Real& x) {
  return general_sigmoid(x);
}

#ifdef ONNXV_LANES
inline namespace ONNXV_LANES {

[[gnu::noinline, gnu::cold]] inline Ball unusual_sigmoid(Ball x) { return general_sigmoid(x); }

// The derivative of y is y (1 - y), so ln y moves by less than d over a distance d: |y' - y| <= y (e^d - 1) <= y · r (1 + r) for
// d <= r < 1. At 0 it is 1/2.
inline Ball sigmoid(const Ball& x) {
  const Mask usual = (Mask)(multiply_add(broadcast(kExpReach), x.r, abs(x.m)) < kExpReach);
  if (!all(usual)) return unusual_sigmoid(x);
  const Vec m = near_sigmoid(x.m);
  const Vec r = m * multiply_add(x.r, 1.0 + x.r, broadcast(kSigmoidError));
  return {m, (Vec)((Mask)r & ~exactly_zero(x))};
}

}  // namespace ONNXV_LANES
#endif

}  // namespace onnxv
