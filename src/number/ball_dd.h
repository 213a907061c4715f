// BallDD: the Value reading over a double-double midpoint (numerics.md, section 2): between Ball and Interval on the ladder, for what
// cancels and for float64.
//
//   r == 0        the value is head + tail itself; where head is not finite, or zero, tail is 0: any double
//   0 < r < inf   a finite real within r of head + tail; {±2^-950, 0, 2^-950} is an underflowed nonzero of head's sign
//   r == inf      open: nothing is known (head and tail are 0)
// head is always head + tail rounded to nearest.
//
// As in Ball, r takes the actual error of every operation: sums and products of double-doubles are made of error-free steps, and
// what a step leaves over is added to r. Radius arithmetic is plain floating point; the factor (1 + 2^-20) at the check pays for it,
// and for writing |head| where |head + tail| is meant. Products and quotients below 2^-900 and everything that meets a special value go to
// the cold repair, where IEEE's own operation decides as it does for Ball.
//
// One number at a time, compiled once: what gets here is a line in a thousand, or float64.
#pragma once

#include <cstddef>
#include <cstdint>

#include "src/number/double_double.h"
#include "src/number/operands.h"

namespace onnxv {

class Interval;
struct Target;

struct BallDD {
  double head = 0, tail = 0, r = 0;
  BallDD() = default;  // +0
  BallDD(double exact) : head(exact) {}  // NOLINT: constants of a formula
  BallDD(double heads, double tails, double radius) : head(heads), tail(tails), r(radius) {}
  BallDD(DoubleDouble x, double radius) : head(x.head), tail(x.tail), r(radius) {}
  // What lies between the ends of an enclosure.
  static BallDD of(const Interval& x);
  static BallDD open();

  DoubleDouble pair() const { return {head, tail}; }
  bool is_exact() const { return r == 0; }
  bool is_open() const { return r == __builtin_inf(); }
  bool is_nan_point() const { return head != head; }
  bool is_infinite_point() const { return __builtin_isinf(head); }
  bool is_zero_point() const { return r == 0 && head == 0; }
};

// The value is at most `reach` away from head + tail, in rounded arithmetic too.
inline double reach(const BallDD& x) { return x.r * (1.0 + 0x1p-20); }

struct BallDecision {
  bool yes, open;
};

inline BallDD operator-(const BallDD& x) { return {-x.head, -x.tail, x.r}; }
BallDD operator+(const BallDD& a, const BallDD& b);
inline BallDD operator-(const BallDD& a, const BallDD& b) { return a + -b; }
BallDD operator*(const BallDD& a, const BallDD& b);
BallDD operator/(const BallDD& a, const BallDD& b);
inline BallDD& operator+=(BallDD& a, const BallDD& b) { return a = a + b; }
inline BallDD& operator-=(BallDD& a, const BallDD& b) { return a = a - b; }
inline BallDD& operator*=(BallDD& a, const BallDD& b) { return a = a * b; }

inline BallDD abs(const BallDD& x) { return __builtin_signbit(x.head) ? -x : x; }
BallDD min(const BallDD& a, const BallDD& b);
BallDD max(const BallDD& a, const BallDD& b);
BallDecision operator<(const BallDD& a, const BallDD& b);
BallDecision operator<=(const BallDD& a, const BallDD& b);
inline BallDecision operator>(const BallDD& a, const BallDD& b) { return b < a; }
inline BallDecision operator>=(const BallDD& a, const BallDD& b) { return b <= a; }
BallDecision operator==(const BallDD& a, const BallDD& b);
inline BallDecision is_nan(const BallDD& x) { return {x.is_nan_point(), x.is_open()}; }
inline BallDecision operator&&(BallDecision a, BallDecision b) {
  const bool no = (!a.yes && !a.open) || (!b.yes && !b.open);
  return {a.yes && b.yes, !no && (a.open || b.open)};
}
inline BallDecision operator||(BallDecision a, BallDecision b) {
  const bool yes = a.yes || b.yes;
  return {yes, !yes && (a.open || b.open)};
}
inline BallDecision operator!(BallDecision a) { return {!a.yes && !a.open, a.open}; }
// a, b, or the hull of both where it is open.
BallDD select(BallDecision yes, const BallDD& a, const BallDD& b);

BallDD sqrt(const BallDD& x);
BallDD exp(const BallDD& x);
BallDD expm1(const BallDD& x);
BallDD log(const BallDD& x);
BallDD log1p(const BallDD& x);
BallDD sin(const BallDD& x);
BallDD cos(const BallDD& x);
BallDD tan(const BallDD& x);
BallDD asin(const BallDD& x);
BallDD acos(const BallDD& x);
BallDD atan(const BallDD& x);
BallDD sinh(const BallDD& x);
BallDD cosh(const BallDD& x);
BallDD tanh(const BallDD& x);
BallDD asinh(const BallDD& x);
BallDD acosh(const BallDD& x);
BallDD atanh(const BallDD& x);
BallDD erf(const BallDD& x);
BallDD erfc(const BallDD& x);
BallDD erfinv(const BallDD& x);
BallDD pow(const BallDD& x, const BallDD& y);
BallDD pi(const BallDD&);
void turn(int64_t k, int64_t n, BallDD& cosine, BallDD& sine);

// Exact where the whole ball agrees, else open.
BallDD floor(const BallDD& x);
BallDD ceil(const BallDD& x);
BallDD trunc(const BallDD& x);
BallDD nearest_even(const BallDD& x);
BallDD fmod(const BallDD& x, const BallDD& y);
BallDD round_to(int64_t format, const BallDD& x);

// Compensated twice: exact (r == 0) when no third residual is left.
BallDD sum(In<BallDD> terms);
BallDD dot(In<BallDD> a, In<BallDD> b);
// sums[i] = terms[0] + … + terms[i].
void prefix_sums(In<BallDD> terms, Out<BallDD> sums);
inline BallDD sum(Out<BallDD> terms) { return sum(In<BallDD>(terms)); }
inline BallDD dot(Out<BallDD> a, Out<BallDD> b) { return dot(In<BallDD>(a), In<BallDD>(b)); }

// An exact number near the largest finite element of a line; 0 where there is none.
BallDD shift_of(In<BallDD> line);
inline BallDD shift_of(Out<BallDD> line) { return shift_of(In<BallDD>(line)); }

// The code of the value rounded once to its target; false where the ball holds values of several codes.
bool settle(const Target& target, const BallDD& x, uint64_t* code);

}  // namespace onnxv
