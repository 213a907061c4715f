// The common functions of balls, inline; each with the bound of its radius. Included by src/number/ball.h.
//
// The usual case is one test away: every lane finite, and its value not near zero. The rest (zeros, infinities, NaN, what vanishes or
// overflows) is behind a call.
#pragma once

#include "src/number/ball.h"
#include "src/number/vector_exp.h"

namespace onnxv {
inline namespace ONNXV_LANES {

struct BallFunction {
  double (*scalar)(double);
  bool overflows;      // an infinity at a finite argument is an overflow, not a pole
  bool positive;       // every value is > 0: an underflow has a sign
  double zero_at;      // the other exact zero beside f(0) = 0, or NaN
  bool near_itself = false;  // f(x) = x (1 + O(x)): what has vanished stays as it is
};
inline constexpr double kNowhere = __builtin_nan("");
inline constexpr BallFunction kExpm1Function{::expm1, true, false, kNowhere, true};
inline constexpr BallFunction kLogFunction{::log, false, false, 1};
inline constexpr BallFunction kLog1pFunction{::log1p, false, false, kNowhere, true};
inline constexpr BallFunction kErfFunction{::erf, false, false, kNowhere};
inline constexpr BallFunction kErfcFunction{::erfc, false, true, kNowhere};

// `y` as it comes from the library, for lanes of y that are not regular: f(0) = 0 is exact, the others are repaired one by one.
[[gnu::noinline, gnu::cold]] Ball unusual(const BallFunction& function, Ball x, Ball y);
[[gnu::noinline, gnu::cold]] Ball unusual_sqrt(Ball x, Ball y);
[[gnu::noinline, gnu::cold]] Ball unusual_exp(Ball x, Ball y, Mask usual);
[[gnu::noinline, gnu::cold]] Ball unusual_tanh(Ball x, Ball y);

// A library function's value m, within `spread` for the radius of x.
inline Ball finished(const BallFunction& function, const Ball& x, Vec m, Vec spread) {
  Ball y{m, multiply_add(abs(m), broadcast(kLibrary), spread)};
  if (!all(regular(y))) y = unusual(function, x, y);
  return y;
}

inline Mask exactly_zero(const Ball& x) { return (Mask)((Vec)((Mask)x.m | (Mask)x.r) == 0.0); }
inline Vec where(Mask condition, Vec value) { return condition ? value : broadcast(kInf); }
// r = 0 where the argument is exactly `point`, or infinite: the midpoint is exact there.
inline Ball exact_at(double point, const Ball& x, const Ball& y) {
  const Mask here = (Mask)(x.r == 0.0) & (Mask)(x.m == point);
  return {y.m, here ? broadcast(0.0) : y.r};
}
inline Ball exact_at_infinities(const Ball& x, const Ball& y) {
  const Mask here = (Mask)(x.r == 0.0) & (Mask)(abs(x.m) == kInf);
  return {y.m, here ? broadcast(0.0) : y.r};
}

// |sqrt(a') - m| = |a' - m²| / (sqrt(a') + m) <= (ra + |a - m²|) / m. A tiny argument's remainder could underflow.
inline Ball sqrt(const Ball& x) {
  const Vec m = vector_sqrt(x.m);
  const Vec error = abs(fma(-m, m, x.m));
  Ball y{m, where((Mask)(x.m > x.r) | (Mask)(x.r == 0.0), never_exact((x.r + error) / m, x.r))};
  if (!all((Mask)(y.r < kInf) & (Mask)(abs(x.m) >= kRegular))) y = unusual_sqrt(x, y);
  return y;
}

// e^(x+d) - e^x, |d| <= r < 1: at most e^x · r · (1 + r). e^0 = 1.
inline Ball exp(const Ball& x) {
  const Vec m = near_exp(x.m);
  Ball y{m, m * multiply_add(x.r, 1.0 + x.r, broadcast(kExpError))};
  y.r = (Vec)((Mask)y.r & ~exactly_zero(x));
  // |m| < kExpReach and r < 1.
  const Mask usual = (Mask)(multiply_add(broadcast(kExpReach), x.r, abs(x.m)) < kExpReach);
  if (!all(usual)) y = unusual_exp(x, y, usual);
  return y;
}

inline Ball expm1(const Ball& x) {
  const Vec m = vector_expm1(x.m);
  const Vec slope = (m + 1.0) * (1.0 + 0x1p-40);
  const Vec spread = where((Mask)(x.r < 1.0), (Vec)(x.r == 0.0 ? x.r : slope * x.r * (1.0 + x.r)));
  return exact_at(-kInf, x, finished(kExpm1Function, x, m, spread));
}

inline Ball log(const Ball& x) {
  const Vec m = vector_log(x.m);
  const Vec spread = x.r == 0.0 ? x.r : (Vec)(x.r / (x.m - x.r));
  return finished(kLogFunction, x, m, where((Mask)(x.r < x.m) | (Mask)(x.r == 0.0), spread));
}

inline Ball log1p(const Ball& x) {
  const Vec m = vector_log1p(x.m);
  const Vec room = 1.0 + x.m - x.r;
  const Vec spread = x.r == 0.0 ? x.r : (Vec)(x.r / room * (1.0 + 0x1p-40));
  return finished(kLog1pFunction, x, m, where((Mask)(room > 0.0) | (Mask)(x.r == 0.0), spread));
}

// No slope is above 1.
inline Ball tanh(const Ball& x) {
  const Vec m = near_tanh(x.m);
  Ball y{m, multiply_add(abs(m), broadcast(kTanhError), x.r)};
  if (!all((Mask)(abs(x.m) + x.r < kInf) & (Mask)(abs(m) >= kRegular))) y = unusual_tanh(x, y);
  return y;
}

// No slope is above 2/sqrt(pi).
inline Ball erf(const Ball& x) { return exact_at_infinities(x, finished(kErfFunction, x, vector_erf(x.m), 1.1284 * x.r)); }

// For x >= 0: |erfc'(x)| <= erfc(x) (x + sqrt(x² + 2)) <= erfc(x) (2x + 1.4143), so erfc falls by at most e^t, t = d (2x + 2), over a
// distance d. For x < 0 the slope is at most 2/sqrt(pi) and erfc(x) > 1.
inline Ball erfc(const Ball& x) {
  const Vec m = vector_erfc(x.m);
  const Vec twice = 2.0 * abs(x.m);
  const Vec t = x.r * (twice + 2.0);
  const Vec tail = m * (twice + 1.4143) * x.r * (1.0 + 2.0 * t);
  const Vec spread = (Mask)(x.m >= 0.0) ? where((Mask)(t < 0.5), tail) : (Vec)(1.1284 * x.r);
  Ball y = exact_at_infinities(x, finished(kErfcFunction, x, m, (Vec)(x.r == 0.0 ? x.r : spread)));
  y.r = (Vec)((Mask)y.r & ~exactly_zero(x));
  return y;
}

Ball sin(const Ball& x);
Ball cos(const Ball& x);
Ball tan(const Ball& x);
Ball asin(const Ball& x);
Ball acos(const Ball& x);
Ball atan(const Ball& x);
Ball sinh(const Ball& x);
Ball cosh(const Ball& x);
Ball asinh(const Ball& x);
Ball acosh(const Ball& x);
Ball atanh(const Ball& x);

}  // namespace ONNXV_LANES
}  // namespace onnxv
