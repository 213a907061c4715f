// Compiled once per instruction set, like everything in lanes.
#include "src/number/ball.h"

#include "src/number/ball_lanes.h"

namespace onnxv {
inline namespace ONNXV_LANES {
namespace {

double with_sign(double size, bool minus) { return minus ? -size : size; }

// A finite result near zero whose sign is `minus` for certain and whose magnitude is at most `upper`.
Lane tiny(Lane result, double upper, bool sign_is_known, bool minus) {
  const bool sign_lost = size_of(result.m) <= kVanished || result.r > size_of(result.m);
  if (sign_is_known && sign_lost && upper < 1.9 * kVanished) return vanished(minus);
  return {result.m, result.r + (result.r > size_of(result.m) ? kUnsure : kEta)};
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

// An exact zero whose product with `b` is a zero of known sign: what a.m * b.m says already.
static Mask annihilates(const Ball& a, const Ball& b) {
  return (Mask)(a.m == 0.0) & (Mask)(a.r == 0.0) & (Mask)(b.r <= abs(b.m)) & (Mask)(abs(b.m) < kInf);
}

Ball repair(Operation operation, Ball a, Ball b, Ball result) {
  Mask lanes = operation == Operation::kAdd ? ~(Mask)(result.r < kInf) : ~regular(result);
  if (operation == Operation::kMultiply) lanes &= ~(annihilates(a, b) | annihilates(b, a));
  if (operation == Operation::kDivide) {
    lanes |= ~(Mask)(abs(a.m) >= kRegular);
    lanes &= ~(annihilates(a, b) & (Mask)(abs(b.m) > b.r));
  }
  for (int i = 0; i < kLanes; ++i) {
    if (lanes[i]) set_lane(result, i, repaired(operation, lane(a, i), lane(b, i), lane(result, i)));
  }
  return result;
}

// By the plain IEEE operation: a divisor of wide radius, zeros, what is tiny or not finite.
Ball unusual_quotient(Ball a, Ball b, Ball quotient) {
  const Vec m = a.m / b.m, least = abs(b.m) - b.r;
  const Vec spread = never_exact((multiply_add(abs(m), b.r, a.r) + abs(fma(-m, b.m, a.m))) / least, a.r + b.r);
  const Mask usual = (Mask)(b.r * abs(1.0 / b.m) < 0x1p-21) & (Mask)(abs(a.m) >= kRegular) & regular(quotient);
  const Ball plain{m, (Vec)(least > 0.0 ? spread : broadcast(kInf))};
  const Ball repaired = repair(Operation::kDivide, a, b, plain);
  return {usual ? quotient.m : repaired.m, usual ? quotient.r : repaired.r};
}

// ---- choices ----

// Both exact: IEEE with -0 below +0 and NaN winning. Otherwise the hull, or the one that lies apart.
Ball extreme(Ball a, Ball b, bool greatest) {
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

Decision general_less(Ball a, Ball b) {
  const Vec sa = slack(a), sb = slack(b);
  const Mask nan = (Mask)(a.m != a.m) | (Mask)(b.m != b.m);
  const Mask yes = (Mask)(a.m + sa < b.m - sb);
  const Mask no = (Mask)(a.m - sa >= b.m + sb);
  return {yes & ~nan, ~yes & ~no & ~nan};
}

Decision general_less_or_equal(Ball a, Ball b) {
  const Vec sa = slack(a), sb = slack(b);
  const Mask nan = (Mask)(a.m != a.m) | (Mask)(b.m != b.m);
  const Mask yes = (Mask)(a.m + sa <= b.m - sb);
  const Mask no = (Mask)(a.m - sa > b.m + sb);
  return {yes & ~nan, ~yes & ~no & ~nan};
}

Decision general_equal(Ball a, Ball b) {
  const Vec sa = slack(a), sb = slack(b);
  const Mask nan = (Mask)(a.m != a.m) | (Mask)(b.m != b.m);
  const Mask exact = (Mask)(a.r == 0.0) & (Mask)(b.r == 0.0);
  const Mask yes = exact & (Mask)(a.m == b.m);
  const Mask no = nan | (exact & ~yes) | (Mask)(a.m - sa > b.m + sb) | (Mask)(a.m + sa < b.m - sb);
  return {yes, ~yes & ~no};
}

Ball hull_where_open(Decision yes, Ball a, Ball b, Ball chosen) {
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

}  // namespace ONNXV_LANES
}  // namespace onnxv
