#include "src/number/extended.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "src/number/spelled_number.h"

namespace onnxv {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Extended real(double value) { return Extended::from_double(value); }

bool same_double(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) ||
         std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b);
}

}  // namespace

TEST_CASE("Extended walks all pairs of special values as IEEE 754 does") {
  // Every sum, product and quotient of these is exact in double, so the machine's own arithmetic is
  // the answer.
  const double values[] = {0.0, -0.0, 1.0, -1.0, 2.0, -0.5, kInfinity, -kInfinity, kNan};
  for (const double a : values) {
    for (const double b : values) {
      CAPTURE(a);
      CAPTURE(b);
      CHECK(same_double((real(a) + real(b)).to_double(), a + b));
      CHECK(same_double((real(a) - real(b)).to_double(), a - b));
      CHECK(same_double((real(a) * real(b)).to_double(), a * b));
      CHECK(same_double((real(a) / real(b)).to_double(), a / b));
      CHECK((real(a) < real(b)) == (a < b));
      CHECK((real(a) == real(b)) == (a == b));
      CHECK((real(a) >= real(b)) == (a >= b));
    }
    CHECK(same_double((-real(a)).to_double(), -a));
    CHECK(same_double(real(a).absolute().to_double(), std::fabs(a)));
  }
}

TEST_CASE("Extended rounds once") {
  // 1/3 in float32; 2^24 + 1 - 2^24 is 1; an overflow only at the end.
  CHECK((Extended(1) / Extended(3)).encode(kFloat32) == 0x3EAAAAAB);
  CHECK((real(0x1p24) + Extended(1) - real(0x1p24)).encode(kFloat32) == 0x3F800000);
  CHECK((real(3e38) + real(3e38)).encode(kFloat32) == 0x7F800000);
  CHECK((real(3e38) + real(3e38) - real(3e38)).encode(kFloat32) == std::bit_cast<uint32_t>(3e38F));
  // Half of the smallest float32 ties to even, and keeps its sign.
  CHECK(real(-0x1p-150).encode(kFloat32) == 0x80000000);
}

TEST_CASE("spelled_number takes Cast's grammar and nothing else") {
  CHECK(spelled_number("314.15926")->encode(kFloat32) == std::bit_cast<uint32_t>(314.15926F));
  CHECK(spelled_number("-.5")->to_double() == -0.5);
  CHECK(spelled_number("+5.")->to_double() == 5);
  CHECK(spelled_number("1E-2")->encode(kFloat64) == std::bit_cast<uint64_t>(0.01));
  CHECK(same_double(spelled_number("-0")->to_double(), -0.0));
  CHECK(spelled_number("-iNf")->to_double() == -kInfinity);
  CHECK(spelled_number("+INF")->to_double() == kInfinity);
  CHECK(spelled_number("NaN")->is_nan());
  for (const char* text : {"", "+", ".", "e5", "1e", "1e+", "1 ", " 1", "1_0", "0x1", "infinity",
                           "--1", "1.2.3", "1e1.0"}) {
    CAPTURE(text);
    CHECK(!spelled_number(text));
  }
}

}  // namespace onnxv
