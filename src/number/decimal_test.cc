#include <doctest/doctest.h>
#include <bit>
#include <cmath>
#include <string>

#include "src/number/rational.h"

namespace onnxv {
namespace {

std::string decimal(float value) {
  return shortest_decimal(kFloat32, std::bit_cast<uint32_t>(value));
}
std::string decimal(double value) {
  return shortest_decimal(kFloat64, std::bit_cast<uint64_t>(value));
}
std::string text(double value) { return shortest_text(kFloat64, std::bit_cast<uint64_t>(value)); }

}  // namespace

TEST_CASE("shortest decimals of float32 and float64") {
  CHECK(decimal(314.15926F) == "314.15927");
  CHECK(decimal(0.1F) == "0.1");
  CHECK(decimal(1.0F) == "1.0");
  CHECK(decimal(-0.0F) == "-0.0");
  CHECK(decimal(1e-7F) == "0.0000001");
  CHECK(decimal(1e20F) == "100000000000000000000.0");
  CHECK(decimal(16777216.0F) == "16777216.0");
  CHECK(decimal(0x1p-149F) == "0." + std::string(44, '0') + "1");
  CHECK(decimal(3.4028235e38F) == "34028235" + std::string(31, '0') + ".0");
  CHECK(decimal(0.1) == "0.1");
  CHECK(decimal(0.1 + 0.2) == "0.30000000000000004");
  CHECK(decimal(-1234.5) == "-1234.5");
  CHECK(decimal(5e-324) == "0." + std::string(323, '0') + "5");
  CHECK(decimal(std::nan("")) == "nan");
  CHECK(decimal(HUGE_VAL) == "inf");
  CHECK(decimal(-HUGE_VAL) == "-inf");
}

TEST_CASE("shortest decimals of the narrow formats") {
  CHECK(shortest_decimal(kFloat16, 0x2e66) == "0.1");  // 0.0999755859375
  CHECK(shortest_decimal(kFloat16, 0x7bff) ==
        "65500.0");  // 65504; 65472 and inf are its neighbours
  CHECK(shortest_decimal(kFloat16, 0x0001) == "0.00000006");  // 2^-24 = 5.96e-8
  CHECK(shortest_decimal(kFloat16, 0x3555) == "0.3333");      // 0.333251953125
  CHECK(shortest_decimal(kFloat16, 0xfc00) == "-inf");
  CHECK(shortest_decimal(kBfloat16, 0x3f80) == "1.0");
  CHECK(shortest_decimal(kBfloat16, 0x4049) == "3.14");     // 3.140625; neighbours 3.125, 3.15625
  CHECK(shortest_decimal(kFloat8e4m3fn, 0x7e) == "450.0");  // 448: 400 is a tie that goes to 384
  CHECK(shortest_decimal(kFloat8e4m3fn, 0x01) == "0.002");  // 2^-9 = 0.001953125
  CHECK(shortest_decimal(kFloat8e4m3fn, 0xff) == "nan");
  CHECK(shortest_decimal(kFloat8e4m3fnuz, 0x80) == "nan");
  CHECK(shortest_decimal(kFloat8e5m2, 0x7b) == "60000.0");  // 57344
  CHECK(shortest_decimal(kFloat8e8m0, 0x83) == "16.0");
  CHECK(shortest_decimal(kFloat6e2m3, 0x1f) == "7.5");  // 8 would saturate to it, but is not it
  CHECK(shortest_decimal(kFloat6e3m2, 0x3f) == "-28.0");
  CHECK(shortest_decimal(kFloat4e2m1, 0x8) == "-0.0");
  CHECK(shortest_decimal(kFloat4e2m1, 0x3) == "1.5");
  CHECK(shortest_decimal(kFloat4e2m1, 0xf) == "-6.0");
}

TEST_CASE("every shortest decimal of the formats up to 16 bits reads back") {
  for (const Format* format : all_formats()) {
    if (format->bits > 16) continue;
    CAPTURE(std::string(format->name));
    // All codes of the small formats, every 61st of the 16-bit ones.
    for (uint64_t code = 0; code < uint64_t{1} << format->bits;
         code += format->bits == 16 ? 61 : 1) {
      if (is_nan(*format, code) || is_infinity(*format, code)) continue;
      const std::string written = shortest_decimal(*format, code);
      const uint64_t back = Rational::from_decimal(written).encode(
          *format, Rounding::kNearestEven, Overflow::kInfinity, written[0] == '-');
      CAPTURE(written);
      CHECK(back == code);
    }
  }
}

TEST_CASE("shortest text for reports") {
  CHECK(text(1.5) == "1.5");
  CHECK(text(-2.0) == "-2.0");
  CHECK(text(1e-7) == "1e-07");
  CHECK(text(1.25e-5) == "1.25e-05");
  CHECK(text(0.0001) == "0.0001");
  CHECK(text(1e15) == "1000000000000000.0");
  CHECK(text(1e16) == "1e+16");
  CHECK(text(-1.5e300) == "-1.5e+300");
  CHECK(text(0.0) == "0.0");
  CHECK(shortest_text(kFloat8e8m0, 0) == "5.877472e-39");
  CHECK(shortest_text(kFloat8e8m0, 0xff) == "nan");
}

}  // namespace onnxv
