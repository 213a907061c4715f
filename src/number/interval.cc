#include "src/number/interval.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "src/number/interval_ends.h"
#include "src/number/ladder.h"

namespace onnxv {
namespace {

thread_local long t_bits = 128;

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
  if (other.log_of_size_ != nullptr) set_log_of_size(*other.log_of_size_);
}
Interval::Interval(Interval&& other) noexcept : Interval() { *this = std::move(other); }
Interval& Interval::operator=(const Interval& other) {
  if (this == &other) return *this;
  mpfr_set_prec(low_, mpfr_get_prec(other.low_));
  mpfr_set_prec(high_, mpfr_get_prec(other.high_));
  mpfr_set(low_, other.low_, MPFR_RNDD);
  mpfr_set(high_, other.high_, MPFR_RNDU);
  open_ = other.open_;
  log_of_size_ = other.log_of_size_ == nullptr ? nullptr : std::make_unique<Interval>(*other.log_of_size_);
  return *this;
}
Interval& Interval::operator=(Interval&& other) noexcept {
  mpfr_swap(low_, other.low_);
  mpfr_swap(high_, other.high_);
  std::swap(open_, other.open_);
  std::swap(log_of_size_, other.log_of_size_);
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
  log_of_size_.reset();
}
bool Interval::touches_zero() const { return (mpfr_zero_p(low_) != 0) != (mpfr_zero_p(high_) != 0); }
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
  if (x.log_of_size() != nullptr) y.set_log_of_size(*x.log_of_size());
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
  if (is_beyond_range(a) || is_beyond_range(b)) {
    const Interval terms[] = {a, b};
    return sum(In<Interval>{terms, 2});
  }
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

// The hull of the four corners of a monotone-in-each-argument operation on finite values. A corner of an
// unbounded end that is NaN (0 * unbounded) is 0: every finite value times 0.
Interval corners(const Interval& a, const Interval& b, IntervalBinary operation) {
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

namespace {

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

namespace {

// Both signs are known: the ends of the magnitudes are multiplied, two products instead of the
// eight of all corners.
Interval product_of_signs(const Interval& a, const Interval& b) {
  const mpfr_t& a_least = a.negative() ? a.high() : a.low();
  const mpfr_t& a_most = a.negative() ? a.low() : a.high();
  const mpfr_t& b_least = b.negative() ? b.high() : b.low();
  const mpfr_t& b_most = b.negative() ? b.low() : b.high();
  Interval y;
  const bool minus = a.negative() != b.negative();
  mpfr_mul(minus ? y.high() : y.low(), a_least, b_least, minus ? MPFR_RNDU : MPFR_RNDD);
  mpfr_mul(minus ? y.low() : y.high(), a_most, b_most, minus ? MPFR_RNDD : MPFR_RNDU);
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
  const bool known = a.sign_known() && b.sign_known();
  Interval y = known ? product_of_signs(a, b) : corners(a, b, mpfr_mul);
  if (!known || !is_beyond_range(y)) return y;
  const Interval log = log_of_size(a) + log_of_size(b);
  return log.is_open() ? y : of_log_size(a.negative() != b.negative(), log);
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
  if (a.sign_known() && b.sign_known() && (is_beyond_range(a) || is_beyond_range(b))) {
    const Interval log = log_of_size(a) - log_of_size(b);
    if (!log.is_open()) return of_log_size(a.negative() != b.negative(), log);
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
  const bool low_of_b = before(a.low(), b.low()) == greatest, high_of_b = before(a.high(), b.high()) == greatest;
  if (low_of_b == high_of_b) return low_of_b ? b : a;
  Interval y;
  mpfr_set(y.low(), low_of_b ? b.low() : a.low(), MPFR_RNDD);
  mpfr_set(y.high(), high_of_b ? b.high() : a.high(), MPFR_RNDU);
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

}  // namespace onnxv
