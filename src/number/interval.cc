#include "src/number/interval.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "src/number/ladder.h"

namespace onnxv {
namespace {

thread_local long t_bits = 128;

bool is_minus(const mpfr_t x) { return mpfr_signbit(x) != 0; }

void set_point_infinity(Interval& x, bool minus) {
  mpfr_set_inf(x.low(), minus ? -1 : 1);
  mpfr_set_inf(x.high(), minus ? -1 : 1);
}
void set_point_zero(Interval& x, bool minus) {
  mpfr_set_zero(x.low(), minus ? -1 : 1);
  mpfr_set_zero(x.high(), minus ? -1 : 1);
}
// A zero whose sign is not known: [-0, +0].
void set_unsigned_zero(Interval& x) {
  mpfr_set_zero(x.low(), -1);
  mpfr_set_zero(x.high(), 1);
}
bool contains_zero(const Interval& x) { return mpfr_sgn(x.low()) <= 0 && mpfr_sgn(x.high()) >= 0; }

}  // namespace

PrecisionScope::PrecisionScope(long bits)
    : outer_bits_(t_bits), outer_emin_(mpfr_get_emin()), outer_emax_(mpfr_get_emax()) {
  t_bits = bits;
  mpfr_set_emin(mpfr_get_emin_min());
  mpfr_set_emax(mpfr_get_emax_max());
}
PrecisionScope::~PrecisionScope() {
  t_bits = outer_bits_;
  mpfr_set_emin(outer_emin_);
  mpfr_set_emax(outer_emax_);
}
long PrecisionScope::bits() { return t_bits; }

// ---- Interval ----

Interval::Interval() {
  mpfr_init2(low_, t_bits);
  mpfr_init2(high_, t_bits);
  mpfr_set_zero(low_, 1);
  mpfr_set_zero(high_, 1);
}
Interval::Interval(double exact) : Interval() {
  mpfr_set_d(low_, exact, MPFR_RNDD);
  mpfr_set_d(high_, exact, MPFR_RNDU);
}
Interval::Interval(const Interval& other) : open_(other.open_) {
  mpfr_init2(low_, mpfr_get_prec(other.low_));
  mpfr_init2(high_, mpfr_get_prec(other.high_));
  mpfr_set(low_, other.low_, MPFR_RNDD);
  mpfr_set(high_, other.high_, MPFR_RNDU);
}
Interval::Interval(Interval&& other) noexcept : Interval() { *this = std::move(other); }
Interval& Interval::operator=(const Interval& other) {
  if (this == &other) return *this;
  mpfr_set_prec(low_, mpfr_get_prec(other.low_));
  mpfr_set_prec(high_, mpfr_get_prec(other.high_));
  mpfr_set(low_, other.low_, MPFR_RNDD);
  mpfr_set(high_, other.high_, MPFR_RNDU);
  open_ = other.open_;
  return *this;
}
Interval& Interval::operator=(Interval&& other) noexcept {
  mpfr_swap(low_, other.low_);
  mpfr_swap(high_, other.high_);
  std::swap(open_, other.open_);
  return *this;
}
Interval::~Interval() {
  mpfr_clear(low_);
  mpfr_clear(high_);
}

Interval Interval::of_integer(int64_t exact) {
  Interval x;
  mpfr_set_si(x.low_, exact, MPFR_RNDD);
  mpfr_set_si(x.high_, exact, MPFR_RNDU);
  return x;
}
Interval Interval::of_unsigned(uint64_t exact) {
  Interval x;
  mpfr_set_ui(x.low_, exact, MPFR_RNDD);
  mpfr_set_ui(x.high_, exact, MPFR_RNDU);
  return x;
}
Interval Interval::open() {
  Interval x;
  x.set_open();
  return x;
}
Interval Interval::nan() { return Interval(std::nan("")); }
Interval Interval::between(double low, double high) {
  Interval x;
  mpfr_set_d(x.low_, low, MPFR_RNDD);
  mpfr_set_d(x.high_, high, MPFR_RNDU);
  return x;
}
void Interval::set_open() {
  open_ = true;
  mpfr_set_inf(low_, -1);
  mpfr_set_inf(high_, 1);
}
bool Interval::is_point() const {
  if (open_) return false;
  if (mpfr_nan_p(low_) != 0) return true;
  return mpfr_equal_p(low_, high_) != 0 && is_minus(low_) == is_minus(high_);
}
bool Interval::is_infinite_point() const {
  return !open_ && mpfr_inf_p(low_) != 0 && mpfr_inf_p(high_) != 0 && is_minus(low_) == is_minus(high_);
}
bool Interval::is_zero_point() const { return is_point() && mpfr_zero_p(low_) != 0; }
bool Interval::sign_known() const {
  return !open_ && mpfr_nan_p(low_) == 0 && is_minus(low_) == is_minus(high_);
}

// ---- + - * / ----

Interval operator-(const Interval& x) {
  Interval y;
  if (x.is_open()) {
    y.set_open();
    return y;
  }
  mpfr_neg(y.low(), x.high(), MPFR_RNDD);
  mpfr_neg(y.high(), x.low(), MPFR_RNDU);
  return y;
}

namespace {

// IEEE's sign of an exactly zero sum: - only when both addends are -0. MPFR's depends on the direction.
void fix_zero_sum(mpfr_t sum, const mpfr_t a, const mpfr_t b) {
  if (mpfr_zero_p(sum) == 0) return;
  const bool both_minus_zero = mpfr_zero_p(a) != 0 && mpfr_zero_p(b) != 0 && is_minus(a) && is_minus(b);
  mpfr_set_zero(sum, both_minus_zero ? -1 : 1);
}

}  // namespace

Interval operator+(const Interval& a, const Interval& b) {
  if (a.is_nan_point() || b.is_nan_point()) return Interval::nan();
  if (a.is_open() || b.is_open()) return Interval::open();
  const bool a_infinite = a.is_infinite_point(), b_infinite = b.is_infinite_point();
  if (a_infinite && b_infinite) return is_minus(a.low()) == is_minus(b.low()) ? a : Interval::nan();
  if (a_infinite) return a;
  if (b_infinite) return b;
  Interval y;
  mpfr_add(y.low(), a.low(), b.low(), MPFR_RNDD);
  mpfr_add(y.high(), a.high(), b.high(), MPFR_RNDU);
  fix_zero_sum(y.low(), a.low(), b.low());
  fix_zero_sum(y.high(), a.high(), b.high());
  // Unbounded ends of opposite sign may meet: no end is known then.
  if (mpfr_nan_p(y.low()) != 0) mpfr_set_inf(y.low(), -1);
  if (mpfr_nan_p(y.high()) != 0) mpfr_set_inf(y.high(), 1);
  return y;
}

Interval operator-(const Interval& a, const Interval& b) { return a + -b; }

namespace {

using Binary = int (*)(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);

// The hull of the four corners of a monotone-in-each-argument operation on finite values. A corner of an
// unbounded end that is NaN (0 * unbounded) is 0: every finite value times 0.
Interval corners(const Interval& a, const Interval& b, Binary operation) {
  Interval y;
  mpfr_t corner;
  mpfr_init2(corner, PrecisionScope::bits());
  bool first = true;
  for (const mpfr_t* p : {&a.low(), &a.high()}) {
    for (const mpfr_t* q : {&b.low(), &b.high()}) {
      operation(corner, *p, *q, MPFR_RNDD);
      if (mpfr_nan_p(corner) != 0) mpfr_set_zero(corner, 1);
      if (first || mpfr_less_p(corner, y.low()) != 0 ||
          (mpfr_zero_p(corner) != 0 && mpfr_zero_p(y.low()) != 0 && is_minus(corner))) {
        mpfr_set(y.low(), corner, MPFR_RNDD);
      }
      operation(corner, *p, *q, MPFR_RNDU);
      if (mpfr_nan_p(corner) != 0) mpfr_set_zero(corner, 1);
      if (first || mpfr_greater_p(corner, y.high()) != 0 ||
          (mpfr_zero_p(corner) != 0 && mpfr_zero_p(y.high()) != 0 && !is_minus(corner))) {
        mpfr_set(y.high(), corner, MPFR_RNDU);
      }
      first = false;
    }
  }
  mpfr_clear(corner);
  return y;
}

Interval signed_infinity(const Interval& a, const Interval& b) {
  if (!a.sign_known() || !b.sign_known()) return Interval::open();
  Interval y;
  set_point_infinity(y, is_minus(a.low()) != is_minus(b.low()));
  return y;
}
Interval signed_zero(const Interval& a, const Interval& b) {
  Interval y;
  if (a.sign_known() && b.sign_known()) {
    set_point_zero(y, is_minus(a.low()) != is_minus(b.low()));
  } else {
    set_unsigned_zero(y);
  }
  return y;
}

}  // namespace

Interval operator*(const Interval& a, const Interval& b) {
  if (a.is_nan_point() || b.is_nan_point()) return Interval::nan();
  if (a.is_open() || b.is_open()) return Interval::open();
  if (a.is_infinite_point() || b.is_infinite_point()) {
    const Interval& other = a.is_infinite_point() ? b : a;
    if (other.is_zero_point()) return Interval::nan();
    // [+0, tiny] is an underflowed nonzero: a value that may be 0 itself would be a point.
    return signed_infinity(a, b);
  }
  if (a.is_zero_point() || b.is_zero_point()) return signed_zero(a, b);
  if (a.is_point() && b.is_point()) {
    Interval y;
    mpfr_mul(y.low(), a.low(), b.low(), MPFR_RNDD);
    mpfr_mul(y.high(), a.low(), b.low(), MPFR_RNDU);
    return y;
  }
  return corners(a, b, mpfr_mul);
}

Interval operator/(const Interval& a, const Interval& b) {
  if (a.is_nan_point() || b.is_nan_point()) return Interval::nan();
  if (a.is_open() || b.is_open()) return Interval::open();
  if (a.is_infinite_point()) return b.is_infinite_point() ? Interval::nan() : signed_infinity(a, b);
  if (b.is_infinite_point()) return signed_zero(a, b);
  if (b.is_zero_point()) return a.is_zero_point() ? Interval::nan() : signed_infinity(a, b);
  if (a.is_zero_point()) return b.sign_known() ? signed_zero(a, b) : Interval::open();
  if (a.is_point() && b.is_point()) {
    Interval y;
    mpfr_div(y.low(), a.low(), b.low(), MPFR_RNDD);
    mpfr_div(y.high(), a.low(), b.low(), MPFR_RNDU);
    return y;
  }
  if (contains_zero(b)) {
    if (!b.sign_known() || !a.sign_known()) return Interval::open();
    // A divisor that has underflowed: only its sign is known, and a lower bound of the quotient.
    Interval y = corners(abs(a), abs(b), mpfr_div);
    mpfr_div(y.low(), abs(a).low(), abs(b).high(), MPFR_RNDD);
    mpfr_set_inf(y.high(), 1);
    return is_minus(a.low()) != is_minus(b.low()) ? -y : y;
  }
  return corners(a, b, mpfr_div);
}

// ---- choices ----

Interval abs(const Interval& x) {
  if (x.is_open() || x.is_nan_point()) return x;
  if (!is_minus(x.low())) return x;
  if (is_minus(x.high())) return -x;
  Interval y;
  mpfr_set_zero(y.low(), 1);
  const mpfr_t& wider = mpfr_cmpabs(x.low(), x.high()) > 0 ? x.low() : x.high();
  mpfr_abs(y.high(), wider, MPFR_RNDU);
  return y;
}

namespace {

bool before(const mpfr_t a, const mpfr_t b) {  // -0 before +0
  if (mpfr_zero_p(a) != 0 && mpfr_zero_p(b) != 0) return is_minus(a) && !is_minus(b);
  return mpfr_less_p(a, b) != 0;
}

Interval extreme(const Interval& a, const Interval& b, bool greatest) {
  if (a.is_nan_point() || b.is_nan_point()) return Interval::nan();
  if (a.is_open() || b.is_open()) return Interval::open();
  Interval y;
  mpfr_set(y.low(), before(a.low(), b.low()) == greatest ? b.low() : a.low(), MPFR_RNDD);
  mpfr_set(y.high(), before(a.high(), b.high()) == greatest ? b.high() : a.high(), MPFR_RNDU);
  return y;
}

}  // namespace

Interval min(const Interval& a, const Interval& b) { return extreme(a, b, false); }
Interval max(const Interval& a, const Interval& b) { return extreme(a, b, true); }

IntervalDecision operator<(const Interval& a, const Interval& b) {
  if (a.is_nan_point() || b.is_nan_point()) return {false, false};
  if (a.is_open() || b.is_open()) return {false, true};
  if (mpfr_less_p(a.high(), b.low()) != 0) return {true, false};
  return {false, mpfr_greaterequal_p(a.low(), b.high()) == 0};
}
IntervalDecision operator<=(const Interval& a, const Interval& b) {
  if (a.is_nan_point() || b.is_nan_point()) return {false, false};
  if (a.is_open() || b.is_open()) return {false, true};
  if (mpfr_lessequal_p(a.high(), b.low()) != 0) return {true, false};
  return {false, mpfr_greater_p(a.low(), b.high()) == 0};
}
IntervalDecision operator==(const Interval& a, const Interval& b) {
  if (a.is_nan_point() || b.is_nan_point()) return {false, false};
  if (a.is_open() || b.is_open()) return {false, true};
  if (mpfr_equal_p(a.low(), a.high()) != 0 && mpfr_equal_p(b.low(), b.high()) != 0) {
    return {mpfr_equal_p(a.low(), b.low()) != 0, false};
  }
  const bool apart = mpfr_less_p(a.high(), b.low()) != 0 || mpfr_less_p(b.high(), a.low()) != 0;
  return {false, !apart};
}
IntervalDecision is_nan(const Interval& x) { return {x.is_nan_point(), x.is_open()}; }
IntervalDecision operator&&(IntervalDecision a, IntervalDecision b) {
  const bool no = (!a.yes && !a.open) || (!b.yes && !b.open);
  return {a.yes && b.yes, !no && (a.open || b.open)};
}
IntervalDecision operator||(IntervalDecision a, IntervalDecision b) {
  const bool yes = a.yes || b.yes;
  return {yes, !yes && (a.open || b.open)};
}

Interval select(IntervalDecision yes, const Interval& a, const Interval& b) {
  if (!yes.open) return yes.yes ? a : b;
  if (a.is_nan_point() && b.is_nan_point()) return a;
  if (a.is_nan_point() || b.is_nan_point() || a.is_open() || b.is_open()) return Interval::open();
  if (a.is_infinite_point() || b.is_infinite_point()) {
    return a.is_infinite_point() && b.is_infinite_point() && is_minus(a.low()) == is_minus(b.low())
               ? a
               : Interval::open();
  }
  Interval y;
  mpfr_set(y.low(), before(a.low(), b.low()) ? a.low() : b.low(), MPFR_RNDD);
  mpfr_set(y.high(), before(a.high(), b.high()) ? b.high() : a.high(), MPFR_RNDU);
  return y;
}

// ---- functions ----

namespace {

using Unary = int (*)(mpfr_t, const mpfr_t, mpfr_rnd_t);

// Where a value that is certainly nonzero has underflowed even MPFR's range, the rounded end is 0: its sign stays.
Interval monotone(const Interval& x, Unary function, bool rising = true) {
  if (x.is_nan_point()) return Interval::nan();
  if (x.is_open()) return Interval::open();
  Interval y;
  if (x.is_point()) {
    const int inexact = function(y.low(), x.low(), MPFR_RNDD);
    mpfr_set(y.high(), y.low(), MPFR_RNDU);
    if (inexact != 0) {
      mpfr_nextabove(y.high());
      // Only where the low end is a zero or an infinity is the next number not the other end.
      if (mpfr_zero_p(y.low()) != 0 || mpfr_inf_p(y.low()) != 0) function(y.high(), x.low(), MPFR_RNDU);
    }
    return y;
  }
  function(y.low(), rising ? x.low() : x.high(), MPFR_RNDD);
  function(y.high(), rising ? x.high() : x.low(), MPFR_RNDU);
  const bool low_nan = mpfr_nan_p(y.low()) != 0, high_nan = mpfr_nan_p(y.high()) != 0;
  if (low_nan && high_nan && x.sign_known()) return Interval::nan();  // a domain lies on one side of such an argument
  if (low_nan || high_nan) return Interval::open();
  return y;
}

// |f(x') - f(x)| <= |x' - x|, |f| <= 1: sine and cosine.
Interval lipschitz(const Interval& x, Unary function) {
  if (x.is_nan_point() || x.is_infinite_point()) return Interval::nan();
  if (x.is_open()) return Interval::open();
  if (x.is_point()) return monotone(x, function);
  Interval middle;
  mpfr_add(middle.low(), x.low(), x.high(), MPFR_RNDD);
  mpfr_div_2ui(middle.low(), middle.low(), 1, MPFR_RNDD);
  mpfr_set(middle.high(), middle.low(), MPFR_RNDU);
  Interval width;
  mpfr_sub(width.high(), x.high(), x.low(), MPFR_RNDU);
  if (mpfr_number_p(middle.low()) == 0 || mpfr_cmp_ui(width.high(), 1) > 0) return Interval::between(-1, 1);
  mpfr_neg(width.low(), width.high(), MPFR_RNDD);
  const Interval one(1.0), minus_one(-1.0);
  return min(one, max(minus_one, monotone(middle, function) + width));
}

}  // namespace

Interval sqrt(const Interval& x) { return monotone(x, mpfr_sqrt); }
Interval exp(const Interval& x) { return monotone(x, mpfr_exp); }
Interval expm1(const Interval& x) { return monotone(x, mpfr_expm1); }
Interval log(const Interval& x) { return monotone(x, mpfr_log); }
Interval log1p(const Interval& x) { return monotone(x, mpfr_log1p); }
Interval sin(const Interval& x) { return lipschitz(x, mpfr_sin); }
Interval cos(const Interval& x) { return lipschitz(x, mpfr_cos); }
Interval tan(const Interval& x) {
  if (x.is_open() || x.is_point()) return x.is_infinite_point() ? Interval::nan() : monotone(x, mpfr_tan);
  Interval width;
  mpfr_sub(width.high(), x.high(), x.low(), MPFR_RNDU);
  if (mpfr_cmp_ui(width.high(), 1) > 0) return Interval::open();
  const Interval y = monotone(x, mpfr_tan);
  return mpfr_lessequal_p(y.low(), y.high()) != 0 ? y : Interval::open();  // a pole inside turns it round
}
Interval asin(const Interval& x) { return monotone(x, mpfr_asin); }
Interval acos(const Interval& x) { return monotone(x, mpfr_acos, false); }
Interval atan(const Interval& x) { return monotone(x, mpfr_atan); }
Interval sinh(const Interval& x) { return monotone(x, mpfr_sinh); }
Interval cosh(const Interval& x) { return monotone(abs(x), mpfr_cosh); }
Interval tanh(const Interval& x) { return monotone(x, mpfr_tanh); }
Interval asinh(const Interval& x) { return monotone(x, mpfr_asinh); }
Interval acosh(const Interval& x) { return monotone(x, mpfr_acosh); }
Interval atanh(const Interval& x) { return monotone(x, mpfr_atanh); }
Interval erf(const Interval& x) { return monotone(x, mpfr_erf); }
Interval erfc(const Interval& x) { return monotone(x, mpfr_erfc, false); }

namespace {

// erfinv by bisection on erf, from both sides: one end is where erf is certainly below, the other certainly above.
int erfinv_end(mpfr_t y, const mpfr_t x, mpfr_rnd_t direction) {
  if (mpfr_nan_p(x) != 0 || mpfr_cmp_si(x, -1) < 0 || mpfr_cmp_ui(x, 1) > 0) {
    mpfr_set_nan(y);
    return 0;
  }
  if (mpfr_zero_p(x) != 0) return mpfr_set(y, x, direction);
  if (mpfr_cmpabs(x, Interval(1.0).low()) == 0) {
    mpfr_set_inf(y, mpfr_sgn(x));
    return 0;
  }
  const long bits = PrecisionScope::bits();
  mpfr_t low, high, middle, value;
  for (mpfr_t* t : {&low, &high, &middle}) mpfr_init2(*t, bits + 8);
  mpfr_init2(value, std::max<long>(bits + 64, mpfr_get_prec(x) + 64));
  // |erfinv(x)| < 2^k once erfc(2^k) < 1 - |x|; and erfinv(x) has x's sign and at least its size times 0.88.
  mpfr_set(low, x, MPFR_RNDZ);
  mpfr_div_2ui(low, low, 1, MPFR_RNDZ);
  mpfr_set(high, low, MPFR_RNDZ);
  do {
    mpfr_mul_2ui(high, high, 1, MPFR_RNDZ);
    mpfr_erf(value, high, MPFR_RNDZ);
  } while (mpfr_cmpabs(value, x) < 0);
  for (;;) {
    mpfr_add(middle, low, high, MPFR_RNDN);
    mpfr_div_2ui(middle, middle, 1, MPFR_RNDN);
    if (mpfr_equal_p(middle, low) != 0 || mpfr_equal_p(middle, high) != 0) break;
    mpfr_erf(value, middle, MPFR_RNDZ);
    mpfr_set(mpfr_cmpabs(value, x) < 0 ? low : high, middle, MPFR_RNDN);
  }
  const bool outward = (direction == MPFR_RNDU) == (mpfr_sgn(x) > 0);
  // erf rounded toward zero may sit just below x though the argument is at it: one more step out is safe.
  if (outward) {
    mpfr_sgn(x) > 0 ? mpfr_nextabove(high) : mpfr_nextbelow(high);
    mpfr_set(y, high, direction);
  } else {
    mpfr_sgn(x) > 0 ? mpfr_nextbelow(low) : mpfr_nextabove(low);
    mpfr_set(y, low, direction);
  }
  for (mpfr_t* t : {&low, &high, &middle, &value}) mpfr_clear(*t);
  return 1;
}

}  // namespace

Interval erfinv(const Interval& x) {
  if (x.is_nan_point()) return Interval::nan();
  if (x.is_open()) return Interval::open();
  Interval y;
  erfinv_end(y.low(), x.low(), MPFR_RNDD);
  erfinv_end(y.high(), x.high(), MPFR_RNDU);
  const bool low_nan = mpfr_nan_p(y.low()) != 0, high_nan = mpfr_nan_p(y.high()) != 0;
  if (low_nan && high_nan && x.sign_known()) return Interval::nan();
  return low_nan || high_nan ? Interval::open() : y;
}

Interval pow(const Interval& x, const Interval& y) {
  if (y.is_zero_point()) return Interval(1.0);
  if (x.is_point() && !x.is_nan_point() && mpfr_cmp_ui(x.low(), 1) == 0) return Interval(1.0);
  if (x.is_open() || y.is_open()) return Interval::open();
  if (x.is_nan_point() || y.is_nan_point()) return Interval::nan();
  if (x.is_point() && y.is_point()) {
    Interval z;
    mpfr_pow(z.low(), x.low(), y.low(), MPFR_RNDD);
    mpfr_pow(z.high(), x.low(), y.low(), MPFR_RNDU);
    return z;
  }
  if (x.is_infinite_point() || y.is_infinite_point()) return Interval::open();
  if (!is_minus(x.low())) return corners(x, y, mpfr_pow);
  if (!y.is_point() || mpfr_integer_p(y.low()) == 0 || !is_minus(x.high())) return Interval::open();
  Interval z = corners(-x, y, mpfr_pow);
  mpfr_t half;
  mpfr_init2(half, mpfr_get_prec(y.low()));
  mpfr_div_2ui(half, y.low(), 1, MPFR_RNDN);
  const bool odd = mpfr_integer_p(half) == 0;
  mpfr_clear(half);
  return odd ? -z : z;
}

Interval pi(const Interval&) {
  Interval y;
  mpfr_const_pi(y.low(), MPFR_RNDD);
  mpfr_const_pi(y.high(), MPFR_RNDU);
  return y;
}

void turn(int64_t k, int64_t n, Interval& cosine, Interval& sine) {
  k = ((k % n) + n) % n;
  const int128 twelfths = static_cast<int128>(12) * k;
  if (twelfths % n == 0) {
    // Multiples of 30 degrees: 0, 1/2 and 1 are exact, the others are sqrt(3)/2.
    const int step = static_cast<int>(twelfths / n);
    const auto value = [](int s) -> Interval {  // cos(30° s)
      s = ((s % 12) + 12) % 12;
      const int folded = s > 6 ? 12 - s : s;
      switch (folded) {
        case 0: return Interval(1.0);
        case 1: return sqrt(Interval(3.0)) / Interval(2.0);
        case 2: return Interval(0.5);
        case 3: return Interval(0.0);
        case 4: return Interval(-0.5);
        case 5: return -(sqrt(Interval(3.0)) / Interval(2.0));
        default: return Interval(-1.0);
      }
    };
    cosine = value(step);
    sine = value(step - 3);
    return;
  }
  const Interval angle = pi(Interval()) * Interval::of_integer(2) * Interval::of_integer(k) / Interval::of_integer(n);
  cosine = cos(angle);
  sine = sin(angle);
}

// ---- steps ----

namespace {

Interval stepped(const Interval& x, int (*step)(mpfr_t, const mpfr_t)) {
  if (x.is_open() || x.is_nan_point()) return x;
  Interval y;
  step(y.low(), x.low());
  step(y.high(), x.high());
  return y;
}

}  // namespace

Interval floor(const Interval& x) { return stepped(x, [](mpfr_t y, const mpfr_t v) { return mpfr_floor(y, v); }); }
Interval ceil(const Interval& x) { return stepped(x, [](mpfr_t y, const mpfr_t v) { return mpfr_ceil(y, v); }); }
Interval trunc(const Interval& x) { return stepped(x, [](mpfr_t y, const mpfr_t v) { return mpfr_trunc(y, v); }); }
Interval nearest_even(const Interval& x) {
  return stepped(x, [](mpfr_t y, const mpfr_t v) { return mpfr_rint(y, v, MPFR_RNDN); });
}

Interval fmod(const Interval& x, const Interval& y) {
  if (x.is_nan_point() || y.is_nan_point()) return Interval::nan();
  if (!x.is_point() || !y.is_point()) return Interval::open();
  Interval z;
  // Exact: the remainder has no more digits than the shorter-grained operand.
  mpfr_set_prec(z.low(), std::max(mpfr_get_prec(x.low()), mpfr_get_prec(y.low())));
  mpfr_set_prec(z.high(), mpfr_get_prec(z.low()));
  mpfr_fmod(z.low(), x.low(), y.low(), MPFR_RNDD);
  mpfr_fmod(z.high(), x.low(), y.low(), MPFR_RNDU);
  return z;
}

// ---- sums ----

namespace {

// One end of a sum: exact, rounded in `direction`.
void sum_end(mpfr_t y, const std::vector<mpfr_srcptr>& terms, mpfr_rnd_t direction) {
  std::vector<mpfr_ptr> pointers(terms.size());
  for (size_t i = 0; i < terms.size(); ++i) pointers[i] = const_cast<mpfr_ptr>(terms[i]);
  mpfr_sum(y, pointers.data(), pointers.size(), direction);
  if (mpfr_zero_p(y) != 0) {
    const bool all_minus = std::all_of(terms.begin(), terms.end(), [](mpfr_srcptr t) {
      return mpfr_zero_p(t) != 0 && mpfr_signbit(t) != 0;
    });
    mpfr_set_zero(y, all_minus ? -1 : 1);
  }
}

}  // namespace

Interval sum(In<Interval> terms) {
  if (terms.size() == 0) return Interval(0.0);
  bool nan = false, open = false, plus = false, minus = false;
  for (const Interval& term : terms) {
    nan = nan || term.is_nan_point();
    open = open || term.is_open();
    if (term.is_infinite_point()) (term.negative() ? minus : plus) = true;
  }
  if (nan) return Interval::nan();
  if (open) return Interval::open();
  if (plus && minus) return Interval::nan();
  Interval y;
  if (plus || minus) {
    set_point_infinity(y, minus);
    return y;
  }
  std::vector<mpfr_srcptr> lows(terms.size()), highs(terms.size());
  for (size_t i = 0; i < terms.size(); ++i) {
    lows[i] = terms[i].low();
    highs[i] = terms[i].high();
  }
  sum_end(y.low(), lows, MPFR_RNDD);
  sum_end(y.high(), highs, MPFR_RNDU);
  return y;
}

Interval dot(In<Interval> a, In<Interval> b) {
  std::vector<Interval> products;
  products.reserve(a.size());
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i].is_point() && b[i].is_point() && !a[i].is_nan_point() && !b[i].is_nan_point() &&
        !a[i].is_infinite_point() && !b[i].is_infinite_point()) {
      // Exact product: as many bits as both factors have.
      Interval& product = products.emplace_back();
      const mpfr_prec_t bits = std::max<mpfr_prec_t>(mpfr_min_prec(a[i].low()) + mpfr_min_prec(b[i].low()), 2);
      mpfr_set_prec(product.low(), bits);
      mpfr_set_prec(product.high(), bits);
      mpfr_mul(product.low(), a[i].low(), b[i].low(), MPFR_RNDN);
      mpfr_set(product.high(), product.low(), MPFR_RNDN);
    } else {
      products.push_back(a[i] * b[i]);
    }
  }
  return sum(In<Interval>{products.data(), products.size()});
}

// Added one by one: exact as soon as the precision holds the sum, and linear in the length of the line.
void prefix_sums(In<Interval> terms, Out<Interval> sums) {
  for (size_t i = 0; i < terms.size(); ++i) sums[i] = i == 0 ? terms[0] : sums[i - 1] + terms[i];
}

Interval shift_of(In<Interval> line) {
  const Interval* best = nullptr;
  for (const Interval& x : line) {
    if (x.is_open() || mpfr_number_p(x.low()) == 0) continue;
    if (best == nullptr || mpfr_greater_p(x.low(), best->low()) != 0) best = &x;
  }
  Interval shift(0.0);
  if (best == nullptr) return shift;
  mpfr_set(shift.low(), best->low(), MPFR_RNDD);
  mpfr_set(shift.high(), shift.low(), MPFR_RNDU);
  return shift;
}

Interval round_to(int64_t format_number, const Interval& x) {
  if (x.is_open()) return x;
  const Target target = Target::of(format_by_number(format_number));
  if (x.is_nan_point()) return x;
  const double low = decode(*target.format, encode_mpfr(target, x.low()));
  const double high = decode(*target.format, encode_mpfr(target, x.high()));
  if (x.is_infinite_point() || mpfr_zero_p(x.low()) != 0 || low == high) {
    Interval y = Interval::between(low, high);
    return y;
  }
  // An end that rounds to infinity makes the value open, not "unbounded finite".
  if (std::isinf(low) || std::isinf(high)) return Interval::open();
  return Interval::between(low, high);
}

}  // namespace onnxv
