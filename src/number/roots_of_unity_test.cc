#include "src/number/roots_of_unity.h"

#include <doctest/doctest.h>

#include <limits>

#include "src/number/interval.h"

namespace onnxv {
namespace {

std::optional<BigInt> doubled(std::vector<int64_t> coefficients, std::vector<int64_t> angles,
                              int64_t n) {
  const std::vector<BigInt> integers(coefficients.begin(), coefficients.end());
  std::vector<CosineTerm> terms;
  for (size_t i = 0; i < angles.size(); ++i) terms.push_back({&integers[i], angles[i]});
  return doubled_cosine_sum(terms, n);
}

bool is_point(const Interval& x, double value) {
  return x.is_point() && mpfr_cmp_d(x.low(), value) == 0;
}

}  // namespace

TEST_CASE("turn is exact where sine or cosine is rational") {
  const PrecisionScope precision(128);
  Interval c, s;
  turn(0, 7, c, s);
  CHECK((is_point(c, 1) && is_point(s, 0)));
  turn(7, 28, c, s);
  CHECK((is_point(c, 0) && is_point(s, 1)));
  turn(-5, 10, c, s);
  CHECK((is_point(c, -1) && is_point(s, 0)));
  turn(9, 12, c, s);
  CHECK((is_point(c, 0) && is_point(s, -1)));
  turn(1, 6, c, s);
  CHECK((is_point(c, 0.5) && !s.is_point()));
  turn(7, 12, c, s);
  CHECK((!c.is_point() && is_point(s, -0.5)));
  turn(1, 8, c, s);  // sqrt(1/2) = 0.70710678118654752440…
  CHECK((mpfr_cmp_d(c.low(), 0.7071067811865475) > 0 &&
         mpfr_cmp_d(c.high(), 0.7071067811865477) < 0));
}

TEST_CASE("Doubles on one scale") {
  const std::vector<double> values{0.75, -6.0, 0.0};
  const auto scaled_values = scaled_integers(values);
  REQUIRE(scaled_values.has_value());
  CHECK(scaled_values->exponent == -2);
  CHECK(scaled_values->integers[0] == BigInt(3));
  CHECK(scaled_values->integers[1] == BigInt(-24));
  CHECK(scaled_values->integers[2] == BigInt(0));
  const std::vector<double> infinite{1.0, std::numeric_limits<double>::infinity()};
  CHECK(!scaled_integers(infinite).has_value());
  const std::vector<double> least{0x1p-1074, 1.0};
  CHECK(scaled_integers(least)->integers[1] == BigInt(1).shifted_left(1074));
  CHECK(scaled(BigInt(3), -1) == Rational(BigInt(3), BigInt(2)));
}

TEST_CASE("Means of roots of unity") {
  // The primitive roots of order 1, 2, 3, 4, 6 sum to 1, -1, -1, 0, 1.
  CHECK((mean_of_root(1).moebius == 1 && mean_of_root(1).totient == 1));
  CHECK((mean_of_root(2).moebius == -1 && mean_of_root(2).totient == 1));
  CHECK((mean_of_root(3).moebius == -1 && mean_of_root(3).totient == 2));
  CHECK((mean_of_root(4).moebius == 0 && mean_of_root(4).totient == 2));
  CHECK((mean_of_root(6).moebius == 1 && mean_of_root(6).totient == 2));
  CHECK(mean_of_root(30).moebius == -1);
}

TEST_CASE("Rational sums of cosines are found") {
  // All five fifth roots: 0.
  CHECK(doubled({3, 3, 3, 3, 3}, {0, 1, 2, 3, 4}, 5) == BigInt(0));
  // One of them changed by 1 at angle 0: 1.
  CHECK(doubled({4, 3, 3, 3, 3}, {0, 1, 2, 3, 4}, 5) == BigInt(2));
  // cos 72° + cos 144° = -1/2.
  CHECK(doubled({1, 1}, {1, 2}, 5) == BigInt(-1));
  // cos 72° alone, and with the wrong sign, is irrational.
  CHECK(!doubled({1}, {1}, 5).has_value());
  CHECK(!doubled({1, -1}, {1, 2}, 5).has_value());
  // cos 45° + cos 135° = 0; cos 60° = 1/2; cos 30° is irrational.
  CHECK(doubled({1, 1}, {1, 3}, 8) == BigInt(0));
  CHECK(doubled({1}, {2}, 12) == BigInt(1));
  CHECK(!doubled({1}, {1}, 12).has_value());
  // cos 20° + cos 140° + cos 260° = 0, with angles outside [0, n).
  CHECK(doubled({1, 1, 1}, {1, 7 - 18, 13 + 36}, 18) == BigInt(0));
}

TEST_CASE("Sums of cosines wider than 64 bits") {
  const BigInt wide = BigInt(1).shifted_left(100), other = wide + BigInt(1);
  const std::vector<CosineTerm> zero{{&wide, 1}, {&wide, 3}}, irrational{{&wide, 1}, {&other, 3}};
  CHECK(doubled_cosine_sum(zero, 8) == BigInt(0));
  CHECK(!doubled_cosine_sum(irrational, 8).has_value());
}

}  // namespace onnxv
