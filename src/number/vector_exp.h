// e^x, 1 / (1 + e^-x) and tanh on lanes, inline and with a proved bound, where the machine has fma; elsewhere the library's.
//
// In units of u = 2^-53. x = k ln 2 + r, k = x/ln 2 rounded to an integer, |r| <= 0.34658 (half of ln 2, and what the rounding of
// x/ln 2 adds: below 2^-41). With fma, x - k·high is exact: `high` has 42 bits behind the point, so that both terms are multiples of
// 2^-54 (k = 0: r = x), and the difference is below 1/2. Subtracting k·low rounds once: r is off by 2^-55 = u/4 at most (the error of
// `low` itself, 2^-101·|k|, is nothing).
//   e^r - 1 = r + r²·q(r): q interpolates (e^r - 1 - r)/r² at the ten Chebyshev nodes of [-0.34658, 0.34658]. The remainder is at
// most max|f^(10)|/10! · 0.34658^10 / 2^9 <= 1.4/12! · 2.6e-5 / 512 < 1.4u; with the rounded coefficients it is 1.1u (evaluated
// at 8,001 points in 300 bits). Evaluating q (its value is below 0.57) adds less than 1.1u, r·r another u relative.
#pragma once

#include "src/number/vector_functions.h"

namespace onnxv {
inline namespace ONNXV_LANES {

inline constexpr double kExpError = 0x1p-51;    // relative, of near_exp
inline constexpr double kSigmoidError = 0x1p-50;  // relative, of near_sigmoid
inline constexpr double kTanhError = 0x1p-50;   // relative, of near_tanh
inline constexpr double kExpReach = 620;        // near_exp is right for |x| <= kExpReach: its results are above 2^-900

#if defined(__AVX2__) || defined(__AVX512F__)

// k as the lowest bits of a double of exponent 52, and e^r - 1.
struct ReducedExp {
  Mask k;
  Vec rest;
};

// |rest| <= 0.42. Its absolute error: r² (1.1u + 1.1u + 0.57u) + the last rounding, u/4, + the error of r, e^r·u/4: below u.
// Where k = 0 (r = x): r² · 2.8u + |rest| u <= 2.2u relative, for |r|/|rest| <= 1.2.
inline ReducedExp reduced_exp(Vec x) {
  const Vec magic = broadcast(0x1.8p52);
  const Vec shifted = fma(x, broadcast(0x1.71547652b82fep+0), magic);
  const Vec k = shifted - magic;
  const Vec r = fma(k, broadcast(-0x1.ef35793c7673p-45), fma(k, broadcast(-0x1.62e42fefa38p-1), x));
  const Vec s = r * r;
  const Vec q01 = fma(r, broadcast(0x1.5555555555556p-3), broadcast(0x1.0000000000001p-1));
  const Vec q23 = fma(r, broadcast(0x1.11111111109b4p-7), broadcast(0x1.5555555553d67p-5));
  const Vec q45 = fma(r, broadcast(0x1.a01a01a7c327ap-13), broadcast(0x1.6c16c1788a49bp-10));
  const Vec q67 = fma(r, broadcast(0x1.71de0db21e27fp-19), broadcast(0x1.a019b9133a48ap-16));
  const Vec q89 = fma(r, broadcast(0x1.af38a0d2d962p-26), broadcast(0x1.28917e2c43a66p-22));
  const Vec q = fma(s * s, fma(s * s, q89, fma(s, q67, q45)), fma(s, q23, q01));
  return {(Mask)shifted, fma(s, q, r)};
}

// e^x for |x| <= kExpReach; anything elsewhere. 1 + rest lies in [0.7, 1.42] and rounds by u at most (by u/2 below 1): the error
// is below u + u = 2u above 1 and below (u + u/2) / 0.7 below it, and 2^k is exact.
inline Vec near_exp(Vec x) {
  const ReducedExp e = reduced_exp(x);
  return (Vec)((Mask)(1.0 + e.rest) + (e.k << 52));
}

// tanh(|x|) = n / (2 - n), n = 1 - e^(-2|x|) = (1 - 2^k) - 2^k·rest: for k = 0 n is -rest, 2.2u off; for k <= -1 rest's error
// counts half at most, 1 - 2^k is exact (below k = -53 rounded by u/2, beside an n of nearly 1) and n, in [0.29, 1], rounds by
// u/2 (by u/4 below 0.5): (u/2 + u/4)/0.29 or (u/2 + u/2)/0.5, at most 2.6u. Through 2 - n an error of n counts
// 2/(2 - n) fold: 1.2 fold near 0.29, 2 fold at 1, where it is u/2; with the roundings of 2 - n and of the
// quotient less than 2.6u·1.4 + 2u < 6u. Beyond 20 tanh is 1 within u/10. A zero stays as it is. Anything for NaN.
inline Vec near_tanh(Vec x) {
  const ReducedExp e = reduced_exp(-2.0 * smaller_of(abs(x), broadcast(20.0)));
  const Vec power = (Vec)((e.k << 52) + (Mask)broadcast(1.0));
  const Vec n = fma(-power, e.rest, 1.0 - power);
  const Vec signed_n = (Vec)((Mask)n | ((Mask)x & INT64_MIN));
  return signed_n / (2.0 - n);
}

#else

// glibc's own bounds: less than 1 ulp for exp, 2 ulp for tanh.
inline Vec near_exp(Vec x) { return vector_exp(x); }
inline Vec near_tanh(Vec x) { return vector_tanh(x); }

#endif

// 1 / (1 + e) with e = e^-x, for |x| <= kExpReach: an error of e counts e / (1 + e) fold, the sum and the quotient round by u each:
// below 4u + 2.1u.
inline Vec near_sigmoid(Vec x) { return 1.0 / (1.0 + near_exp(-x)); }

}  // namespace ONNXV_LANES
}  // namespace onnxv
