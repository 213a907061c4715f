// What the files of BallDD share.
#pragma once

#include <cmath>

#include "src/number/ball_dd.h"

namespace onnxv {
namespace ball_dd {

inline constexpr double kInfinite = __builtin_inf();
inline constexpr double kRegular = 0x1p-900;   // smaller products take the cold path
inline constexpr double kVanished = 0x1p-950;  // an underflowed nonzero of known sign
inline constexpr double kEta = 0x1p-1022;      // more than all underflow errors of one operation
inline constexpr double kExactProduct = 0x1p-960;  // from here on a product's fma remainder is exact

inline BallDD vanished(bool minus) { return {minus ? -kVanished : kVanished, 0, kVanished}; }
inline bool is_vanished(const BallDD& x) { return x.r == kVanished && std::fabs(x.head) == kVanished && x.tail == 0; }
inline bool is_plain(const BallDD& x) { return x.r == 0 && x.tail == 0; }
// The value has head's sign; an exact zero counts by its own.
inline bool sign_known(const BallDD& x) {
  return x.r == 0 ? x.head == x.head : x.r < 0.5 * std::fabs(x.head) || is_vanished(x);
}

// The ends of the ball, rounded outward; head is head + tail rounded to nearest. Of what is finite.
struct Ends {
  DoubleDouble low, high;
};
inline double downward(double x) { return x - std::fabs(x) * 0x1p-51; }
inline double upward(double x) { return x + std::fabs(x) * 0x1p-51; }
inline Ends ends(const BallDD& x) {
  if (x.is_exact()) return {x.pair(), x.pair()};
  Ends both{two_sum(x.head, downward(x.tail - reach(x))), two_sum(x.head, upward(x.tail + reach(x)))};
  if (is_vanished(x)) (x.head > 0 ? both.low : both.high) = {std::copysign(0.0, x.head), 0};
  return both;
}

// A result near zero, of sign `minus` where the sign is known, and of at most `upper`: what underflows keeps its sign.
inline BallDD tiny(BallDD result, double upper, bool sign_is_known, bool minus) {
  const bool sign_lost = std::fabs(result.head) <= kVanished || result.r >= 0.5 * std::fabs(result.head);
  if (sign_is_known && sign_lost && upper < 1.9 * kVanished) return vanished(minus);
  result.r = result.r * (1 + 0x1p-30) + kEta;  // and no vanished nonzero, which is known to be none
  return result;
}

}  // namespace ball_dd
}  // namespace onnxv
