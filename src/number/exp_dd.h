// e^x and ln x of double-doubles, with proved bounds: for whoever needs more than a double's digits and less than MPFR's.
#pragma once

#include <optional>

#include "src/number/double_double.h"

namespace onnxv {

// value · 2^exponent with value in [1/2, 2].
struct Scaled {
  DoubleDouble value;
  int exponent;
  // The double-double itself, where no part of it vanishes.
  DoubleDouble unscaled() const { return {std::ldexp(value.head, exponent), std::ldexp(value.tail, exponent)}; }
};

inline constexpr double kMostExponent = 800;        // |x| of exp_scaled()
inline constexpr double kExpError = 0x1p-100;       // relative errors
inline constexpr double kExpm1Error = 0x1p-90;
inline constexpr double kLogError = 0x1p-88;

// For |x| <= kMostExponent.
Scaled exp_scaled(DoubleDouble x);
// e^x - 1 for |x| <= 600, and 0 or |x| >= 2^-900.
DoubleDouble expm1_dd(DoubleDouble x);
// ln(1 + x) for -1 < x < 2^900, |x| >= 2^-900, and ln x for 2^-900 <= x <= 2^900, x != 1; nullopt where libm's logarithm is too bad a
// start to prove the bound.
std::optional<DoubleDouble> log1p_dd(DoubleDouble x);
std::optional<DoubleDouble> log_dd(DoubleDouble x);

}  // namespace onnxv
