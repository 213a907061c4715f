// The exponential on lanes within a constant relative error, and numbers of two doubles. For files that are compiled once per
// instruction set.
#pragma once

#include "src/kernel/product_lanes.h"
#include "src/number/vector_functions.h"

namespace onnxv {
inline namespace ONNXV_LANES {

// An integer n near x / ln 2 as a double, and 2^n.
struct PowerOfTwo {
  Native exponent;
  NativeMask bits;  // of n, in the place of a double's exponent
};
inline PowerOfTwo nearest_power(Native x) {
  constexpr double kMagic = 0x1.8p52;  // what is added to it is rounded to an integer, which the lowest bits show
  const Native shifted = fma(x, spread(0x1.71547652b82fep+0), spread(kMagic));
  return {shifted - kMagic, (NativeMask)shifted << 52};
}

// e^x for -700 <= x <= 1, off by less than 2^-50 of it. With n = round(x / ln 2) and r = x - n ln 2, |r| < 0.3466: ln 2 is split
// into a head of 32 bits, so that the first difference is exact, and a rest: r is off by u |r| and 2^-85 of |n| <= 1010. Taylor's
// polynomial of degree 13 leaves |r|^14 / 14! < 2^-57.6, its coefficients are off by u, and Horner's scheme by u in each step,
// which the next multiplies by r: in all less than 4 u of e^r >= 0.7, where 8 u are claimed. Beyond: any number.
#if defined(__AVX2__) || defined(__AVX512F__)
inline Native lane_exp(Native x) {
  const PowerOfTwo power = nearest_power(x);
  const Native r = fma(power.exponent, spread(-0x1.a39ef35793c76p-33), fma(power.exponent, spread(-0x1.62e42fee00000p-1), x));
  constexpr double kCoefficients[] = {0x1.1eed8eff8d898p-29, 0x1.ae64567f544e4p-26, 0x1.27e4fb7789f5cp-22, 0x1.71de3a556c734p-19,
                                      0x1.a01a01a01a01ap-16, 0x1.a01a01a01a01ap-13, 0x1.6c16c16c16c17p-10, 0x1.1111111111111p-7,
                                      0x1.5555555555555p-5,  0x1.5555555555555p-3,  0.5, 1.0, 1.0};
  Native y = spread(0x1.6124613a86d09p-33);
  for (const double coefficient : kCoefficients) y = fma(y, r, spread(coefficient));
  return (Native)((NativeMask)y + power.bits);
}
#else
// The library's, under the bound of src/number/vector_functions.h. It is slow where everything vanishes.
inline Native lane_exp(Native x) { return vector_exp(choose((NativeMask)(x < -760.0), spread(-760.0), x)); }
#endif

// ---- head + rest, |rest| <= u |head| ----

struct Double {
  Native head, rest;
};

// a + b - sum for sum = the rounded a + b: exact.
inline Native sum_residual(Native a, Native b, Native sum) {
  const Native t = sum - a;
  return (a - (sum - t)) + (b - t);
}
// Exact where |a| >= |b|.
inline Double quick_sum(Native a, Native b) {
  const Native sum = a + b;
  return {sum, b - (sum - a)};
}
// Off by at most 4 u² of |a| + |b|, and of |a b|.
inline Double sum_of(Double a, Native b) {
  const Native sum = a.head + b;
  return quick_sum(sum, sum_residual(a.head, b, sum) + a.rest);
}
inline Double sum_of(Double a, Double b) {
  const Native sum = a.head + b.head;
  return quick_sum(sum, sum_residual(a.head, b.head, sum) + (a.rest + b.rest));
}
inline Double product_of(Double a, Double b) {
  const Native product = a.head * b.head;
  return quick_sum(product, fma(a.head, b.head, -product) + (a.head * b.rest + a.rest * b.head));
}

inline Double quotient_of(Double a, Double b) {
  const Native first = a.head / b.head, product = first * b.head;
  const Native left = ((a.head - product) - fma(first, b.head, -product)) + (a.rest - first * b.rest);
  return quick_sum(first, left / b.head);
}

// e^x for -700 <= x <= 1, off by less than 2^-92 of it and, where the rest is subnormal, 2^-1074. ln 2 in three parts leaves r within 2^-93 (the rests are below 2^-43
// and are added in double). For s = r / 512, |s| < 2^-10.5: e^s - 1 by Taylor's polynomial of degree 8, which leaves 2^-103 of
// s; terms from s^5 on are below 2^-49 of s and need a double only. Nine times e^2s - 1 = 2 (e^s - 1) + (e^s - 1)²
// each add a few u² of the result.
inline Double precise_exp(Double x) {
  const PowerOfTwo power = nearest_power(x.head);
  const Native n = power.exponent;
  const Native first = n * -0x1.62e42fefa3800p-1;  // 42 bits and 10: exact
  const Native a = x.head + first, a_rest = sum_residual(x.head, first, a);
  const Native second = n * -0x1.ef35793c76730p-45, second_rest = fma(n, spread(-0x1.ef35793c76730p-45), -second);
  const Native b = a + second, b_rest = sum_residual(a, second, b);
  const Double r = quick_sum(b, ((a_rest + b_rest) + (x.rest + second_rest)) + n * -0x1.f97b57a079a19p-103);
  const Double s = {r.head * 0x1p-9, r.rest * 0x1p-9};
  Native tail = fma(spread(0x1.a01a01a01a01ap-16), s.head, spread(0x1.a01a01a01a01ap-13));
  tail = fma(fma(tail, s.head, spread(0x1.6c16c16c16c17p-10)), s.head, spread(0x1.1111111111111p-7));
  Double y = sum_of({spread(0x1.5555555555555p-5), spread(0x1.5555555555555p-59)}, tail * s.head);
  y = sum_of({spread(0x1.5555555555555p-3), spread(0x1.5555555555555p-57)}, product_of(y, s));
  y = sum_of({spread(0.5), Native{}}, product_of(y, s));
  y = sum_of(s, product_of(product_of(s, s), y));
  for (int i = 0; i < 9; ++i) y = sum_of({y.head + y.head, y.rest + y.rest}, product_of(y, y));
  y = sum_of(Double{spread(1.0), Native{}}, y);
  const Native scale = (Native)((NativeMask)spread(1.0) + power.bits);
  return {y.head * scale, y.rest * scale};
}

// cap * tanh(x / cap), off by less than 2^-90 cap and 32 u² |x|: by (1 - e) / (1 + e) with e = e^(-2 |x| / cap), whose error
// counts twice.
inline Double precise_cap(Double x, double cap) {
  const Double ratio = quotient_of(x, {spread(cap), Native{}});
  const NativeMask negative = (NativeMask)(ratio.head < 0.0);
  const Double size = {choose(negative, ratio.head, -ratio.head) * 2.0, choose(negative, ratio.rest, -ratio.rest) * 2.0};
  const Double e = precise_exp({choose((NativeMask)(size.head < -700.0), spread(-700.0), size.head), size.rest});
  const Double one = {spread(1.0), Native{}};
  const Double tanh = quotient_of(sum_of(one, Double{-e.head, -e.rest}), sum_of(one, e));
  const Double capped = product_of(tanh, {spread(cap), Native{}});
  return {choose(negative, -capped.head, capped.head), choose(negative, -capped.rest, capped.rest)};
}

}  // namespace ONNXV_LANES
}  // namespace onnxv
