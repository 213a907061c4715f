// scale / sqrt(variance + epsilon), by which normalizations multiply.
#pragma once

#include <limits>

namespace onnxv {

struct Enclosed {
  double midpoint, radius;
};

// Three operations of the machine. A sum of numbers that are not negative is off by at most u = 2^-53 of itself, its root by half
// of that and u, the quotient by that and u: together less than 2.6 u (1 + 3 u), for which 4 u stand. A zero is exact. Radius
// infinity where an operand is negative or NaN, or a result is near the ends of the range of doubles, where more may be lost.
inline Enclosed over_root(double scale, double variance, double epsilon) {
  const auto inside = [](double x) { return x > 0x1p-900 && x < 0x1p900; };
  const double sum = variance + epsilon;
  if (!(variance >= 0) || !(epsilon >= 0) || !inside(sum)) return {0, std::numeric_limits<double>::infinity()};
  const double quotient = scale / __builtin_sqrt(sum), size = __builtin_fabs(quotient);
  if (scale == 0) return {quotient, 0};
  return {quotient, inside(size) ? size * 0x1p-51 : std::numeric_limits<double>::infinity()};
}

}  // namespace onnxv
