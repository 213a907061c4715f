// Interval: the Proof reading. An enclosure [low, high] over MPFR at the precision of the
// current PrecisionScope (numerics.md, section 2).
//
//   a point (low and high are the same number, zero signs included) may be any value: infinity and NaN included
//   otherwise the value is a finite real between the ends; an infinite end says only "unbounded"
//   open: nothing is known
// The signs of zero ends carry the sign of an underflow: [+0, 1e-400] is not negative, and no zero. What is below or above every
// number of MPFR keeps the logarithm of its size, if an exponential made it so: e^-1e95 - e^-5e179 and e^5e179 - e^1e95 are positive.
#pragma once

#include <mpfr.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "src/number/operands.h"

namespace onnxv {

struct Target;

// Sets the precision of every Interval operation of this thread, and the widest exponent range.
class PrecisionScope {
 public:
  explicit PrecisionScope(long bits);
  ~PrecisionScope();
  PrecisionScope(const PrecisionScope&) = delete;
  PrecisionScope& operator=(const PrecisionScope&) = delete;
  static long bits();

 private:
  long outer_bits_;
  mpfr_exp_t outer_emin_, outer_emax_;
};

class Interval {
 public:
  Interval();  // +0
  Interval(double exact);  // NOLINT: constants of a formula
  Interval(const Interval&);
  Interval(Interval&&) noexcept;
  Interval& operator=(const Interval&);
  Interval& operator=(Interval&&) noexcept;
  ~Interval();

  static Interval of_integer(int64_t exact);
  static Interval of_unsigned(uint64_t exact);
  static Interval open();
  static Interval nan();
  static Interval between(double low, double high);

  bool is_open() const { return open_; }
  bool is_point() const;
  bool is_nan_point() const { return !open_ && mpfr_nan_p(low_) != 0; }
  bool is_infinite_point() const;
  bool is_zero_point() const;
  // Every value has the sign of both ends; a zero point counts by its sign.
  bool sign_known() const;
  bool negative() const { return mpfr_signbit(low_) != 0; }

  mpfr_t& low() { return low_; }
  mpfr_t& high() { return high_; }
  const mpfr_t& low() const { return low_; }
  const mpfr_t& high() const { return high_; }
  void set_open();

  // One end is a zero, the other is not: an underflow, or a number between 0 and that end.
  bool touches_zero() const;
  // ln |x| of such a number, or one that touches infinity; null where it is not known.
  const Interval* log_of_size() const { return log_of_size_.get(); }
  void set_log_of_size(Interval log) { log_of_size_ = std::make_unique<Interval>(std::move(log)); }

 private:
  mpfr_t low_, high_;
  bool open_ = false;
  std::unique_ptr<Interval> log_of_size_;
};

// A comparison: yes, no or open.
struct IntervalDecision {
  bool yes, open;
};

Interval operator-(const Interval& x);
Interval operator+(const Interval& a, const Interval& b);
Interval operator-(const Interval& a, const Interval& b);
Interval operator*(const Interval& a, const Interval& b);
Interval operator/(const Interval& a, const Interval& b);
inline Interval& operator+=(Interval& a, const Interval& b) { return a = a + b; }
inline Interval& operator-=(Interval& a, const Interval& b) { return a = a - b; }
inline Interval& operator*=(Interval& a, const Interval& b) { return a = a * b; }

Interval abs(const Interval& x);
Interval min(const Interval& a, const Interval& b);
Interval max(const Interval& a, const Interval& b);
IntervalDecision operator<(const Interval& a, const Interval& b);
IntervalDecision operator<=(const Interval& a, const Interval& b);
inline IntervalDecision operator>(const Interval& a, const Interval& b) { return b < a; }
inline IntervalDecision operator>=(const Interval& a, const Interval& b) { return b <= a; }
IntervalDecision operator==(const Interval& a, const Interval& b);
IntervalDecision is_nan(const Interval& x);
IntervalDecision operator&&(IntervalDecision a, IntervalDecision b);
IntervalDecision operator||(IntervalDecision a, IntervalDecision b);
inline IntervalDecision operator!(IntervalDecision a) { return {!a.yes && !a.open, a.open}; }
Interval select(IntervalDecision yes, const Interval& a, const Interval& b);

Interval sqrt(const Interval& x);
Interval exp(const Interval& x);
Interval expm1(const Interval& x);
Interval log(const Interval& x);
Interval log1p(const Interval& x);
Interval sin(const Interval& x);
Interval cos(const Interval& x);
Interval tan(const Interval& x);
Interval asin(const Interval& x);
Interval acos(const Interval& x);
Interval atan(const Interval& x);
Interval sinh(const Interval& x);
Interval cosh(const Interval& x);
Interval tanh(const Interval& x);
Interval asinh(const Interval& x);
Interval acosh(const Interval& x);
Interval atanh(const Interval& x);
Interval erf(const Interval& x);
Interval erfc(const Interval& x);
Interval erfinv(const Interval& x);
Interval pow(const Interval& x, const Interval& y);
Interval pi(const Interval&);
void turn(int64_t k, int64_t n, Interval& cosine, Interval& sine);

Interval floor(const Interval& x);
Interval ceil(const Interval& x);
Interval trunc(const Interval& x);
Interval nearest_even(const Interval& x);
Interval fmod(const Interval& x, const Interval& y);
// Rounded once to a format; a hull where both ends do not round alike.
Interval round_to(int64_t format, const Interval& x);

// Correctly rounded outward: exact sums of any length and range.
Interval sum(In<Interval> terms);
Interval dot(In<Interval> a, In<Interval> b);
// sums[i] = terms[0] + … + terms[i].
void prefix_sums(In<Interval> terms, Out<Interval> sums);
inline Interval sum(Out<Interval> terms) { return sum(In<Interval>(terms)); }
inline Interval dot(Out<Interval> a, Out<Interval> b) { return dot(In<Interval>(a), In<Interval>(b)); }

// An exact number near the largest finite element of a line; 0 where there is none.
Interval shift_of(In<Interval> line);
inline Interval shift_of(Out<Interval> line) { return shift_of(In<Interval>(line)); }

// `value` rounded once to its target (src/number/ladder.h). Not for NaN with an integer target that saturates.
uint64_t encode_mpfr(const Target& target, const mpfr_t value);

}  // namespace onnxv
