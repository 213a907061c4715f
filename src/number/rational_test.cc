#include "src/number/rational.h"

#include <doctest/doctest.h>
#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "src/base/error.h"

namespace onnxv {

TEST_CASE("integers of any size") {
  const BigInt big = BigInt::from_decimal("123456789012345678901234567890");
  CHECK(big.text() == "123456789012345678901234567890");
  CHECK((big * big).text() == "15241578753238836750495351562536198787501905199875019052100");
  CHECK((-big + BigInt(1)).text() == "-123456789012345678901234567889");
  CHECK(BigInt::from_decimal("-007").text() == "-7");
  CHECK((BigInt(-7) / BigInt(2)).text() == "-3");
  CHECK((BigInt(-7) % BigInt(2)).text() == "-1");
  CHECK((BigInt(7) % BigInt(-2)).text() == "1");
  CHECK(BigInt(1).shifted_left(70).text() == "1180591620717411303424");
  CHECK(BigInt(-8).bit_length() == 4);
  CHECK(BigInt(0).bit_length() == 0);
  CHECK(BigInt(-1).low_bits() == ~uint64_t{0});
  CHECK(BigInt(INT64_MIN).low_bits() == uint64_t{1} << 63);
  CHECK(BigInt(1).shifted_left(64).low_bits() == 0);
  CHECK(BigInt::from_decimal("99999999999999999999999999999999").square_root().text() ==
        "9999999999999999");
  CHECK(BigInt(-3) < BigInt(2));
  CHECK(BigInt(2) == BigInt::from_decimal("+2"));
  CHECK_THROWS_AS(BigInt(1) / BigInt(0), Error);
}

TEST_CASE("integers of 128 bits") {
  const int128 smallest = static_cast<int128>(static_cast<uint128>(1) << 127);
  CHECK(BigInt::from_int128(smallest).text() == "-170141183460469231731687303715884105728");
  CHECK(BigInt::from_int128(-(smallest + 1)).text() == "170141183460469231731687303715884105727");
  CHECK(BigInt::from_int128(-5).text() == "-5");
}

TEST_CASE("floor, ceil, truncated and nearest even") {
  struct Row {
    int64_t numerator, floor, ceil, truncated, nearest;  // over 2
  };
  for (const Row& row : {Row{5, 2, 3, 2, 2}, Row{7, 3, 4, 3, 4}, Row{-5, -3, -2, -2, -2},
                         Row{-7, -4, -3, -3, -4}, Row{1, 0, 1, 0, 0}, Row{-1, -1, 0, 0, 0},
                         Row{4, 2, 2, 2, 2}, Row{-4, -2, -2, -2, -2}, Row{0, 0, 0, 0, 0}}) {
    const Rational value(row.numerator, 2);
    CHECK(value.floor() == BigInt(row.floor));
    CHECK(value.ceil() == BigInt(row.ceil));
    CHECK(value.truncated() == BigInt(row.truncated));
    CHECK(value.nearest_even() == BigInt(row.nearest));
  }
  CHECK(Rational(8, 3).nearest_even() == BigInt(3));
  CHECK(Rational(-7, 3).nearest_even() == BigInt(-2));
  // 10 * 1.3f is 12.9999995…: exact arithmetic finds 12 where a float32 product is 13.
  CHECK((Rational(10) * Rational::from_double(static_cast<double>(1.3F))).floor_int64() == 12);
  CHECK(Rational(7, 2).ceil_int64() == 4);
  CHECK_THROWS_AS(Rational::from_decimal("1e30").floor_int64(), Error);
  CHECK(Rational(INT64_MIN).floor_int64() == INT64_MIN);
}

TEST_CASE("arithmetic keeps lowest terms") {
  const Rational sum = Rational(1, 6) + Rational(1, 3);
  CHECK(sum.numerator() == BigInt(1));
  CHECK(sum.denominator() == BigInt(2));
  CHECK(Rational(1, -2) == Rational(-1, 2));
  CHECK(Rational(1, 2) - Rational(2, 3) == Rational(-1, 6));
  CHECK(Rational(2, 3) / Rational(-4, 9) == Rational(-3, 2));
  CHECK(Rational(1, 3) < Rational(34, 100));
  CHECK(Rational(-1, 3).sign() == -1);
  CHECK_THROWS_AS(Rational(1) / Rational(0), Error);
  CHECK_THROWS_AS(Rational(1, 0), Error);
}

TEST_CASE("decimals are read exactly") {
  CHECK(Rational::from_decimal("314.15926") == Rational(31415926, 100000));
  CHECK(Rational::from_decimal("-.5") == Rational(-1, 2));
  CHECK(Rational::from_decimal("+7.") == Rational(7));
  CHECK(Rational::from_decimal("1e3") == Rational(1000));
  CHECK(Rational::from_decimal("25E-1") == Rational(5, 2));
  CHECK(Rational::from_decimal("0.0000e+5") == Rational(0));
  CHECK(Rational::from_decimal("1e999999999999") > Rational::from_decimal("1e19999"));
  CHECK(Rational::from_decimal("1e-999999999999").sign() == 1);
  for (const char* text : {"", "+", ".", "e5", "1e", "1e+", "1x", "1.2.3", "--1", "1e5x", " 1"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(Rational::from_decimal(text), Error);
  }
}

TEST_CASE("doubles are exact rationals") {
  CHECK(Rational::from_double(0.1) == Rational(3602879701896397, int64_t{1} << 55));
  CHECK(Rational::from_double(-1.5) == Rational(-3, 2));
  CHECK(Rational::from_double(5e-324) == Rational(BigInt(1), BigInt(1).shifted_left(1074)));
  CHECK(Rational::from_double(0x1p1000) == Rational(BigInt(1).shifted_left(1000), 1));
  CHECK_THROWS_AS(Rational::from_double(std::nan("")), Error);
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    const double value = std::bit_cast<double>(random());
    if (!std::isfinite(value)) continue;
    CHECK(Rational::from_double(value).to_double() == value);
    CHECK(Rational::from_double(value).is_double());
  }
  CHECK_FALSE(Rational(1, 3).is_double());
  CHECK_FALSE(Rational::from_decimal("1e400").is_double());
  CHECK(Rational(1, 3).to_double() == 0x1.5555555555555p-2);
  CHECK(std::isinf(Rational::from_decimal("-1e400").to_double()));
}

TEST_CASE("a rational is rounded once") {
  const auto nearest = [](const Format& format, const Rational& value) {
    return value.encode(format, Rounding::kNearestEven, Overflow::kInfinity);
  };
  // 1 + 2^-24 + 2^-60: through double it would be the tie that goes to 1.
  const Rational above_tie = Rational::from_double(1 + 0x1p-24) + Rational(1, int64_t{1} << 60);
  CHECK(nearest(kFloat32, above_tie) == 0x3f800001);
  CHECK(nearest(kFloat32, Rational::from_double(1 + 0x1p-24)) == 0x3f800000);
  CHECK(nearest(kFloat32, Rational(1, 3)) == 0x3eaaaaab);
  CHECK(nearest(kFloat16, Rational(-1, 3)) == 0xb555);
  CHECK(nearest(kFloat8e4m3fn, Rational(464)) == 0x7e);
  CHECK(nearest(kFloat8e4m3fn, Rational(4641, 10)) == 0x7f);
  CHECK(nearest(kFloat32, Rational::from_decimal("1e-60")) == 0);
  CHECK(nearest(kFloat32, Rational::from_decimal("-1e-60")) == 0x80000000);
  CHECK(nearest(kFloat32, Rational::from_decimal("1e60")) == 0x7f800000);
  CHECK(Rational(0).encode(kFloat32, Rounding::kDown, Overflow::kInfinity, true) == 0x80000000);
  CHECK(Rational(1, 3).encode(kFloat32, Rounding::kDown, Overflow::kInfinity) == 0x3eaaaaaa);
  CHECK(Rational(1, 3).encode(kFloat32, Rounding::kUp, Overflow::kInfinity) == 0x3eaaaaab);
}

TEST_CASE("a rational as a double and the sign of the rest") {
  const Sticky third = Rational(1, 3).sticky();
  CHECK(third.head == 0x1.5555555555555p-2);
  CHECK(third.rest_sign == 1);
  const Sticky minus = Rational(-2, 3).sticky();
  CHECK(minus.head == -0x1.5555555555555p-1);
  CHECK(minus.rest_sign == -1);
  CHECK(Rational(1, 2).sticky().rest_sign == 0);
  const Sticky tiny = Rational::from_decimal("-1e-400").sticky();
  CHECK(tiny.head == 0);
  CHECK(tiny.rest_sign == -1);
  CHECK(Rational::from_decimal("1e400").sticky().head == std::numeric_limits<double>::max());
}

}  // namespace onnxv
