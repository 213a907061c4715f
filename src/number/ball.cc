// Compiled once per instruction set, like everything in lanes.
#include "src/number/ball.h"

#include "src/number/ladder.h"

namespace onnxv {
inline namespace ONNXV_LANES {
namespace {

Lane lane(const Ball& x, int i) { return {x.m[i], x.r[i]}; }
void set_lane(Ball& x, int i, Lane value) {
  x.m[i] = value.m;
  x.r[i] = value.r;
}
bool negative(double x) { return __builtin_signbit(x) != 0; }
double size_of(double x) { return __builtin_fabs(x); }
double with_sign(double size, bool minus) { return minus ? -size : size; }

// A finite result near zero whose sign is `minus` for certain and whose magnitude is at most `upper`.
Lane tiny(Lane result, double upper, bool sign_is_known, bool minus) {
  const bool sign_lost = size_of(result.m) <= kVanished || result.r > size_of(result.m);
  if (sign_is_known && sign_lost && upper < 1.9 * kVanished) return vanished(minus);
  return {result.m, result.r + kEta};
}

Lane repaired_sum(Lane a, Lane b, Lane sum) {
  if (is_exact(a) && is_exact(b)) {
    if (__builtin_isfinite(sum.m) || sum.m != sum.m) return {sum.m, sum.m != sum.m ? 0 : sum.r};
    return is_infinite(a) || is_infinite(b) ? Lane{sum.m, 0} : open_lane();
  }
  if (is_infinite(a)) return a;
  if (is_infinite(b)) return b;
  return finite_lane(sum) ? sum : open_lane();
}

Lane repaired_product(Lane a, Lane b, Lane product) {
  const bool minus = negative(a.m) != negative(b.m);
  const bool known = sign_known(a) && sign_known(b);
  if (is_exact(a) && is_exact(b)) {
    if (product.m != product.m) return {product.m, 0};
    if (__builtin_isinf(product.m)) {
      return is_infinite(a) || is_infinite(b) ? Lane{product.m, 0} : open_lane();
    }
    if (is_zero(a) || is_zero(b) || size_of(a.m) == 1 || size_of(b.m) == 1) return {product.m, 0};
    return tiny(product, size_of(product.m) + kEta, true, minus);
  }
  if (is_infinite(a) || is_infinite(b)) return known ? Lane{with_sign(kInf, minus), 0} : open_lane();
  if (is_zero(a) || is_zero(b)) return known ? Lane{with_sign(0, minus), 0} : Lane{0, kEta};
  if (!finite_lane(product)) return open_lane();
  const double upper = (size_of(a.m) + a.r) * (size_of(b.m) + b.r);
  return tiny(product, upper, known, minus);
}

Lane repaired_quotient(Lane a, Lane b, Lane quotient) {
  const bool minus = negative(a.m) != negative(b.m);
  const bool known = sign_known(a) && sign_known(b);
  if (is_exact(a) && is_exact(b)) {
    if (quotient.m != quotient.m) return {quotient.m, 0};
    if (__builtin_isinf(quotient.m)) {
      return is_zero(b) || is_infinite(a) ? Lane{quotient.m, 0} : open_lane();
    }
    if (is_zero(a) || is_infinite(b) || size_of(b.m) == 1) return {quotient.m, 0};
    const Lane half_ulp{quotient.m, size_of(quotient.m) * 0x1p-52};
    return tiny(half_ulp, size_of(quotient.m) + kEta, true, minus);
  }
  if (is_zero(b) || is_infinite(a)) return known ? Lane{with_sign(kInf, minus), 0} : open_lane();
  if (is_infinite(b)) return known ? Lane{with_sign(0, minus), 0} : Lane{0, kEta};
  if (is_zero(a)) return sign_known(b) ? Lane{with_sign(0, minus), 0} : open_lane();
  if (!finite_lane(quotient)) return open_lane();
  quotient.r += size_of(quotient.m) * 0x1p-52;
  const double upper = (size_of(a.m) + a.r) / (size_of(b.m) - b.r);
  return tiny(quotient, upper, known, minus);
}

}  // namespace

Lane repaired(Operation operation, Lane a, Lane b, Lane result) {
  if (is_nan_lane(a)) return a;
  if (is_nan_lane(b)) return b;
  if (is_open(a) || is_open(b)) return open_lane();
  switch (operation) {
    case Operation::kAdd: return repaired_sum(a, b, result);
    case Operation::kMultiply: return repaired_product(a, b, result);
    case Operation::kDivide: return repaired_quotient(a, b, result);
  }
  return open_lane();
}

Ball repair(Operation operation, const Ball& a, const Ball& b, const Ball& regular) {
  Ball result = regular;
  Mask lanes = irregular(result);
  if (operation == Operation::kDivide) lanes |= ~(Mask)(abs(a.m) >= kRegular);
  for (int i = 0; i < kLanes; ++i) {
    if (lanes[i]) set_lane(result, i, repaired(operation, lane(a, i), lane(b, i), lane(result, i)));
  }
  return result;
}

// ---- choices ----

namespace {

// Both exact: IEEE with -0 below +0 and NaN winning. Otherwise the hull, or the one that lies apart.
Ball extreme(const Ball& a, const Ball& b, bool greatest) {
  const Mask a_wins = greatest ? (Mask)(a.m > b.m) : (Mask)(a.m < b.m);
  const Mask equal = (Mask)(a.m == b.m);
  const Vec zeros_joined = (Vec)(greatest ? ((Mask)a.m & (Mask)b.m) : ((Mask)a.m | (Mask)b.m));
  Ball result;
  result.m = a_wins ? a.m : b.m;
  result.m = equal ? zeros_joined : result.m;
  const Vec gap = abs(a.m - b.m);
  const Mask apart = (Mask)(gap > (slack(a) + slack(b)) * (1.0 + 0x1p-50));
  const Vec wider = a.r > b.r ? a.r : b.r;
  result.r = apart ? (Vec)(a_wins ? a.r : b.r) : wider;
  const Mask a_nan = (Mask)(a.m != a.m), b_nan = (Mask)(b.m != b.m);
  if (any(a_nan | b_nan)) {
    const Vec nan = a.m + b.m;
    result.m = (a_nan | b_nan) ? nan : result.m;
    result.r = (a_nan | b_nan) ? broadcast(0.0) : result.r;
  }
  // Open lanes stay open, whatever the other is.
  const Mask open = ~(a_nan | b_nan) & (~(Mask)(a.r < kInf) | ~(Mask)(b.r < kInf));
  if (any(open)) {
    result.m = open ? broadcast(0.0) : result.m;
    result.r = open ? broadcast(kInf) : result.r;
  }
  return result;
}

}  // namespace

Ball min(const Ball& a, const Ball& b) { return extreme(a, b, false); }
Ball max(const Ball& a, const Ball& b) { return extreme(a, b, true); }

Decision operator<(const Ball& a, const Ball& b) {
  const Vec sa = slack(a), sb = slack(b);
  const Mask nan = (Mask)(a.m != a.m) | (Mask)(b.m != b.m);
  const Mask yes = (Mask)(a.m + sa < b.m - sb);
  const Mask no = (Mask)(a.m - sa >= b.m + sb);
  return {yes & ~nan, ~yes & ~no & ~nan};
}

Decision operator<=(const Ball& a, const Ball& b) {
  const Vec sa = slack(a), sb = slack(b);
  const Mask nan = (Mask)(a.m != a.m) | (Mask)(b.m != b.m);
  const Mask yes = (Mask)(a.m + sa <= b.m - sb);
  const Mask no = (Mask)(a.m - sa > b.m + sb);
  return {yes & ~nan, ~yes & ~no & ~nan};
}

Decision operator==(const Ball& a, const Ball& b) {
  const Vec sa = slack(a), sb = slack(b);
  const Mask nan = (Mask)(a.m != a.m) | (Mask)(b.m != b.m);
  const Mask exact = (Mask)(a.r == 0.0) & (Mask)(b.r == 0.0);
  const Mask yes = exact & (Mask)(a.m == b.m);
  const Mask no = nan | (exact & ~yes) | (Mask)(a.m - sa > b.m + sb) | (Mask)(a.m + sa < b.m - sb);
  return {yes, ~yes & ~no};
}

Decision is_nan(const Ball& x) { return {(Mask)(x.m != x.m), ~(Mask)(x.r < kInf)}; }

Ball select(Decision yes, const Ball& a, const Ball& b) {
  Ball chosen{yes.yes ? a.m : b.m, yes.yes ? a.r : b.r};
  if (!any(yes.open)) return chosen;
  const Mask same = (Mask)((Mask)a.m == (Mask)b.m) & (Mask)((Mask)a.r == (Mask)b.r);
  const Vec m = 0.5 * a.m + 0.5 * b.m;
  const Vec wider = a.r > b.r ? a.r : b.r;
  const Vec r = 0.5 * abs(a.m - b.m) + wider + abs(m) * 0x1p-52 + kEta;
  const Mask finite = (Mask)(r < kInf) & (Mask)(abs(m) < kInf);
  const Mask hull = yes.open & ~same;
  chosen.m = hull ? (Vec)(finite ? m : broadcast(0.0)) : chosen.m;
  chosen.r = hull ? (Vec)(finite ? r : broadcast(kInf)) : chosen.r;
  return chosen;
}

// ---- functions ----

namespace {

struct Function {
  double (*scalar)(double);
  bool overflows;      // an infinity at a finite argument is an overflow, not a pole
  bool positive;       // every value is > 0: an underflow has a sign
  double zero_at;      // the other exact zero beside f(0) = 0, or NaN
};

constexpr double kNowhere = __builtin_nan("");

Lane repaired(const Function& function, Lane x, Lane y) {
  if (is_nan_lane(x)) return x;
  if (is_open(x)) return open_lane();
  if (is_exact(x)) {
    const double value = function.scalar(x.m);
    if (value != value) return {value, 0};
    if (__builtin_isinf(value)) {
      return function.overflows && __builtin_isfinite(x.m) ? open_lane() : Lane{value, 0};
    }
    if (value == 0 && (x.m == 0 || x.m == function.zero_at || __builtin_isinf(x.m))) return {value, 0};
    if (size_of(value) <= kVanished) return vanished(negative(value) || (value == 0 && !function.positive && x.m < 0));
    return {value, size_of(value) * kLibrary + kEta};
  }
  const double reach = x.r * (1 + 0x1p-20) + size_of(x.m) * 0x1p-52;
  const double low = function.scalar(x.m - reach), high = function.scalar(x.m + reach);
  if (low != low && high != high && x.r < size_of(x.m)) return {low, 0};
  if (!finite_lane(y) || low != low || high != high) return open_lane();
  const double upper = size_of(low) > size_of(high) ? size_of(low) : size_of(high);
  if (function.positive && upper < kVanished) return vanished(false);
  return {y.m, y.r + kEta};
}

[[gnu::noinline, gnu::cold]] Ball repair(const Function& function, const Ball& x, Ball y) {
  const Mask lanes = irregular(y);
  for (int i = 0; i < kLanes; ++i) {
    if (lanes[i]) set_lane(y, i, repaired(function, lane(x, i), lane(y, i)));
  }
  return y;
}

Ball finished(const Function& function, const Ball& x, Vec m, Vec spread) {
  Ball y{m, spread + abs(m) * kLibrary};
  if (any(irregular(y))) y = repair(function, x, y);
  return y;
}

// r = 0 where the argument is exactly `point`: the midpoint is exact there.
Ball exact_at(double point, const Ball& x, Ball y) {
  const Mask here = (Mask)(x.r == 0.0) & (Mask)(x.m == point);
  y.r = here ? broadcast(0.0) : y.r;
  return y;
}
Ball exact_at_infinities(const Ball& x, Ball y) {
  const Mask here = (Mask)(x.r == 0.0) & (Mask)(abs(x.m) == kInf);
  y.r = here ? broadcast(0.0) : y.r;
  return y;
}
Vec where(Mask condition, Vec value) { return condition ? value : broadcast(kInf); }

double scalar_sqrt(double x) { return __builtin_sqrt(x); }

constexpr Function kSqrtFunction{scalar_sqrt, false, false, kNowhere};
constexpr Function kExpFunction{::exp, true, true, kNowhere};
constexpr Function kExpm1Function{::expm1, true, false, kNowhere};
constexpr Function kLogFunction{::log, false, false, 1};
constexpr Function kLog1pFunction{::log1p, false, false, kNowhere};
constexpr Function kSinFunction{::sin, false, false, kNowhere};
constexpr Function kCosFunction{::cos, false, false, kNowhere};
constexpr Function kTanFunction{::tan, true, false, kNowhere};
constexpr Function kAsinFunction{::asin, false, false, kNowhere};
constexpr Function kAcosFunction{::acos, false, false, 1};
constexpr Function kAtanFunction{::atan, false, false, kNowhere};
constexpr Function kSinhFunction{::sinh, true, false, kNowhere};
constexpr Function kCoshFunction{::cosh, true, false, kNowhere};
constexpr Function kTanhFunction{::tanh, false, false, kNowhere};
constexpr Function kAsinhFunction{::asinh, false, false, kNowhere};
constexpr Function kAcoshFunction{::acosh, false, false, 1};
constexpr Function kAtanhFunction{::atanh, false, false, kNowhere};
constexpr Function kErfFunction{::erf, false, false, kNowhere};
constexpr Function kErfcFunction{::erfc, false, true, kNowhere};

}  // namespace

// |sqrt(a') - m| = |a' - m²| / (sqrt(a') + m) <= (ra + |a - m²|) / m.
Ball sqrt(const Ball& x) {
  const Vec m = vector_sqrt(x.m);
  const Vec error = abs(fma(-m, m, x.m));
  Ball y{m, where((Mask)(x.m > x.r) | (Mask)(x.r == 0.0), (x.r + error) / m)};
  const Mask tiny_argument = ~(Mask)(abs(x.m) >= kRegular);
  if (any(irregular(y) | tiny_argument)) {
    for (int i = 0; i < kLanes; ++i) {
      if (irregular(y)[i] || tiny_argument[i]) {
        Lane value = repaired(kSqrtFunction, lane(x, i), lane(y, i));
        if (x.r[i] == 0 && value.m > 0 && value.r > 0) {
          // Scaled by an even power of two the remainder cannot underflow.
          const double a = x.m[i] * 0x1p600, root = __builtin_sqrt(a);
          value = {root * 0x1p-300, size_of(__builtin_fma(-root, root, a)) / root * 0x1p-300};
        }
        set_lane(y, i, value);
      }
    }
  }
  return y;
}

// e^(x+d) - e^x, |d| <= r < 1: at most e^x · r · (1 + r).
Ball exp(const Ball& x) {
  // The library is slow below -745, where everything vanishes alike.
  const Vec m = vector_exp((Vec)(x.m < -760.0 ? broadcast(-760.0) : x.m));
  return exact_at(0, x, finished(kExpFunction, x, m, where((Mask)(x.r < 1.0), m * x.r * (1.0 + x.r))));
}

Ball expm1(const Ball& x) {
  const Vec m = vector_expm1(x.m);
  const Vec slope = (m + 1.0) * (1.0 + 0x1p-40);
  return exact_at(-kInf, x, finished(kExpm1Function, x, m, where((Mask)(x.r < 1.0), (Vec)(x.r == 0.0 ? x.r : slope * x.r * (1.0 + x.r)))));
}

Ball log(const Ball& x) {
  const Vec m = vector_log(x.m);
  return finished(kLogFunction, x, m, where((Mask)(x.r < x.m) | (Mask)(x.r == 0.0), (Vec)(x.r == 0.0 ? x.r : x.r / (x.m - x.r))));
}

Ball log1p(const Ball& x) {
  const Vec m = vector_log1p(x.m);
  const Vec room = 1.0 + x.m - x.r;
  return finished(kLog1pFunction, x, m, where((Mask)(room > 0.0) | (Mask)(x.r == 0.0), (Vec)(x.r == 0.0 ? x.r : x.r / room * (1.0 + 0x1p-40))));
}

Ball sin(const Ball& x) { return finished(kSinFunction, x, vector_sin(x.m), x.r); }
Ball cos(const Ball& x) { return exact_at(0, x, finished(kCosFunction, x, vector_cos(x.m), x.r)); }

// tan(x+d) - tan(x) = sin(d) / (cos(x) cos(x+d)), and |cos(x+d)| >= c - d with c = |cos(x)| = 1/sqrt(1+m²).
Ball tan(const Ball& x) {
  const Vec m = vector_tan(x.m);
  const Vec c = (1.0 - 0x1p-40) / vector_sqrt(1.0 + m * m);
  return finished(kTanFunction, x, m, where((Mask)(x.r < c) | (Mask)(x.r == 0.0), (Vec)(x.r == 0.0 ? x.r : x.r / (c * (c - x.r)))));
}

namespace {

// 1/sqrt(1 - t²) with t the largest |argument| of the ball; infinite beyond the domain.
Vec arc_slope(const Ball& x) {
  const Vec t = abs(x.m) + x.r * (1.0 + 0x1p-40);
  const Vec rest = (1.0 - t) * (1.0 + t) * (1.0 - 0x1p-40);
  return rest > 0.0 ? (Vec)(1.0 / vector_sqrt(rest)) : broadcast(kInf);
}
Vec spread_by(Vec slope, const Ball& x) { return x.r == 0.0 ? broadcast(0.0) : (Vec)(slope * x.r); }

}  // namespace

Ball asin(const Ball& x) { return finished(kAsinFunction, x, vector_asin(x.m), spread_by(arc_slope(x), x)); }
Ball acos(const Ball& x) { return finished(kAcosFunction, x, vector_acos(x.m), spread_by(arc_slope(x), x)); }
Ball atan(const Ball& x) { return finished(kAtanFunction, x, vector_atan(x.m), x.r); }

// cosh(|x|+d) <= (|sinh x| + 1) e^d, and e^d <= 1 + d + d² for d < 1.
Ball sinh(const Ball& x) {
  const Vec m = vector_sinh(x.m);
  const Vec slope = (abs(m) + 1.0) * (1.0 + x.r + x.r * x.r);
  return finished(kSinhFunction, x, m, where((Mask)(x.r < 1.0), spread_by(slope, x)));
}
Ball cosh(const Ball& x) {
  const Vec m = vector_cosh(x.m);
  const Vec slope = m * (1.0 + x.r + x.r * x.r);
  return exact_at(0, x, finished(kCoshFunction, x, m, where((Mask)(x.r < 1.0), spread_by(slope, x))));
}
Ball tanh(const Ball& x) { return exact_at_infinities(x, finished(kTanhFunction, x, vector_tanh(x.m), x.r)); }
Ball asinh(const Ball& x) { return finished(kAsinhFunction, x, vector_asinh(x.m), x.r); }
Ball acosh(const Ball& x) {
  const Vec least = x.m - x.r * (1.0 + 0x1p-40);
  const Vec rest = (least - 1.0) * (least + 1.0) * (1.0 - 0x1p-40);
  const Vec slope = (Mask)(least > 1.0) ? (Vec)(1.0 / vector_sqrt(rest)) : broadcast(kInf);
  return finished(kAcoshFunction, x, vector_acosh(x.m), spread_by(slope, x));
}
Ball atanh(const Ball& x) {
  const Vec t = abs(x.m) + x.r * (1.0 + 0x1p-40);
  const Vec rest = (1.0 - t) * (1.0 + t) * (1.0 - 0x1p-40);
  const Vec slope = rest > 0.0 ? (Vec)(1.0 / rest) : broadcast(kInf);
  return finished(kAtanhFunction, x, vector_atanh(x.m), spread_by(slope, x));
}
Ball erf(const Ball& x) {
  return exact_at_infinities(x, finished(kErfFunction, x, vector_erf(x.m), 1.1284 * x.r));
}
// For x >= 0: |erfc'(x)| <= erfc(x) (x + sqrt(x² + 2)), so erfc falls by at most e^t, t = d (2x + 2), over a distance d.
// For x < 0 the slope is at most 2/sqrt(pi) and erfc(x) > 1.
Ball erfc(const Ball& x) {
  const Vec m = vector_erfc(x.m);
  const Vec t = x.r * (2.0 * abs(x.m) + 2.0);
  const Vec tail = m * (abs(x.m) + vector_sqrt(x.m * x.m + 2.0)) * x.r * (1.0 + 2.0 * t);
  const Vec spread = (Mask)(x.m >= 0.0) ? where((Mask)(t < 0.5), tail) : (Vec)(1.1284 * x.r);
  Ball y = exact_at_infinities(x, finished(kErfcFunction, x, m, (Vec)(x.r == 0.0 ? x.r : spread)));
  return exact_at(0, x, y);
}

// Left to the proof: only distributions and Probit need it.
Ball erfinv(const Ball& x) {
  const Mask nan = (Mask)(x.m != x.m);
  const Mask zero = (Mask)(x.r == 0.0) & (Mask)(x.m == 0.0);
  const Mask known = nan | zero;
  return {known ? x.m : broadcast(0.0), known ? broadcast(0.0) : broadcast(kInf)};
}

namespace {

Lane repaired_power(Lane x, Lane y, Lane power) {
  if ((is_exact(y) && y.m == 0) || (is_exact(x) && x.m == 1)) return {1, 0};
  if (is_exact(x) && is_exact(y)) {
    const double value = ::pow(x.m, y.m);
    if (value != value) return {value, 0};
    const bool special = !__builtin_isfinite(x.m) || !__builtin_isfinite(y.m) || x.m == 0;
    if (special) return {value, 0};
    if (__builtin_isinf(value)) return open_lane();
    if (size_of(value) <= kVanished) return vanished(negative(value));
    return {value, size_of(value) * kLibrary + kEta};
  }
  if (is_nan_lane(x) || is_nan_lane(y)) return is_open(x) || is_open(y) ? open_lane() : Lane{x.m + y.m, 0};
  if (!finite_lane(power) || !finite_lane(x) || !finite_lane(y)) return open_lane();
  return {power.m, power.r + kEta};
}

}  // namespace

// log(pow) = y log|x|: an error of x moves it by |y| rx / (|x| - rx), one of y by ry |log|x||. With t the sum of both,
// |e^t - 1| <= t (1 + t) for t < 1.
Ball pow(const Ball& x, const Ball& y) {
  const Mask y_exact = (Mask)(y.r == 0.0);
  if (!any(~(y_exact & (Mask)(y.m == 2.0)))) return x * x;
  if (!any(~(y_exact & (Mask)(y.m == 1.0)))) return x;
  if (!any(~(y_exact & (Mask)(y.m == 3.0)))) return x * x * x;
  if (!any(~(y_exact & (Mask)(y.m == 0.5))) && !any(~(Mask)(x.m - x.r > kRegular))) return sqrt(x);
  const Vec m = vector_pow(x.m, y.m);
  Vec t = (Vec)(x.r == 0.0 ? broadcast(0.0) : (Vec)((abs(y.m) + y.r) * x.r / (abs(x.m) - x.r)));
  t = (Mask)(x.r == 0.0) | (Mask)(x.r < abs(x.m)) ? t : broadcast(kInf);
  if (any(~y_exact)) {
    const Vec move = (abs(vector_log(abs(x.m))) + 1.0 * (Vec)(x.r == 0.0 ? broadcast(0.0) : broadcast(1.0))) * y.r;
    // An inexact exponent of a negative base has no value that could be bounded.
    t = y_exact ? t : (Vec)(x.m > x.r ? t + move : broadcast(kInf));
  }
  Ball power{m, where((Mask)(t < 0.25), abs(m) * (t * (1.0 + t) + kLibrary))};
  // A base whose sign is open makes no sense either.
  const Mask one = (y_exact & (Mask)(y.m == 0.0)) | ((Mask)(x.r == 0.0) & (Mask)(x.m == 1.0));
  const Mask same = y_exact & (Mask)(y.m == 1.0);
  power.m = one ? broadcast(1.0) : power.m;
  power.r = one ? broadcast(0.0) : power.r;
  power.m = same ? x.m : power.m;
  power.r = same ? x.r : power.r;
  if (any(irregular(power) & ~same)) {
    const Mask lanes = irregular(power) & ~same;
    for (int i = 0; i < kLanes; ++i) {
      if (lanes[i]) set_lane(power, i, repaired_power(lane(x, i), lane(y, i), lane(power, i)));
    }
  }
  return power;
}

Ball pi(const Ball&) { return {broadcast(0x1.921fb54442d18p+1), broadcast(0x1.2p-53)}; }

void turn(int64_t k, int64_t n, Ball& cosine, Ball& sine) {
  // Reduced to the first octant by integers; there the angle is off by at most 3 u and the functions by 1 ulp.
  k = ((k % n) + n) % n;
  int128 eighths = (int128)8 * k;
  int quadrant = (int)(eighths / (2 * (int128)n));
  int128 part = eighths - (int128)quadrant * 2 * n;  // of 8n: the rest in [0, 2n)
  const bool mirrored = part > n;
  if (mirrored) part = 2 * (int128)n - part;           // [0, n]
  const double angle = (double)part / (double)n * 0x1.921fb54442d18p-1;  // part/n * pi/4
  double c = ::cos(angle), s = ::sin(angle), rc = 0x1p-50, rs = 0x1p-50;
  if (part == 0) { c = 1; s = 0; rc = rs = 0; }
  if (3 * part == 2 * (int128)n) { s = 0.5; rs = 0; }  // 30 degrees
  if (mirrored) { double t = c; c = s; s = t; t = rc; rc = rs; rs = t; }
  for (int turns = 0; turns < quadrant; ++turns) {
    const double t = c;
    c = s == 0 ? 0.0 : -s;
    s = t;
    const double r = rc;
    rc = rs;
    rs = r;
  }
  cosine = {broadcast(c), broadcast(rc)};
  sine = {broadcast(s), broadcast(rs)};
}

// ---- steps ----

namespace {

template <class Step>
Ball stepped(Ball x, Step step) {
  const Vec reach = slack(x);
  for (int i = 0; i < kLanes; ++i) {
    if (x.r[i] == 0) {
      x.m[i] = step(x.m[i]);
      continue;
    }
    const double low = step(x.m[i] - reach[i]), high = step(x.m[i] + reach[i]);
    const bool same = low == high && negative(low) == negative(high);
    set_lane(x, i, same && x.r[i] < kInf ? Lane{low, 0} : open_lane());
  }
  return x;
}

}  // namespace

Ball floor(const Ball& x) { return stepped(x, [](double v) { return __builtin_floor(v); }); }
Ball ceil(const Ball& x) { return stepped(x, [](double v) { return __builtin_ceil(v); }); }
Ball trunc(const Ball& x) { return stepped(x, [](double v) { return __builtin_trunc(v); }); }
Ball nearest_even(const Ball& x) { return stepped(x, [](double v) { return __builtin_nearbyint(v); }); }

Ball fmod(const Ball& dividend, const Ball& y) {
  Ball x = dividend;
  for (int i = 0; i < kLanes; ++i) {
    const bool exact = x.r[i] == 0 && y.r[i] == 0;
    set_lane(x, i, exact ? Lane{::fmod(x.m[i], y.m[i]), 0} : open_lane());
  }
  return x;
}

Ball round_to(int64_t format, const Ball& value) {
  Ball x = value;
  const Vec reach = slack(x);
  for (int i = 0; i < kLanes; ++i) {
    if (!(x.r[i] < kInf)) continue;
    const RoundedEnds ends = rounded_ends(format, x.m[i] - reach[i], x.m[i] + reach[i], x.r[i] == 0);
    set_lane(x, i, ends.same ? Lane{ends.low, 0} : open_lane());
  }
  return x;
}

// ---- sums ----

void Sum::add_product(const Ball& a, const Ball& b) {
  const Vec product = a.m * b.m;
  const Vec rest = fma(a.m, b.m, -product);
  add_exact(product);
  add_rest(rest);
  radius_ += abs(a.m) * b.r + (abs(b.m) + b.r) * a.r;
  // A product below 2^-900 may have lost digits that no residual shows.
  const Mask lost = ~(Mask)(abs(product) >= kRegular) & (Mask)(a.m != 0.0) & (Mask)(b.m != 0.0);
  radius_ += lost ? broadcast(kEta) : broadcast(0.0);
}

Ball Sum::value() const {
  // Adding a rest of +0 would turn a total of -0 into +0.
  const Vec total = rest_ == 0.0 ? total_ : (Vec)(total_ + rest_);
  const Vec error = rest_ == 0.0 ? broadcast(0.0) : abs(two_sum_error(total_, rest_, total));
  return {total, radius_ + second_ + error};
}

namespace {

struct PlainSum {
  bool nan = false, open = false, plus = false, minus = false;
  void add(Lane x) {
    nan = nan || is_nan_lane(x);
    open = open || is_open(x);
    if (is_infinite(x)) (x.m > 0 ? plus : minus) = true;
  }
  Lane value() const {
    if (nan) return {__builtin_nan(""), 0};
    if (open) return open_lane();
    if (plus && minus) return {__builtin_nan(""), 0};
    if (plus || minus) return {plus ? kInf : -kInf, 0};
    return open_lane();  // an overflow on the way
  }
};

}  // namespace

Ball plain_sum(In<Ball> terms, Ball sum) {
  for (int i = 0; i < kLanes; ++i) {
    if (sum.r[i] < kInf && size_of(sum.m[i]) < kInf) continue;
    PlainSum plain;
    for (size_t k = 0; k < terms.size(); ++k) plain.add(lane(terms[k], i));
    set_lane(sum, i, plain.value());
  }
  return sum;
}

void prefix_sums(In<Ball> terms, Out<Ball> sums) {
  Sum running;
  PlainSum plain[kLanes];
  for (size_t k = 0; k < terms.size(); ++k) {
    running.add(terms[k]);
    Ball total = running.value();
    const bool special = any(~(Mask)(total.r < kInf) | ~(Mask)(abs(total.m) < kInf));
    for (int i = 0; i < kLanes; ++i) {
      plain[i].add(lane(terms[k], i));
      if (special && !(total.r[i] < kInf && size_of(total.m[i]) < kInf)) set_lane(total, i, plain[i].value());
    }
    sums[k] = total;
  }
}

Ball plain_dot(In<Ball> a, In<Ball> b, Ball dot) {
  for (int i = 0; i < kLanes; ++i) {
    if (dot.r[i] < kInf && size_of(dot.m[i]) < kInf) continue;
    PlainSum plain;
    for (size_t k = 0; k < a.size(); ++k) plain.add(lane(a[k] * b[k], i));
    set_lane(dot, i, plain.value());
  }
  return dot;
}

}  // namespace ONNXV_LANES
}  // namespace onnxv
