// Functions of intervals: the ends rounded outward by MPFR.
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

Interval widened_by_a_digit(Interval x) {
  mpfr_nextbelow(x.low());
  mpfr_nextabove(x.high());
  return x;
}

// Of f(x) = x (1 + O(x)): what has vanished stays itself, but for less than the last digit of its logarithm.
Interval near_itself(const Interval& x, Unary function) {
  Interval y = monotone(x, function);
  if (x.touches_zero() && x.log_of_size() != nullptr) y.set_log_of_size(widened_by_a_digit(*x.log_of_size()));
  return y;
}

// Where the function's value at `x` is beyond MPFR's range: ln of its size.
Interval with_log(Interval y, const Interval& log) {
  if (!y.is_open() && is_beyond_range(y) && !log.is_open()) y.set_log_of_size(log);
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

Interval log_of_size(const Interval& x) {
  if (x.log_of_size() != nullptr) return *x.log_of_size();
  return x.sign_known() && !is_beyond_range(x) ? monotone(abs(x), mpfr_log) : Interval::open();
}
Interval of_log_size(bool minus, const Interval& log) { return minus ? -exp(log) : exp(log); }

Interval sqrt(const Interval& x) {
  Interval y = monotone(x, mpfr_sqrt);
  return x.log_of_size() == nullptr || x.negative() ? y : with_log(std::move(y), *x.log_of_size() * Interval(0.5));
}
Interval exp(const Interval& x) { return with_log(monotone(x, mpfr_exp), x); }
Interval expm1(const Interval& x) {
  Interval y = near_itself(x, mpfr_expm1);
  return touches_infinity(y) ? with_log(std::move(y), widened_by_a_digit(x)) : y;  // e^x (1 - e^-x)
}
Interval log(const Interval& x) {
  return x.log_of_size() != nullptr && !x.negative() ? *x.log_of_size() : monotone(x, mpfr_log);
}
Interval log1p(const Interval& x) {
  if (touches_infinity(x) && x.log_of_size() != nullptr && !x.negative()) return widened_by_a_digit(*x.log_of_size());
  return near_itself(x, mpfr_log1p);
}
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
Interval asin(const Interval& x) { return near_itself(x, mpfr_asin); }
Interval acos(const Interval& x) { return monotone(x, mpfr_acos, false); }
Interval atan(const Interval& x) { return near_itself(x, mpfr_atan); }
Interval sinh(const Interval& x) { return near_itself(x, mpfr_sinh); }
Interval cosh(const Interval& x) { return monotone(abs(x), mpfr_cosh); }
Interval tanh(const Interval& x) { return near_itself(x, mpfr_tanh); }
Interval asinh(const Interval& x) { return near_itself(x, mpfr_asinh); }
Interval acosh(const Interval& x) { return monotone(x, mpfr_acosh); }
Interval atanh(const Interval& x) { return near_itself(x, mpfr_atanh); }
Interval erf(const Interval& x) { return monotone(x, mpfr_erf); }
Interval erfc(const Interval& x) { return monotone(x, mpfr_erfc, false); }

namespace {

// erfinv(a) for 2^-300 < a < 1, to about 2^-40: Winitzki's approximation, then Halley's steps. Nothing is claimed of it.
double erfinv_guess(double a) {
  const double l = std::log((1 - a) * (1 + a)), b = 4.330746750799873 + l / 2;  // 2 / (0.147 pi)
  const double inner = std::sqrt(b * b - l / 0.147) - b;
  double y = inner > 0 ? std::sqrt(inner) : 0.0;
  for (int i = 0; i < 3; ++i) {
    const double residual = a < 0.5 ? std::erf(y) - a : (1 - a) - std::erfc(y);
    const double u = residual * 0.886226925452758 * std::exp(y * y);
    y -= u / (1 + y * u);
  }
  return y;
}

// A fast bracket of erfinv(x), 0 < |x| < 1: Newton's steps from a double, then the ends tried with erf. False where
// that fails; nothing else is claimed.
bool erfinv_bracket(mpfr_t low, mpfr_t high, const mpfr_t x, long bits) {
  const double a = std::fabs(mpfr_get_d(x, MPFR_RNDZ));
  if (!(a > 0x1p-300 && a < 1)) return false;
  mpfr_t y, f, slope;
  mpfr_init2(y, bits + 8);
  for (mpfr_t* t : {&f, &slope}) mpfr_init2(*t, std::max<long>(bits + 64, mpfr_get_prec(x) + 64));
  mpfr_set_d(y, std::copysign(erfinv_guess(a), mpfr_sgn(x)), MPFR_RNDN);
  for (long right = 36; right < bits + 8; right *= 2) {  // each step squares the error
    mpfr_sqr(slope, y, MPFR_RNDN);
    mpfr_exp(slope, slope, MPFR_RNDN);
    mpfr_erf(f, y, MPFR_RNDN);
    mpfr_sub(f, x, f, MPFR_RNDN);
    mpfr_mul(f, f, slope, MPFR_RNDN);
    mpfr_const_pi(slope, MPFR_RNDN);  // MPFR keeps it
    mpfr_sqrt(slope, slope, MPFR_RNDN);
    mpfr_div_2ui(slope, slope, 1, MPFR_RNDN);
    mpfr_mul(f, f, slope, MPFR_RNDN);
    mpfr_add(y, y, f, MPFR_RNDN);
  }
  mpfr_set(low, y, MPFR_RNDN);
  mpfr_set(high, y, MPFR_RNDN);
  for (int i = 0; i < 64; ++i) {
    mpfr_nextbelow(low);
    mpfr_nextabove(high);
  }
  mpfr_erf(f, low, MPFR_RNDU);
  mpfr_erf(slope, high, MPFR_RNDD);
  const bool proved = mpfr_cmp(f, x) <= 0 && mpfr_cmp(slope, x) >= 0;
  for (mpfr_t* t : {&y, &f, &slope}) mpfr_clear(*t);
  return proved;
}

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
  if (erfinv_bracket(low, high, x, bits)) {
    mpfr_set(y, direction == MPFR_RNDU ? high : low, direction);
    for (mpfr_t* t : {&low, &high, &middle}) mpfr_clear(*t);
    return 1;
  }
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
  if (x.is_point() && erfinv_bracket(y.low(), y.high(), x.low(), PrecisionScope::bits())) return y;
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
    return is_beyond_range(z) ? with_log(std::move(z), log_of_size(x) * y) : z;
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

}  // namespace onnxv
