// Sums of roots of unity, exactly: where a Fourier sum is rational (0 above all) no enclosure ever
// proves it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "src/number/rational.h"

namespace onnxv {

// Doubles on one scale: value i is integers[i] * 2^exponent. Nothing where a NaN or an infinity is
// among them.
struct ScaledIntegers {
  std::vector<BigInt> integers;
  int exponent = 0;
};
std::optional<ScaledIntegers> scaled_integers(std::span<const double> values);
// value * 2^exponent.
Rational scaled(const BigInt& value, int exponent);

// The mean of a root of unity of this order over its conjugates, moebius / totient: the rational
// part of it and of its cosine.
struct RootMean {
  int64_t moebius, totient;
};
RootMean mean_of_root(int64_t order);

// coefficient * cos(2 pi angle / n); any angle.
struct CosineTerm {
  const BigInt* coefficient;
  int64_t angle;
};
// Twice the sum of the terms where the sum is rational (it is an integer then), else nothing.
std::optional<BigInt> doubled_cosine_sum(std::span<const CosineTerm> terms, int64_t n);

}  // namespace onnxv
