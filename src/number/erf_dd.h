// The error function of double-doubles, with a proved bound.
#pragma once

#include "src/number/double_double.h"

namespace onnxv {

inline constexpr double kErfReach = 3;          // |x| of erf_dd()
inline constexpr double kErfError = 0x1p-93;    // relative

// For 2^-400 <= |x| <= kErfReach.
DoubleDouble erf_dd(DoubleDouble x);

}  // namespace onnxv
