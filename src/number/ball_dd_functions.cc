// Functions of double-double balls, each with the bound of its radius: the exponential's family and erf by double-doubles, the others by
// MPFR at the precision of the proof's first step.
#include "src/number/ball_dd_parts.h"
#include "src/number/erf_dd.h"
#include "src/number/exp_dd.h"
#include "src/number/interval.h"

namespace onnxv {

using namespace ball_dd;

namespace {

// ---- from and to intervals ----

double to_double(const mpfr_t x) { return mpfr_get_d(x, MPFR_RNDN); }

// A finite number. What is too small for two doubles keeps its head alone, what is too large is open.
BallDD of_number(const mpfr_t x) {
  const double head = to_double(x);
  if (std::isinf(head)) return BallDD::open();
  if (mpfr_zero_p(x) != 0) return std::signbit(head) ? -0.0 : 0.0;
  if (std::fabs(head) < kRegular) {
    const bool minus = mpfr_signbit(x) != 0;
    return std::fabs(head) < kVanished ? vanished(minus) : BallDD(head, 0, std::fabs(head) * 0x1p-51);
  }
  mpfr_t rest;
  mpfr_init2(rest, mpfr_get_prec(x));
  mpfr_sub_d(rest, x, head, MPFR_RNDN);  // exact: the digits of x behind its head
  const double tail = to_double(rest);
  const double error = mpfr_cmp_d(rest, tail) == 0 ? 0 : std::fabs(tail) * 0x1p-52 + kEta;
  mpfr_clear(rest);
  return {two_sum(head, tail), error};  // a tail of half a digit of an odd head belongs to the next
}

Interval enclosure(const BallDD& x) {
  if (x.is_open()) return Interval::open();
  if (is_plain(x)) return Interval(x.head);
  Interval y(x.head);
  mpfr_add_d(y.low(), y.low(), x.tail, MPFR_RNDD);
  mpfr_add_d(y.high(), y.high(), x.tail, MPFR_RNDU);
  if (x.is_exact()) return y;
  mpfr_sub_d(y.low(), y.low(), reach(x), MPFR_RNDD);
  mpfr_add_d(y.high(), y.high(), reach(x), MPFR_RNDU);
  if (is_vanished(x)) mpfr_set_zero(x.head > 0 ? y.low() : y.high(), x.head > 0 ? 1 : -1);
  return y;
}

using OfInterval = Interval (*)(const Interval&);

// By the ends of the argument.
BallDD by_ends(OfInterval function, const BallDD& x) { return BallDD::of(function(enclosure(x))); }

// By the midpoint, which takes one call in place of two; |f(x') - f(x)| <= spread within the radius. Ends where that says nothing.
BallDD by_midpoint(OfInterval function, const BallDD& x, double spread) {
  if (x.is_exact()) return by_ends(function, x);
  BallDD y = by_ends(function, {x.head, x.tail, 0});
  const bool usable = spread < kInfinite && std::fabs(x.head) >= kRegular && y.r < kInfinite && std::fabs(y.head) >= kRegular &&
                      std::isfinite(y.head);
  if (!usable) return by_ends(function, x);
  y.r += spread + kEta;
  return y;
}

// ---- what the double-double functions give ----

// `error` is relative.
BallDD computed(DoubleDouble y, double error, double spread) {
  return {y, std::fabs(y.head) * error + spread};
}
// Finite arguments of which exp_dd.h speaks.
bool within(const BallDD& x, double most) {
  const double size = std::fabs(x.head);
  return size <= most && size >= kRegular && x.r < 0x1p-10;
}
// At least |e^d - 1| for |d| <= r < 2^-10.
double growth(double r) { return r * (1 + r); }

}  // namespace

BallDD BallDD::of(const Interval& x) {
  if (x.is_open()) return open();
  if (x.is_nan_point()) return __builtin_nan("");
  if (x.is_infinite_point()) return x.negative() ? -kInfinite : kInfinite;
  if (x.is_point()) return of_number(x.low());
  if (mpfr_inf_p(x.low()) != 0 || mpfr_inf_p(x.high()) != 0) return open();
  const double most = std::fmax(std::fabs(to_double(x.low())), std::fabs(to_double(x.high())));
  if (x.sign_known() && most < kVanished) return vanished(x.negative());
  // Around the lower end: its width is a radius.
  BallDD y = of_number(x.low());
  if (y.is_open()) return y;
  if (std::fabs(y.head) < kRegular) y = {to_double(x.low()), 0, std::fabs(y.head) * 0x1p-51 + kEta};
  mpfr_t width;
  mpfr_init2(width, 53);
  mpfr_sub(width, x.high(), x.low(), MPFR_RNDU);
  y.r = (y.r + mpfr_get_d(width, MPFR_RNDU)) * (1 + 0x1p-30) + kEta;
  mpfr_clear(width);
  return y.r < kInfinite ? y : open();
}

// Newton's second digit from the exact remainder of the first; |sqrt(x') - s| = |x' - s²| / (sqrt(x') + s).
BallDD sqrt(const BallDD& x) {
  if (!(x.head >= kRegular && x.head < kInfinite && x.r < 0.25 * x.head)) return by_ends(sqrt, x);
  const double first = std::sqrt(x.head), rest = std::fma(-first, first, x.head);
  const DoubleDouble above = two_sum(rest, x.tail);
  const double second = (rest + x.tail) / (2 * first);
  const DoubleDouble back = two_product(2 * first, second), left = two_sum(above.head, -back.head);
  double remainder = std::fabs(left.head) + std::fabs(left.tail) + std::fabs(above.tail) + std::fabs(back.tail) + second * second;
  if (second != 0) remainder += kEta;
  const double radius = x.r + remainder;
  return {two_sum(first, second), radius == 0 ? 0 : radius / first * (1 + 0x1p-50) + kEta};
}

BallDD exp(const BallDD& x) {
  if (x.is_zero_point()) return 1.0;
  if (within(x, 600)) {
    const DoubleDouble y = exp_scaled(x.pair()).unscaled();
    return computed(y, kExpError, y.head * growth(x.r));
  }
  // Below e^-670 < 2^-965.
  if (x.head < -700 && x.r < 1) return x.head == -kInfinite ? BallDD(0.0) : vanished(false);
  return by_ends(exp, x);
}

BallDD expm1(const BallDD& x) {
  if (x.is_zero_point()) return x;
  if (!within(x, 600)) return by_ends(expm1, x);
  const DoubleDouble y = expm1_dd(x.pair());
  return computed(y, kExpm1Error, (y.head + 1 + 0x1p-52) * growth(x.r));
}

// |ln(x + d) - ln(x)| <= d / (x - d).
BallDD log(const BallDD& x) {
  if (is_plain(x) && x.head == 1) return 0.0;
  if (x.head >= kRegular && x.head <= 1 / kRegular && x.r < 0.25 * x.head && (x.head != 1 || std::fabs(x.tail) >= kRegular)) {
    if (const std::optional<DoubleDouble> y = log_dd(x.pair())) {
      return computed(*y, kLogError, x.r / (x.head - x.r) * (1 + 0x1p-30));
    }
  }
  return by_ends(log, x);
}

BallDD log1p(const BallDD& x) {
  if (x.is_zero_point()) return x;
  const double base = 1 + x.head;
  if (std::fabs(x.head) >= kRegular && x.head <= 1 / kRegular && x.head >= -1 + 0x1p-40 && x.r < 0.25 * base) {
    if (const std::optional<DoubleDouble> y = log1p_dd(x.pair())) {
      return computed(*y, kLogError, x.r / (base * (1 - 0x1p-10) - x.r));
    }
  }
  return by_ends(log1p, x);
}

// E / (E + 2) with E = e^2|x| - 1: the error of E counts at most once, and the quotient's is 20 u².
BallDD tanh(const BallDD& x) {
  if (x.is_zero_point()) return x;
  if (!within(x, 280)) return by_midpoint(tanh, x, x.r);
  const double sign = std::copysign(2.0, x.head);
  const DoubleDouble e = expm1_dd({x.head * sign, x.tail * sign});
  const DoubleDouble y = e / (e + DoubleDouble{2, 0});
  return computed(x.head < 0 ? -y : y, 2 * kExpm1Error, x.r);
}

// (E + E / (E + 1)) / 2 with E = e^|x| - 1; cosh(|x| + d) <= (|sinh x| + 1) e^d.
BallDD sinh(const BallDD& x) {
  if (x.is_zero_point()) return x;
  if (!within(x, 600)) return by_ends(sinh, x);
  const DoubleDouble e = expm1_dd(x.head < 0 ? -x.pair() : x.pair());
  const DoubleDouble twice = e + e / (e + DoubleDouble{1, 0});
  const DoubleDouble y{0.5 * twice.head, 0.5 * twice.tail};
  return computed(x.head < 0 ? -y : y, 4 * kExpm1Error, (y.head + 1) * growth(x.r) * (1 + 0x1p-30));
}
BallDD cosh(const BallDD& x) {
  if (x.is_zero_point()) return 1.0;
  if (!within(x, 600)) return by_ends(cosh, x);
  const DoubleDouble e = exp_scaled(x.head < 0 ? -x.pair() : x.pair()).unscaled();
  const DoubleDouble twice = e + DoubleDouble{1, 0} / e;
  const DoubleDouble y{0.5 * twice.head, 0.5 * twice.tail};
  return computed(y, 4 * kExpError, y.head * growth(x.r) * (1 + 0x1p-30));
}

BallDD sin(const BallDD& x) { return by_midpoint(sin, x, x.r); }
BallDD cos(const BallDD& x) { return by_midpoint(cos, x, x.r); }
BallDD tan(const BallDD& x) { return by_ends(tan, x); }
BallDD asin(const BallDD& x) { return by_ends(asin, x); }
BallDD acos(const BallDD& x) { return by_ends(acos, x); }
BallDD atan(const BallDD& x) { return by_midpoint(atan, x, x.r); }
BallDD asinh(const BallDD& x) { return by_midpoint(asinh, x, x.r); }
BallDD acosh(const BallDD& x) { return by_ends(acosh, x); }
BallDD atanh(const BallDD& x) { return by_ends(atanh, x); }
// Slopes as for Ball: |erf'| <= 1.1284; for x >= 0 erfc falls by at most e^t, t = d (2x + 2), over a distance d.
BallDD erf(const BallDD& x) {
  if (std::fabs(x.head) >= 0x1p-400 && within(x, kErfReach)) return computed(erf_dd(x.pair()), kErfError, 1.1284 * x.r);
  return by_midpoint(erf, x, 1.1284 * x.r);
}
BallDD erfc(const BallDD& x) {
  const double size = std::fabs(x.head), t = x.r * (2 * size + 2);
  double slope = 1.1284;
  if (x.head > 1 && t < 0.5) slope = (std::erfc(size) * (1 + 0x1p-40) + kEta) * (size + std::sqrt(size * size + 2)) * (1 + 2 * t);
  if (std::fabs(x.head) >= 0x1p-400 && within(x, kErfReach)) {
    return computed(DoubleDouble{1, 0} - erf_dd(x.pair()), 0, kErfError + 0x1p-103 + slope * x.r);
  }
  return x.head > 1 && !(t < 0.5) ? by_ends(erfc, x) : by_midpoint(erfc, x, slope * x.r);
}
BallDD erfinv(const BallDD& x) { return by_ends(erfinv, x); }

BallDD pow(const BallDD& x, const BallDD& y) {
  if (is_plain(y)) {
    if (y.head == 2) return x * x;
    if (y.head == 1) return x;
    if (y.head == 3) return x * x * x;
    if (y.head == 0.5 && x.head >= kRegular) return sqrt(x);
  }
  // e^(y ln x). What is exact is settled by the proof.
  if (x.head >= kRegular && x.head <= 1 / kRegular && x.r < 0.25 * x.head && !(is_plain(x) && x.head == 1)) {
    const BallDD power = y * log(x);
    if (within(power, 600)) return exp(power);
  }
  return BallDD::of(pow(enclosure(x), enclosure(y)));
}

BallDD pi(const BallDD&) { return {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53, 0x1p-106}; }

void turn(int64_t k, int64_t n, BallDD& cosine, BallDD& sine) {
  Interval c, s;
  turn(k, n, c, s);
  cosine = BallDD::of(c);
  sine = BallDD::of(s);
}

}  // namespace onnxv
