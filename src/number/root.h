// The nth root, beside the functions of ball.h and interval.h, for the few formulas that need it.
#pragma once

#include <cstdint>

#include "src/number/operands.h"

#ifdef ONNXV_LANES

#include "src/number/ball.h"

namespace onnxv {
inline namespace ONNXV_LANES {

// Of x >= 0, n >= 1. log and exp carry their own bounds; a root that is exact is settled by the proof.
inline Ball root(const Ball& x, int64_t n) {
  if (n == 1) return x;
  if (n == 2) return sqrt(x);
  if (n == 4) return sqrt(sqrt(x));
  return exp(log(x) / Ball(static_cast<double>(n)));
}

}  // namespace ONNXV_LANES
}  // namespace onnxv

#else

#include "src/number/ball_dd.h"
#include "src/number/interval.h"
#include "src/number/model.h"

namespace onnxv {

// As for Ball.
inline BallDD root(const BallDD& x, int64_t n) {
  if (n == 1) return x;
  if (n == 2) return sqrt(x);
  if (n == 4) return sqrt(sqrt(x));
  return exp(log(x) / BallDD(static_cast<double>(n)));
}

// By the power function, as backends do.
inline ModelReal root(const ModelReal& x, int64_t n) {
  if (n == 1) return x;
  if (n == 2) return sqrt(x);
  return pow(x, ModelReal(1.0) / ModelReal(static_cast<double>(n)));
}

// Of x >= 0, n >= 1; correctly rounded outward, so that an exact root of a point is a point.
inline Interval root(const Interval& x, int64_t n) {
  if (x.is_nan_point()) return Interval::nan();
  if (x.is_open()) return Interval::open();
  if (!x.is_zero_point() && mpfr_sgn(x.low()) < 0) return mpfr_sgn(x.high()) < 0 ? Interval::nan() : Interval::open();
  Interval y;
  mpfr_rootn_ui(y.low(), x.low(), static_cast<unsigned long>(n), MPFR_RNDD);
  mpfr_rootn_ui(y.high(), x.high(), static_cast<unsigned long>(n), MPFR_RNDU);
  return y;
}

}  // namespace onnxv

#endif
