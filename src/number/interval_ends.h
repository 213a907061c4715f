// What the files of Interval share: the ends and their signs.
#pragma once

#include "src/number/interval.h"

namespace onnxv {

inline bool is_minus(const mpfr_t x) { return mpfr_signbit(x) != 0; }

inline void set_point_infinity(Interval& x, bool minus) {
  mpfr_set_inf(x.low(), minus ? -1 : 1);
  mpfr_set_inf(x.high(), minus ? -1 : 1);
}
inline void set_point_zero(Interval& x, bool minus) {
  mpfr_set_zero(x.low(), minus ? -1 : 1);
  mpfr_set_zero(x.high(), minus ? -1 : 1);
}
// A zero whose sign is not known: [-0, +0].
inline void set_unsigned_zero(Interval& x) {
  mpfr_set_zero(x.low(), -1);
  mpfr_set_zero(x.high(), 1);
}
inline bool contains_zero(const Interval& x) { return mpfr_sgn(x.low()) <= 0 && mpfr_sgn(x.high()) >= 0; }

// One end is infinite, the other is not, and the sign is known: beyond every number of MPFR, or merely unbounded.
inline bool touches_infinity(const Interval& x) {
  return x.sign_known() && (mpfr_inf_p(x.low()) != 0) != (mpfr_inf_p(x.high()) != 0);
}
// Its ends do not tell its size.
inline bool is_beyond_range(const Interval& x) { return x.touches_zero() || touches_infinity(x); }

// ln |x| of a number of known sign; open where nothing is known of it.
Interval log_of_size(const Interval& x);
// The number with this sign and logarithm of its size.
Interval of_log_size(bool minus, const Interval& log);

using IntervalBinary = int (*)(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);
// The hull of the four corners of an operation that is monotone in each argument, on finite values.
Interval corners(const Interval& a, const Interval& b, IntervalBinary operation);

}  // namespace onnxv
