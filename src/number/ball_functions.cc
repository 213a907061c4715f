// The rarer functions of balls, and the cold paths of all. Compiled once per instruction set.
#include "src/number/ball_functions.h"

#include "src/base/int128.h"
#include "src/number/ball_lanes.h"

namespace onnxv {
inline namespace ONNXV_LANES {

namespace {

Lane repaired(const BallFunction& function, Lane x, Lane y) {
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
  if (function.near_itself && x.r == kVanished && size_of(x.m) == kVanished) return x;
  const double reach = x.r * (1 + 0x1p-20) + size_of(x.m) * 0x1p-52;
  const double low = function.scalar(x.m - reach), high = function.scalar(x.m + reach);
  if (low != low && high != high && x.r < size_of(x.m)) return {low, 0};
  if (!finite_lane(y) || low != low || high != high) return open_lane();
  const double upper = size_of(low) > size_of(high) ? size_of(low) : size_of(high);
  if (function.positive && upper < kVanished) return vanished(false);
  return {y.m, y.r + kEta};
}

double scalar_sqrt(double x) { return __builtin_sqrt(x); }

constexpr BallFunction kSqrtFunction{scalar_sqrt, false, false, kNowhere};
constexpr BallFunction kExpFunction{::exp, true, true, kNowhere};
constexpr BallFunction kSinFunction{::sin, false, false, kNowhere, true};
constexpr BallFunction kCosFunction{::cos, false, false, kNowhere};
constexpr BallFunction kTanFunction{::tan, true, false, kNowhere, true};
constexpr BallFunction kAsinFunction{::asin, false, false, kNowhere, true};
constexpr BallFunction kAcosFunction{::acos, false, false, 1};
constexpr BallFunction kAtanFunction{::atan, false, false, kNowhere, true};
constexpr BallFunction kSinhFunction{::sinh, true, false, kNowhere, true};
constexpr BallFunction kCoshFunction{::cosh, true, false, kNowhere};
constexpr BallFunction kTanhFunction{::tanh, false, false, kNowhere, true};
constexpr BallFunction kAsinhFunction{::asinh, false, false, kNowhere, true};
constexpr BallFunction kAcoshFunction{::acosh, false, false, 1};
constexpr BallFunction kAtanhFunction{::atanh, false, false, kNowhere, true};

// The lanes of y that `wanted` names, one by one.
Ball repaired_lanes(const BallFunction& function, const Ball& x, Ball y, Mask wanted) {
  for (int i = 0; i < kLanes; ++i) {
    if (wanted[i]) set_lane(y, i, repaired(function, lane(x, i), lane(y, i)));
  }
  return y;
}

}  // namespace

Ball unusual(const BallFunction& function, Ball x, Ball y) {
  // f(0) = 0 exactly, with the sign that the library gives it.
  const Mask zero = exactly_zero(x) & (Mask)(y.m == 0.0) & (Mask)(y.r == 0.0);
  const Mask wanted = ~regular(y) & ~zero;
  return any(wanted) ? repaired_lanes(function, x, y, wanted) : y;
}

Ball unusual_sqrt(Ball x, Ball y) {
  const Mask wanted = ~regular(y) | ~(Mask)(abs(x.m) >= kRegular);
  for (int i = 0; i < kLanes; ++i) {
    if (!wanted[i]) continue;
    Lane value = repaired(kSqrtFunction, lane(x, i), lane(y, i));
    if (x.r[i] == 0 && value.m > 0 && value.r > 0) {
      // Scaled by an even power of two the remainder cannot underflow.
      const double a = x.m[i] * 0x1p600, root = __builtin_sqrt(a);
      value = {root * 0x1p-300, size_of(__builtin_fma(-root, root, a)) / root * 0x1p-300};
    }
    set_lane(y, i, value);
  }
  return y;
}

// Masked rows are full of arguments like -1e9 and -inf: e^x < 2^-950 below -660.
Ball unusual_exp(Ball x, Ball y, Mask usual) {
  const Mask exact = (Mask)(x.r == 0.0), infinite = (Mask)(x.m == -kInf);
  const Mask vanished = (Mask)(x.m + slack(x) < -660.0) & ~infinite, none = infinite & exact;
  y.m = vanished ? broadcast(kVanished) : y.m;
  y.r = vanished ? broadcast(kVanished) : y.r;
  y.m = (Vec)((Mask)y.m & ~none);
  y.r = (Vec)((Mask)y.r & ~none);
  const Mask rest = ~(usual | vanished | none);
  if (!any(rest)) return y;
  const Vec m = vector_exp((Vec)(rest ? x.m : broadcast(0.0)));
  const Ball full{m, where((Mask)(x.r < 1.0), m * multiply_add(x.r, 1.0 + x.r, broadcast(kLibrary)))};
  y.m = rest ? full.m : y.m;
  y.r = rest ? full.r : y.r;
  const Mask wanted = rest & ~regular(y);
  return any(wanted) ? repaired_lanes(kExpFunction, x, y, wanted) : y;
}

Ball unusual_tanh(Ball x, Ball y) {
  const Mask zero = exactly_zero(x), infinite = (Mask)(x.r == 0.0) & (Mask)(abs(x.m) == kInf);
  y.m = zero ? x.m : y.m;
  y.r = (Vec)((Mask)y.r & ~(zero | infinite));
  const Mask wanted = ~((Mask)(abs(x.m) + x.r < kInf) & regular(y)) & ~(zero | infinite);
  return any(wanted) ? repaired_lanes(kTanhFunction, x, y, wanted) : y;
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

namespace {

// erf(y) - a for a in [0, 1], y >= 0; in the upper half from the complements, of which 1 - a is exact. `size`: what the library
// function's relative error is of.
Vec inverse_residual(Vec y, Vec a, Vec& size) {
  const Vec inner = vector_erf(y), outer = vector_erfc(y);
  const Mask central = (Mask)(a < 0.5);
  size = central ? inner : outer;
  return central ? (Vec)(inner - a) : (Vec)((1.0 - a) - outer);
}

// An approximation of the inverse error function of a in [0, 1): Winitzki's formula, then Halley's steps. Nothing is
// claimed of its quality: the residual tells it.
Vec inverse_guess(Vec a) {
  const Vec l = vector_log((1.0 - a) * (1.0 + a));
  const Vec b = 4.330746750799873 + 0.5 * l;  // 2 / (0.147 pi)
  const Vec inner = vector_sqrt(b * b - l * (1.0 / 0.147)) - b;
  Vec y = vector_sqrt((Vec)(inner > 0.0 ? inner : broadcast(0.0))), size;
  for (int i = 0; i < 3; ++i) {
    const Vec u = inverse_residual(y, a, size) * (0.886226925452758 * vector_exp(y * y));
    y = y - u / (1.0 + y * u);
  }
  return y;
}

}  // namespace

// With R >= |erf(y) - x| and t = R e^(y²) sqrt(pi)/2, the inverse is within 2t of y if e = 4t(y + t) <= 0.69: from y to y ± 2t
// erf changes by at least 2t · 2/sqrt(pi) · e^(-(y+2t)²) = 2R e^-e >= R. And then within t e^e <= t(1 + 2e), by the smallest
// slope on the way. Beyond (-1, 1), at tiny arguments and where nothing is known the proof decides.
Ball erfinv(const Ball& x) {
  const Mask nan = (Mask)(x.m != x.m);
  const Mask zero = (Mask)(x.r == 0.0) & (Mask)(x.m == 0.0);
  const Mask known = nan | zero;
  const Vec a = abs(x.m);
  const Mask inside = (Mask)(a < 1.0) & (Mask)(a >= kRegular) & (Mask)(x.r < 1.0);
  const Vec usable = inside ? a : broadcast(0.5);
  const Vec y = inverse_guess(usable);
  Vec size;
  const Vec residual = abs(inverse_residual(y, usable, size)) + size * kLibrary + slack(x) + size * 0x1p-52;
  const Vec t = residual * (0.8862269254527581 * (1.0 + 0x1p-40)) * vector_exp(y * y);
  const Vec e = 4.0 * t * (y + t);
  const Mask proved = inside & (Mask)(e <= 0.69) & (Mask)(y > 0.0);
  const Vec radius = proved ? (Vec)(t * (1.0 + 2.0 * e)) : broadcast(kInf);
  const Vec m = proved ? (Vec)(x.m < 0.0 ? -y : y) : broadcast(0.0);
  return {known ? x.m : m, known ? broadcast(0.0) : radius};
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
  if (any(~regular(power) & ~same)) {
    const Mask lanes = ~regular(power) & ~same;
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

}  // namespace ONNXV_LANES
}  // namespace onnxv
