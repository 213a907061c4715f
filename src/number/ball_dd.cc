#include "src/number/ball_dd.h"

#include "src/number/ball_dd_parts.h"

namespace onnxv {

using namespace ball_dd;

BallDD BallDD::open() { return {0, 0, kInfinite}; }

// ---- + - ----

namespace {

[[gnu::noinline, gnu::cold]] BallDD repaired_sum(const BallDD& a, const BallDD& b) {
  if (a.is_nan_point()) return a;
  if (b.is_nan_point()) return b;
  if (a.is_open() || b.is_open()) return BallDD::open();
  if (a.is_infinite_point() && b.is_infinite_point()) return a.head + b.head;
  if (a.is_infinite_point()) return a;
  if (b.is_infinite_point()) return b;
  return BallDD::open();
}

// What is not finite leaves a NaN residual.
inline bool is_finite_sum(const BallDD& x) { return std::fabs(x.tail) + x.r < kInfinite; }

}  // namespace

// Six error-free sums; what the last two leave over is the error.
BallDD operator+(const BallDD& a, const BallDD& b) {
  const DoubleDouble heads = two_sum(a.head, b.head);
  if (a.tail == 0 && b.tail == 0) {  // and -0 + -0 stays what it is
    const BallDD sum(heads, a.r + b.r);
    return is_finite_sum(sum) ? sum : repaired_sum(a, b);
  }
  const DoubleDouble tails = two_sum(a.tail, b.tail);
  const DoubleDouble inner = two_sum(heads.tail, tails.head);
  const DoubleDouble outer = two_sum(heads.head, inner.head);
  const DoubleDouble rests = two_sum(inner.tail, tails.tail);
  const DoubleDouble low = two_sum(outer.tail, rests.head);
  const BallDD sum(two_sum(outer.head, low.head), a.r + b.r + (std::fabs(low.tail) + std::fabs(rests.tail)));
  return is_finite_sum(sum) ? sum : repaired_sum(a, b);
}

// ---- * ----

namespace {

[[gnu::noinline, gnu::cold]] BallDD repaired_product(const BallDD& a, const BallDD& b, double radius) {
  if (a.is_nan_point()) return a;
  if (b.is_nan_point()) return b;
  if (a.is_open() || b.is_open()) return BallDD::open();
  const double head = a.head * b.head;
  const bool minus = std::signbit(a.head) != std::signbit(b.head);
  const bool known = sign_known(a) && sign_known(b);
  if (a.is_infinite_point() || b.is_infinite_point()) {
    if (a.is_zero_point() || b.is_zero_point()) return head;
    return known ? BallDD(minus ? -kInfinite : kInfinite) : BallDD::open();
  }
  if (a.is_zero_point() || b.is_zero_point()) return known ? BallDD(minus ? -0.0 : 0.0) : BallDD(0, 0, kEta);
  if (is_plain(a) && std::fabs(a.head) == 1) return a.head > 0 ? b : -b;
  if (is_plain(b) && std::fabs(b.head) == 1) return b.head > 0 ? a : -a;
  if (!(std::fabs(head) < kInfinite) || !(radius < kInfinite)) return BallDD::open();
  const double upper = (std::fabs(a.head) + a.r) * (std::fabs(b.head) + b.r) * (1 + 0x1p-50) + kEta;
  return tiny({head, 0, radius + std::fabs(head) * 0x1p-51}, upper, known, minus);
}

// Where something of an inexact operand's radius, or of a tail's product, may have vanished.
inline double lost(double product) { return std::fabs(product) < kExactProduct ? kEta : 0; }

}  // namespace

// The product of the heads is exact; those of head and tail are rounded, and their remainders added to what is below the tail. That
// sum of five terms, and the product of the tails in it, are off by less than 2^-51 of the terms' magnitudes.
BallDD operator*(const BallDD& a, const BallDD& b) {
  const DoubleDouble heads = two_product(a.head, b.head);
  double radius = std::fabs(a.head) * b.r + (std::fabs(b.head) + b.r) * a.r;
  if (a.r + b.r > 0) radius += lost(radius);
  BallDD product(heads, radius);
  if (a.tail != 0 || b.tail != 0) {
    const DoubleDouble first = two_product(a.head, b.tail), second = two_product(a.tail, b.head);
    const double tails = a.tail * b.tail;
    const DoubleDouble crossed = two_sum(first.head, second.head);
    const DoubleDouble upper = two_sum(heads.tail, crossed.head);
    const double below = (crossed.tail + upper.tail) + (tails + (first.tail + second.tail));
    const double mass = std::fabs(crossed.tail) + std::fabs(upper.tail) + std::fabs(tails) + std::fabs(first.tail) +
                        std::fabs(second.tail);
    const DoubleDouble tail = two_sum(upper.head, below);
    radius += mass * 0x1p-51 + std::fabs(tail.tail);
    if (b.tail != 0) radius += lost(first.head);
    if (a.tail != 0) radius += lost(second.head);
    if (a.tail != 0 && b.tail != 0) radius += lost(tails);
    product = BallDD(two_sum(heads.head, tail.head), radius);
  }
  const double size = std::fabs(product.head);
  return radius < kInfinite && size >= kRegular && size < kInfinite ? product : repaired_product(a, b, radius);
}

// ---- / ----

namespace {

[[gnu::noinline, gnu::cold]] BallDD repaired_quotient(const BallDD& a, const BallDD& b, double radius) {
  if (a.is_nan_point()) return a;
  if (b.is_nan_point()) return b;
  if (a.is_open() || b.is_open()) return BallDD::open();
  const double head = a.head / b.head;
  const bool minus = std::signbit(a.head) != std::signbit(b.head);
  const bool known = sign_known(a) && sign_known(b);
  if (a.is_infinite_point() && b.is_infinite_point()) return head;
  if (a.is_zero_point() && b.is_zero_point()) return head;
  if (b.is_zero_point() || a.is_infinite_point()) return known ? BallDD(minus ? -kInfinite : kInfinite) : BallDD::open();
  if (b.is_infinite_point()) return known ? BallDD(minus ? -0.0 : 0.0) : BallDD(0, 0, kEta);
  if (a.is_zero_point()) return sign_known(b) ? BallDD(minus ? -0.0 : 0.0) : BallDD::open();
  if (is_plain(b) && std::fabs(b.head) == 1) return b.head > 0 ? a : -a;
  if (!(std::fabs(head) < kInfinite) || !(radius < kInfinite)) return BallDD::open();
  const double upper = (std::fabs(a.head) + a.r) / (std::fabs(b.head) * (1 - 0x1p-50) - b.r) * (1 + 0x1p-50) + kEta;
  return tiny({head, 0, radius + std::fabs(head) * 0x1p-51}, upper, known, minus);
}

// Largest spread of a/b by the operands' radii.
inline double spread(const BallDD& a, const BallDD& b, double quotient) {
  if (a.r + b.r == 0) return 0;
  const double size = std::fabs(b.head) * (1 - 0x1p-50) - b.r;
  if (!(b.r <= 0.5 * std::fabs(b.head))) return kInfinite;
  const double moved = a.r + std::fabs(quotient) * b.r;
  return (moved + lost(moved)) / size + kEta;  // which may vanish too
}

struct Quotient {
  DoubleDouble value;
  double remainder;  // at least |a - value · b|
};

// Of plain operands both remainders are exact, if they do not vanish.
inline Quotient plain_quotient(double a, double b) {
  const double first = a / b, rest = std::fma(-first, b, a), second = rest / b;
  return {two_sum(first, second), std::fabs(std::fma(-second, b, rest)) + (rest != 0 ? lost(rest) : 0)};
}

// The exact terms of a - first · b are summed free of errors down to `rest` and five small ones, whose plain sum `low` is off by
// 2^-51 of their magnitudes; then once more for the second digit.
inline Quotient full_quotient(DoubleDouble a, DoubleDouble b) {
  const double first = a.head / b.head;
  const DoubleDouble product = two_product(first, b.head), crossed = two_product(first, b.tail);
  const DoubleDouble heads = two_sum(a.head, -product.head);
  const DoubleDouble one = two_sum(heads.head, -product.tail), two = two_sum(one.head, a.tail);
  const DoubleDouble three = two_sum(two.head, -crossed.head);
  const double low = (one.tail + two.tail) + (three.tail + (heads.tail - crossed.tail));
  const double mass = std::fabs(one.tail) + std::fabs(two.tail) + std::fabs(three.tail) + std::fabs(heads.tail) +
                      std::fabs(crossed.tail);
  const double second = (three.head + low) / b.head;
  const DoubleDouble back = two_product(second, b.head), rest = two_sum(three.head, -back.head);
  const DoubleDouble last = two_sum(rest.head, low);
  double remainder = std::fabs(last.head) + std::fabs(last.tail) + std::fabs(rest.tail) + std::fabs(back.tail) +
                     std::fabs(second * b.tail) + mass * 0x1p-51;
  if (b.tail != 0) remainder += lost(crossed.head);
  if (second != 0) remainder += lost(back.head) + (b.tail != 0 ? lost(second * b.tail) : 0);
  return {two_sum(first, second), remainder};
}

}  // namespace

// |a/b - q| = |a - q b| / |b|.
BallDD operator/(const BallDD& a, const BallDD& b) {
  const bool plain = a.tail == 0 && b.tail == 0;
  const Quotient q = plain ? plain_quotient(a.head, b.head) : full_quotient(a.pair(), b.pair());
  double radius = spread(a, b, q.value.head);
  if (q.remainder != 0) radius += q.remainder / std::fabs(b.head) * (1 + 0x1p-50) + kEta;
  const double size = std::fabs(q.value.head);
  const bool regular = radius < kInfinite && size >= kRegular && size < kInfinite && std::fabs(a.head) >= kRegular;
  return regular ? BallDD(q.value, radius) : repaired_quotient(a, b, spread(a, b, a.head / b.head));
}

// ---- choices ----

namespace {

// Of finite or infinite balls; exact ones by their heads, which are zero only where the value is.
bool surely_below_zero(const BallDD& x) { return x.is_exact() ? x.head < 0 : ends(x).high.head < 0 || (is_vanished(x) && x.head < 0); }
bool surely_above_zero(const BallDD& x) { return surely_below_zero(-x); }
bool surely_at_most_zero(const BallDD& x) { return x.is_exact() ? x.head <= 0 : ends(x).high.head <= 0; }
bool surely_at_least_zero(const BallDD& x) { return surely_at_most_zero(-x); }

BallDD extreme(const BallDD& a, const BallDD& b, bool greatest) {
  if (a.is_nan_point()) return a;
  if (b.is_nan_point()) return b;
  if (a.is_open() || b.is_open()) return BallDD::open();
  if (is_plain(a) && is_plain(b) && a.head == b.head) {  // -0 is below +0
    return std::signbit(a.head) == greatest ? b : a;
  }
  const bool a_wins = greatest ? a.head > b.head || (a.head == b.head && a.tail > b.tail)
                               : a.head < b.head || (a.head == b.head && a.tail < b.tail);
  BallDD chosen = a_wins ? a : b;
  if (a.r + b.r == 0) return chosen;
  const BallDD apart = greatest == a_wins ? a - b : b - a;
  if (apart.is_open() || !surely_above_zero(apart)) {
    // Between the midpoints' extreme and the values' lies no more than the wider radius.
    if (a.is_infinite_point() || b.is_infinite_point()) return BallDD::open();
    chosen.r = std::fmax(a.r, b.r) * (1 + 0x1p-30);
  }
  return chosen;
}

bool undecidable(const BallDD& a, const BallDD& b) { return a.is_open() || b.is_open(); }

}  // namespace

BallDD min(const BallDD& a, const BallDD& b) { return extreme(a, b, false); }
BallDD max(const BallDD& a, const BallDD& b) { return extreme(a, b, true); }

BallDecision operator<(const BallDD& a, const BallDD& b) {
  if (a.is_nan_point() || b.is_nan_point()) return {false, false};
  if (is_plain(a) && is_plain(b)) return {a.head < b.head, false};
  if (undecidable(a, b)) return {false, true};
  const BallDD difference = a - b;
  if (difference.is_open()) return {false, true};
  const bool yes = surely_below_zero(difference);
  return {yes, !yes && !surely_at_least_zero(difference)};
}
BallDecision operator<=(const BallDD& a, const BallDD& b) {
  if (a.is_nan_point() || b.is_nan_point()) return {false, false};
  if (is_plain(a) && is_plain(b)) return {a.head <= b.head, false};
  if (undecidable(a, b)) return {false, true};
  const BallDD difference = a - b;
  if (difference.is_open()) return {false, true};
  const bool yes = surely_at_most_zero(difference);
  return {yes, !yes && !surely_above_zero(difference)};
}
BallDecision operator==(const BallDD& a, const BallDD& b) {
  if (a.is_nan_point() || b.is_nan_point()) return {false, false};
  if (is_plain(a) && is_plain(b)) return {a.head == b.head, false};
  if (undecidable(a, b)) return {false, true};
  const BallDD difference = a - b;
  if (difference.is_open()) return {false, true};
  if (difference.is_exact()) return {difference.head == 0, false};
  return {false, !surely_below_zero(difference) && !surely_above_zero(difference)};
}

BallDD select(BallDecision yes, const BallDD& a, const BallDD& b) {
  if (!yes.open) return yes.yes ? a : b;
  if (a.is_nan_point() && b.is_nan_point()) return a;
  if (a.head == b.head && a.tail == b.tail && a.r == b.r && std::signbit(a.head) == std::signbit(b.head)) return a;
  const double m = 0.5 * a.head + 0.5 * b.head;
  const double r = 0.5 * std::fabs(a.head - b.head) + std::fmax(a.r, b.r) + (std::fabs(a.head) + std::fabs(b.head)) * 0x1p-51 + kEta;
  return std::fabs(m) < kInfinite && r < kInfinite ? BallDD(m, 0, r * (1 + 0x1p-30)) : BallDD::open();
}

BallDD shift_of(In<BallDD> line) {
  double best = -kInfinite;
  for (const BallDD& x : line) {
    if (std::fabs(x.head) < kInfinite && x.r < kInfinite && x.head > best) best = x.head;
  }
  return best == -kInfinite ? 0.0 : best;
}

}  // namespace onnxv
