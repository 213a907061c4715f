// Numbers below or above every number of the arithmetic: what is known of their signs, and of the signs of their sums.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <map>
#include <random>
#include <vector>

#include "src/number/interval.h"
#include "src/number/testing/primitives.h"
#include "src/number/testing/rows.h"

namespace onnxv {
namespace {

// e^x has vanished below MPFR's range too.
constexpr std::array<double, 6> kExponents = {-1e24, -3e24, -1e95, -1e95 * (1 + 0x1p-52), -5e179, -1e300};

bool is_minus_zero(double x) { return x == 0 && std::signbit(x); }
bool is_plus_zero(double x) { return x == 0 && !std::signbit(x); }

struct ExponentialSums {
  std::vector<double> factors, powers;  // kTerms of each line
  std::vector<bool> minus;              // the sign of the sum, that of a zero included
  std::vector<bool> zero;
};
constexpr size_t kTerms = 4, kLines = 2000;

// Sums of c e^x with c of -1, 0, 1: the greatest power whose factors do not cancel has the sign.
ExponentialSums drawn_sums(double direction) {
  std::mt19937_64 random(5);
  ExponentialSums drawn;
  for (size_t line = 0; line < kLines; ++line) {
    std::map<double, double> by_exponent;
    bool all_minus_zero = true, zero = true;
    for (size_t k = 0; k < kTerms; ++k) {
      const double power = direction * kExponents[random() % kExponents.size()];
      const double factor = static_cast<double>(random() % 3) - 1;
      drawn.factors.push_back(line % 7 == 0 && factor == 0 ? -0.0 : factor);
      drawn.powers.push_back(power);
      by_exponent[power] += factor;
      all_minus_zero = all_minus_zero && is_minus_zero(drawn.factors.back());
    }
    bool negative = all_minus_zero;
    for (const auto& [power, factor] : by_exponent) {  // the greatest comes last
      if (factor == 0) continue;
      negative = factor < 0;
      zero = false;
    }
    drawn.minus.push_back(negative);
    drawn.zero.push_back(zero);
  }
  return drawn;
}

// The codes of the sums in every kind of target and walk up the ladder; `check(line, value)`.
template <class Check>
void climb_sums(const ExponentialSums& drawn, const Check& check) {
  const Rows factors(drawn.factors, kTerms), powers(drawn.powers, kTerms);
  for (const Format* format : {&kFloat32, &kBfloat16, &kFloat64}) {
    for (const bool rigorous : {false, true}) {
      Codes out(*format, kLines);
      set_rigorous(rigorous);
      CHECK(climb({&exponentials_formula(), kLines, {&factors, &powers}, {&out}, {}}) == 0);
      set_rigorous(false);
      for (size_t line = 0; line < kLines; ++line) {
        CAPTURE(line);
        check(line, out[line]);
      }
    }
  }
}

TEST_CASE("the sign of a sum of vanished exponentials is that of the greatest, and a sum that cancels is +0") {
  const ExponentialSums drawn = drawn_sums(1);
  climb_sums(drawn, [&](size_t line, double y) { CHECK((drawn.minus[line] ? is_minus_zero(y) : is_plus_zero(y))); });
}

TEST_CASE("the sign of a sum of exponentials beyond the range is that of the greatest, and a sum that cancels is +0") {
  const ExponentialSums drawn = drawn_sums(-1);
  climb_sums(drawn, [&](size_t line, double y) {
    if (drawn.zero[line]) {
      CHECK((drawn.minus[line] ? is_minus_zero(y) : is_plus_zero(y)));
    } else {
      CHECK(y == (drawn.minus[line] ? -INFINITY : INFINITY));
    }
  });
}

TEST_CASE("a radius that underflows is no exact result") {
  // e^-650 is 2^-938: just above a tie of the two smallest float32 numbers, 0 and 2^-149.
  const Rows x({-650, -640}), y({0x1p-150, 0x1p-150}), z({0x1p150, 0x1p150});
  Codes products(kFloat32, 2), quotients(kFloat32, 2);
  CHECK(climb({&beside_one_formula(), 2, {&x, &y, &z}, {&products, &quotients}, {}}) == 0);
  for (size_t line = 0; line < 2; ++line) {
    CHECK(products[line] == 0x1p-149);
    CHECK(quotients[line] == 0x1p-149);
  }
}

TEST_CASE("vanished terms of one sign need no proof") {
  const std::vector<double> c{1, 0.25, 3, 7}, x{-800, -1e9, -1e24, -0x1p127};
  const Rows factors(c, 4), powers(x, 4);
  Codes out(kFloat32, 1);
  const uint64_t before = ladder_counts().proof_lines;
  climb({&exponentials_formula(), 1, {&factors, &powers}, {&out}, {}});
  CHECK(ladder_counts().proof_lines == before);
  CHECK(is_plus_zero(out[0]));
}

TEST_CASE("products, quotients and functions of what has vanished keep the logarithm of its size") {
  const PrecisionScope scope(512);
  const Interval tiny = exp(Interval(-1e95)), tinier = exp(Interval(-1e96));
  const auto positive = [](const Interval& v) { return v.sign_known() && !v.negative(); };
  CHECK(positive(tiny * Interval(1e-300) - tinier));
  CHECK(positive(tiny - tinier / Interval(1e-300)));
  CHECK(positive(log1p(tiny) - tanh(tinier)));
  CHECK(positive(Interval(0.0) - (tinier - tiny)));
  CHECK(positive(Interval(1.0) + (tiny - tinier) - Interval(1.0)));
  CHECK((tiny - tiny).is_zero_point());
  CHECK(log(tiny).is_point());
  // e^-1e95 / e^-1e95 is 1 as closely as the precision goes; e^-1e96 / e^-1e95 has vanished.
  const Interval one = tiny / tiny;
  CHECK(mpfr_get_d(one.low(), MPFR_RNDN) == 1);
  CHECK(mpfr_get_d(one.high(), MPFR_RNDN) == 1);
  CHECK(positive(tinier / tiny - tinier));
}

TEST_CASE("what is above every number keeps the logarithm of its size") {
  const PrecisionScope scope(512);
  const Interval huge = exp(Interval(1e95)), greater = exp(Interval(1e96));
  const auto positive = [](const Interval& v) { return v.sign_known() && !v.negative(); };
  CHECK(positive(greater - huge * Interval(1e300)));
  CHECK(positive(greater / Interval(1e300) - huge));
  CHECK(positive(expm1(Interval(1e96)) - Interval(3.0) * huge));
  CHECK(positive(sqrt(greater) - huge));
  CHECK(positive(log1p(greater) - log1p(huge)));
  CHECK(positive(pow(Interval(3.0), Interval(1e95)) - huge));
  CHECK(positive(exp(-Interval(1e95)) - Interval(1.0) / greater));
  CHECK(positive(Interval(1.0) - exp(-Interval(1e95)) * greater / greater));
  CHECK((huge - huge).is_zero_point());
  // (e^1e95 + 1) / e^1e95 is 1 as closely as the precision goes.
  const Interval one = (huge + Interval(1.0)) / huge;
  CHECK(mpfr_get_d(one.low(), MPFR_RNDN) == 1);
  CHECK(mpfr_get_d(one.high(), MPFR_RNDN) == 1);
  // An end that is only not known says nothing of the size.
  Interval unbounded(1.0);
  mpfr_set_inf(unbounded.high(), 1);
  CHECK(!(unbounded - huge).sign_known());
  CHECK((unbounded + Interval(1.0)).sign_known());
}

}  // namespace
}  // namespace onnxv
