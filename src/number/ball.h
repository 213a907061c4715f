// Ball: the Value reading. Lanes of a midpoint and a radius (numerics.md, section 2).
//
//   r == 0        the value is m itself: any double, NaN, infinities and -0 included
//   0 < r < inf   a finite real within r of m; r == |m| == 2^-950 is an underflowed nonzero of m's sign,
//                 and r <= |m| in general says that the sign is m's
//   r == inf      open: nothing is known (m is 0)
//
// Every operation computes m by the plain IEEE operation and r from its actual error (TwoSum residual, fma
// remainder), then makes one test: r < inf && |m| >= 2^-900. Lanes that fail go to a cold repair, which is the identity on the
// others. Radius arithmetic is plain floating point: each operation loses at most a factor (1 + 3u), paid for once by
// the factor (1 + 2^-20) at the final check.
#pragma once

#include "src/number/format_numbers.h"
#include "src/number/operands.h"
#include "src/number/vector_functions.h"

namespace onnxv {
inline namespace ONNXV_LANES {

inline constexpr double kInf = __builtin_inf();
inline constexpr double kRegular = 0x1p-900;   // smaller midpoints take the cold path
inline constexpr double kVanished = 0x1p-950;  // an underflowed nonzero of known sign
inline constexpr double kEta = 0x1p-1022;      // more than any underflow error of one operation
inline constexpr double kUnsure = 0x1p-970;    // in the radius of every tiny number of unknown sign: sign_known()
inline constexpr double kLibrary = 0x1p-49;    // 16 u: relative error of a library function

struct alignas(sizeof(Vec)) Ball {
  Vec m, r;
  Ball() = default;
  Ball(double exact) : m(broadcast(exact)), r(broadcast(0.0)) {}  // NOLINT: constants of a formula
  Ball(Vec midpoint, Vec radius) : m(midpoint), r(radius) {}
  // Member by member: g++ 12 copies a struct 16 bytes at a time, and a register read back over two such stores waits for both.
  Ball(const Ball& x) : m(x.m), r(x.r) {}
  Ball& operator=(const Ball& x) {
    m = x.m;
    r = x.r;
    return *this;
  }

  static Ball at(const LaneOperand& in, size_t i) { return {load(in.m + i * in.m_step), load(in.r + i * in.r_step)}; }
  void put(const LaneResult& out, size_t i) const {
    store(out.m + i, m);
    store(out.r + i, r);
  }
};

// A comparison per lane: yes, no, or open.
struct Decision {
  Mask yes, open;
};

// One lane, for the cold path.
struct Lane {
  double m, r;
};

inline bool is_exact(Lane x) { return x.r == 0; }
inline bool is_open(Lane x) { return !(x.r < kInf); }
inline bool is_nan_lane(Lane x) { return x.r == 0 && x.m != x.m; }
inline bool is_infinite(Lane x) { return x.r == 0 && __builtin_isinf(x.m); }
inline bool is_zero(Lane x) { return x.r == 0 && x.m == 0; }
inline bool finite_lane(Lane x) { return x.r < kInf && __builtin_isfinite(x.m); }
// The sign of the value is that of m (for an exact zero: the sign of the zero). A radius may be short by the factor
// 1 + 2^-20, but not that of a sum of vanished numbers: those of one sign add up to r = |m|; one of the other sign makes r - |m| at
// least 2^-950, one of unknown sign at least kUnsure, and an addition below 2^-940 hides no more than 2^-993.
inline bool sign_known(Lane x) {
  const double size = __builtin_fabs(x.m);
  return x.r == 0 ? x.m == x.m : x.r * (1.0 + 0x1p-20) <= size || (x.r <= size && size < 0x1p-940);
}
inline Lane open_lane() { return {0, kInf}; }
inline Lane vanished(bool negative) { return {negative ? -kVanished : kVanished, kVanished}; }

enum class Operation { kAdd, kMultiply, kDivide };

Lane repaired(Operation operation, Lane a, Lane b, Lane result);
// Cold paths take copies: what a call sees by its address would leave the registers, on the usual path too.
[[gnu::noinline, gnu::cold]] Ball repair(Operation operation, Ball a, Ball b, Ball result);
[[gnu::noinline, gnu::cold]] Ball unusual_quotient(Ball a, Ball b, Ball quotient);

inline Mask regular(const Ball& x) { return (Mask)(x.r < kInf) & (Mask)(abs(x.m) >= kRegular); }

// Every x that is in the ball lies in [m - slack, m + slack], in rounded arithmetic too.
inline Vec slack(const Ball& x) {
  const Vec wide = multiply_add(x.r, broadcast(1.0 + 0x1p-20), abs(x.m) * 0x1p-52);
  return x.r == 0.0 ? broadcast(0.0) : wide;
}

// ---- + - * / ----

inline Vec two_sum_error(Vec a, Vec b, Vec s) {
  const Vec t = s - a;
  return (a - (s - t)) + (b - t);
}

inline Ball operator-(const Ball& x) { return {-x.m, x.r}; }

// No test of the magnitude: a finite sum needs no repair however small, and one that is not finite leaves a NaN residual.
inline Ball operator+(const Ball& a, const Ball& b) {
  const Vec m = a.m + b.m;
  Ball sum{m, a.r + b.r + abs(two_sum_error(a.m, b.m, m))};
  if (!all((Mask)(sum.r < kInf))) sum = repair(Operation::kAdd, a, b, sum);
  return sum;
}
inline Ball operator-(const Ball& a, const Ball& b) { return a + -b; }

// `radius` as it is, but never the 0 of an exact result where it underflowed: 1 + e^-650 has a radius of 2^-938 only. `given` is the
// radii of the operands added up; a NaN stays one.
inline Vec never_exact(Vec radius, Vec given) { return greater_of(smaller_of(given, broadcast(kEta)), radius); }

// |a'b' - m| <= |a||b' - b| + |b'||a' - a| + |ab - m|.
inline Ball operator*(const Ball& a, const Ball& b) {
  const Vec m = a.m * b.m;
  const Vec error = abs(fma(a.m, b.m, -m));
  Ball product{m, never_exact(multiply_add(abs(a.m), b.r, multiply_add(abs(b.m) + b.r, a.r, error)), a.r + b.r)};
  if (!all(regular(product))) product = repair(Operation::kMultiply, a, b, product);
  return product;
}

// a'/b' - m = ((a - m b) + (a' - a) - m (b' - b)) / b', whatever m is: here a times 1/b, corrected once. (Where b is the same
// for a whole line, the division leaves the loop; with q the rounded reciprocal m is a/b rounded to nearest, Markstein 1990.)
// 1/(|b| - rb) <= |q| (1 + 2^-20) for rb |q| < 2^-21. A tiny dividend's remainder could underflow and look like none.
inline Ball operator/(const Ball& a, const Ball& b) {
  const Vec q = 1.0 / b.m, size = abs(q);
  const Vec near = a.m * q;
  const Vec m = fma(fma(-near, b.m, a.m), q, near);
  const Vec error = abs(fma(-m, b.m, a.m));
  Ball quotient{m, never_exact((multiply_add(abs(m), b.r, a.r) + error) * (size * (1.0 + 0x1p-20)), a.r + b.r)};
  const Mask usual = (Mask)(b.r * size < 0x1p-21) & (Mask)(abs(a.m) >= kRegular) & regular(quotient);
  if (!all(usual)) quotient = unusual_quotient(a, b, quotient);
  return quotient;
}

inline Ball& operator+=(Ball& a, const Ball& b) { return a = a + b; }
inline Ball& operator-=(Ball& a, const Ball& b) { return a = a - b; }
inline Ball& operator*=(Ball& a, const Ball& b) { return a = a * b; }

// ---- choices ----

inline Ball abs(const Ball& x) { return {abs(x.m), x.r}; }

// Where both are exact and neither is NaN, the machine's comparison is the answer; the general way is behind a call.
inline bool plainly_ordered(const Ball& a, const Ball& b) {
  return all((Mask)((Vec)((Mask)a.r | (Mask)b.r) == 0.0));
}
Ball extreme(Ball a, Ball b, bool greatest);
Decision general_less(Ball a, Ball b);
Decision general_less_or_equal(Ball a, Ball b);
Decision general_equal(Ball a, Ball b);

inline Ball max(const Ball& a, const Ball& b) {
  const Mask nan = (Mask)(a.m != a.m) | (Mask)(b.m != b.m);
  if (!plainly_ordered(a, b) || any(nan)) return extreme(a, b, true);
  const Vec m = a.m > b.m ? a.m : b.m;
  return {(Vec)(a.m == b.m ? (Vec)((Mask)a.m & (Mask)b.m) : m), a.r};
}
inline Ball min(const Ball& a, const Ball& b) {
  const Mask nan = (Mask)(a.m != a.m) | (Mask)(b.m != b.m);
  if (!plainly_ordered(a, b) || any(nan)) return extreme(a, b, false);
  const Vec m = a.m < b.m ? a.m : b.m;
  return {(Vec)(a.m == b.m ? (Vec)((Mask)a.m | (Mask)b.m) : m), a.r};
}

inline Decision operator<(const Ball& a, const Ball& b) {
  return plainly_ordered(a, b) ? Decision{(Mask)(a.m < b.m), Mask{}} : general_less(a, b);
}
inline Decision operator<=(const Ball& a, const Ball& b) {
  return plainly_ordered(a, b) ? Decision{(Mask)(a.m <= b.m), Mask{}} : general_less_or_equal(a, b);
}
inline Decision operator==(const Ball& a, const Ball& b) {
  return plainly_ordered(a, b) ? Decision{(Mask)(a.m == b.m), Mask{}} : general_equal(a, b);
}
inline Decision operator>(const Ball& a, const Ball& b) { return b < a; }
inline Decision operator>=(const Ball& a, const Ball& b) { return b <= a; }
inline Decision is_nan(const Ball& x) { return {(Mask)(x.m != x.m), ~(Mask)(x.r < kInf)}; }
inline Decision operator&&(Decision a, Decision b) {
  const Mask no = (~a.yes & ~a.open) | (~b.yes & ~b.open);
  return {a.yes & b.yes, ~no & (a.open | b.open)};
}
inline Decision operator||(Decision a, Decision b) {
  const Mask yes = a.yes | b.yes;
  return {yes, ~yes & (a.open | b.open)};
}
inline Decision operator!(Decision a) { return {~a.yes & ~a.open, a.open}; }
inline Decision decided(bool yes) {
  return {yes ? ~Mask{} : Mask{}, Mask{}};
}
// a where yes, b where no, the hull of both where open.
Ball hull_where_open(Decision yes, Ball a, Ball b, Ball chosen);
inline Ball select(Decision yes, const Ball& a, const Ball& b) {
  const Ball chosen{yes.yes ? a.m : b.m, yes.yes ? a.r : b.r};
  return any(yes.open) ? hull_where_open(yes, a, b, chosen) : chosen;
}

// An exact number near the largest finite midpoint of a line; 0 where there is none. For shifts that change nothing.
template <class Reals>
Ball shift_of(const Reals& line) {
  Vec best = broadcast(-kInf);
  for (const Ball& x : line) {
    const Mask finite = (Mask)(abs(x.m) + x.r < kInf);
    best = greater_of(best, (Vec)(finite ? x.m : broadcast(-kInf)));
  }
  return {(Vec)(best == -kInf ? broadcast(0.0) : best), broadcast(0.0)};
}

// ---- functions: the others are inline in src/number/ball_functions.h ----

Ball erfinv(const Ball& x);
Ball pow(const Ball& x, const Ball& y);
// The constant pi; the argument only names the arithmetic.
Ball pi(const Ball&);
// cos(2 pi k / n) and sin(2 pi k / n), exact where they are rational; n > 0.
void turn(int64_t k, int64_t n, Ball& cosine, Ball& sine);

// ---- steps: exact where the whole ball agrees, else open ----

Ball floor(const Ball& x);
Ball ceil(const Ball& x);
Ball trunc(const Ball& x);
Ball nearest_even(const Ball& x);
// Remainder of exact operands: sign of the dividend (fmod), exact by nature. Open where an operand is not exact.
Ball fmod(const Ball& x, const Ball& y);
// m + reach, which for m = -0 and no reach is -0.
inline Vec upper_end(Vec m, Vec reach) { return -(-m - reach); }

// Rounded once to a format: `format` is format_number() of src/number/ladder.h.
Ball general_round_to(int64_t format, Ball x);
inline Ball round_to(int64_t format, const Ball& x) {
  if (format != kFloat32Number) return general_round_to(format, x);
  const Vec reach = slack(x);
  const FloatVec low = as_floats(x.m - reach);
  const FloatVec high = as_floats(upper_end(x.m, reach));
  const Vec rounded = as_doubles(low);
  if (!all_same(low, high) || !all((Mask)(abs(rounded) < kInf))) return general_round_to(format, x);
  return {rounded, broadcast(0.0)};
}

// ---- sums ----

// Running sum of balls, compensated: exact (r == 0) when no addition left a residual. The residuals themselves are summed
// plainly; that sum is off by at most (number of terms) · u · their sum of magnitudes.
class Sum {
 public:
  Sum() : total_(broadcast(-0.0)), rest_(broadcast(0.0)), mass_(broadcast(0.0)), radius_(broadcast(0.0)) {}
  void add(const Ball& x) {
    add_rest(add_exact(x.m));
    radius_ += x.r;
  }
  // x + rest. The two residuals are added first, one more rounding per term: its share of the factor 2 in value().
  void add(const Ball& x, Vec rest) {
    add_rest(rest + add_exact(x.m));
    radius_ += x.r;
  }
  // Of products that are 0 or at least 2^-900: see careful_dot.
  void add_product(const Ball& a, const Ball& b) {
    const Vec product = a.m * b.m;
    const Vec radius = multiply_add(abs(a.m), b.r, (abs(b.m) + b.r) * a.r);
    add({product, never_exact(radius, a.r + b.r)}, fma(a.m, b.m, -product));
  }

  Ball value() const {
    // Adding a rest of +0 would turn a total of -0 into +0.
    const Vec total = rest_ == 0.0 ? total_ : (Vec)(total_ + rest_);
    const Vec error = rest_ == 0.0 ? broadcast(0.0) : abs(two_sum_error(total_, rest_, total));
    return {total, radius_ + mass_ * (terms_ * 0x1p-52) + error};
  }

 private:
  // The residual.
  Vec add_exact(Vec x) {
    const Vec before = total_;
    total_ = before + x;
    return two_sum_error(before, x, total_);
  }
  // Apart from the total, which an exact rest of +0 would turn from -0 to +0.
  void add_rest(Vec error) {
    rest_ += error;
    mass_ += abs(error);
    terms_ += 1;
  }
  Vec total_, rest_, mass_, radius_;
  double terms_ = 0;
};

// The answer for lanes whose compensated sum met an infinity, a NaN or an open term.
[[gnu::noinline, gnu::cold]] Ball plain_sum(In<Ball> terms, Ball sum);
// A dot some of whose products are below 2^-900, or that met an infinity, a NaN or an open factor.
[[gnu::noinline, gnu::cold]] Ball careful_dot(In<Ball> a, In<Ball> b);

inline Ball sum(In<Ball> terms) {
  Sum running;
  for (size_t i = 0; i < terms.size(); ++i) running.add(terms[i]);
  Ball total = running.value();
  if (terms.size() == 0) return Ball(0.0);
  if (!all((Mask)(abs(total.m) + total.r < kInf))) total = plain_sum(terms, total);
  return total;
}
inline Ball sum(Out<Ball> terms) { return sum(In<Ball>(terms)); }
// sums[i] = terms[0] + … + terms[i], each an exact sum of its own.
void prefix_sums(In<Ball> terms, Out<Ball> sums);

inline Ball dot(In<Ball> a, In<Ball> b) {
  Sum running;
  Vec least = broadcast(kInf);
  for (size_t i = 0; i < a.size(); ++i) {
    running.add_product(a[i], b[i]);
    least = smaller_of(least, abs(a[i].m * b[i].m));
  }
  if (a.size() == 0) return Ball(0.0);
  const Ball total = running.value();
  if (!all((Mask)(least >= kRegular) & (Mask)(abs(total.m) + total.r < kInf))) return careful_dot(a, b);
  return total;
}
inline Ball dot(Out<Ball> a, Out<Ball> b) { return dot(In<Ball>(a), In<Ball>(b)); }

}  // namespace ONNXV_LANES
}  // namespace onnxv

#include "src/number/ball_functions.h"
