#include "src/number/format.h"

#include <doctest/doctest.h>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace onnxv {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

uint64_t nearest(const Format& format, double value, Overflow overflow = Overflow::kInfinity) {
  return encode(format, {.head = value, .rest_sign = 0}, Rounding::kNearestEven, overflow);
}

uint64_t saturated(const Format& format, double value) {
  return nearest(format, value, Overflow::kSaturate);
}

uint64_t codes_of(const Format& format) { return uint64_t{1} << format.bits; }

std::vector<double> special_and_random_doubles() {
  std::vector<double> values = {0.0,   -0.0,   kInf,    -kInf, kNan,
                                -kNan, 5e-324, -5e-324, 1e308, -1e308};
  std::mt19937_64 random(7);
  for (int i = 0; i < 20000; ++i) {
    // Exponents of the narrow formats, then any double.
    const double fraction = std::bit_cast<double>((random() >> 12) | (uint64_t{1023} << 52));
    const double scaled = std::ldexp(fraction, static_cast<int>(random() % 320) - 160);
    values.push_back((random() & 1) != 0 ? scaled : -scaled);
    values.push_back(std::bit_cast<double>(random()));
  }
  return values;
}

size_t code_width(const Format& format) {
  return format.bits < 8 ? 1 : static_cast<size_t>(format.bits) / 8;
}

}  // namespace

TEST_CASE("decode gives the values of the formats' definitions") {
  CHECK(decode(kFloat16, 0x3c00) == 1.0);
  CHECK(decode(kFloat16, 0x0001) == std::ldexp(1.0, -24));
  CHECK(decode(kFloat16, 0x03ff) == std::ldexp(1023.0, -24));
  CHECK(decode(kFloat16, 0x7bff) == 65504.0);
  CHECK(decode(kFloat16, 0xfc00) == -kInf);
  CHECK(std::isnan(decode(kFloat16, 0x7c01)));
  CHECK(decode(kBfloat16, 0x3f80) == 1.0);
  CHECK(decode(kBfloat16, 0x0001) == std::ldexp(1.0, -133));
  CHECK(decode(kFloat32, 0x00000001) == std::ldexp(1.0, -149));
  CHECK(decode(kFloat32, 0x7f7fffff) == static_cast<double>(std::numeric_limits<float>::max()));
  CHECK(std::signbit(decode(kFloat32, 0x80000000)));
  // The float8 table: largest and smallest of each.
  CHECK(decode(kFloat8e4m3fn, 0x7e) == 448.0);
  CHECK(decode(kFloat8e4m3fn, 0x01) == std::ldexp(1.0, -9));
  CHECK(decode(kFloat8e4m3fnuz, 0x7f) == 240.0);
  CHECK(decode(kFloat8e4m3fnuz, 0x01) == std::ldexp(1.0, -10));
  CHECK(decode(kFloat8e5m2, 0x7b) == 57344.0);
  CHECK(decode(kFloat8e5m2, 0x01) == std::ldexp(1.0, -16));
  CHECK(decode(kFloat8e5m2, 0x7c) == kInf);
  CHECK(decode(kFloat8e5m2fnuz, 0x7f) == 57344.0);
  CHECK(decode(kFloat8e5m2fnuz, 0x01) == std::ldexp(1.0, -17));
  CHECK(decode(kFloat8e8m0, 0x00) == std::ldexp(1.0, -127));
  CHECK(decode(kFloat8e8m0, 0x7f) == 1.0);
  CHECK(decode(kFloat8e8m0, 0xfe) == std::ldexp(1.0, 127));
  CHECK(decode(kFloat6e2m3, 0x01) == 0.125);
  CHECK(decode(kFloat6e2m3, 0x1f) == 7.5);
  CHECK(decode(kFloat6e3m2, 0x01) == 0.0625);
  CHECK(decode(kFloat6e3m2, 0x3f) == -28.0);
}

TEST_CASE("float4e2m1 has the sixteen values of its definition") {
  const double values[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  for (uint64_t code = 0; code < 8; ++code) {
    CHECK(decode(kFloat4e2m1, code) == values[code]);
    CHECK(decode(kFloat4e2m1, code | 8) == -values[code]);
  }
  CHECK(std::signbit(decode(kFloat4e2m1, 8)));
}

TEST_CASE("NaN patterns are those of the definitions") {
  for (const Format* format : all_formats()) {
    if (format->bits > 16) continue;
    CAPTURE(std::string(format->name));
    uint64_t count = 0;
    for (uint64_t code = 0; code < codes_of(*format); ++code) {
      count += is_nan(*format, code) ? 1 : 0;
      CHECK(is_nan(*format, code) == std::isnan(decode(*format, code)));
      CHECK(is_infinity(*format, code) == std::isinf(decode(*format, code)));
    }
    uint64_t expected = 0;
    if (format->nan == NanPatterns::kIeee) expected = 2 * ((1U << format->mantissa_bits) - 1);
    if (format->nan == NanPatterns::kAllOnes) expected = format->has_sign ? 2 : 1;
    if (format->nan == NanPatterns::kNegativeZero) expected = 1;
    CHECK(count == expected);
  }
  CHECK(is_nan(kFloat8e4m3fn, 0xff));
  CHECK_FALSE(is_nan(kFloat8e4m3fn, 0x78));
  CHECK(is_nan(kFloat8e4m3fnuz, 0x80));
  CHECK(is_nan(kFloat8e8m0, 0xff));
  CHECK_FALSE(is_nan(kFloat8e8m0, 0x7f));
}

TEST_CASE("every code of up to 16 bits decodes and encodes to itself, by every rule") {
  for (const Format* format : all_formats()) {
    if (format->bits > 16) continue;
    CAPTURE(std::string(format->name));
    for (uint64_t code = 0; code < codes_of(*format); ++code) {
      const Sticky value{.head = decode(*format, code), .rest_sign = 0};
      for (const Rounding rounding : {Rounding::kNearestEven, Rounding::kTowardZero, Rounding::kUp,
                                      Rounding::kDown, Rounding::kNearestTiesUp}) {
        const uint64_t back = encode(*format, value, rounding, Overflow::kInfinity);
        if (back != (is_nan(*format, code) ? format->canonical_nan : code)) {
          FAIL_CHECK("code " << code << " came back as " << back);
        }
      }
    }
  }
}

TEST_CASE("float8 thresholds of the conversion tables") {
  const double above_464 = std::nextafter(464.0, kInf);
  CHECK(nearest(kFloat8e4m3fn, 464.0) == 0x7e);
  CHECK(nearest(kFloat8e4m3fn, above_464) == 0x7f);
  CHECK(nearest(kFloat8e4m3fn, -above_464) == 0xff);
  CHECK(saturated(kFloat8e4m3fn, above_464) == 0x7e);
  CHECK(nearest(kFloat8e4m3fnuz, 248.0) == 0x80);
  CHECK(nearest(kFloat8e4m3fnuz, -248.0) == 0x80);
  CHECK(nearest(kFloat8e4m3fnuz, std::nextafter(248.0, 0.0)) == 0x7f);
  CHECK(saturated(kFloat8e4m3fnuz, -248.0) == 0xff);
  CHECK(nearest(kFloat8e5m2, 61440.0) == 0x7c);
  CHECK(nearest(kFloat8e5m2, -61440.0) == 0xfc);
  CHECK(nearest(kFloat8e5m2, std::nextafter(61440.0, 0.0)) == 0x7b);
  CHECK(saturated(kFloat8e5m2, 61440.0) == 0x7b);
  CHECK(nearest(kFloat8e5m2fnuz, 61440.0) == 0x80);
  CHECK(nearest(kFloat8e5m2fnuz, std::nextafter(61440.0, 0.0)) == 0x7f);
  CHECK(nearest(kFloat16, 65520.0) == 0x7c00);
  CHECK(nearest(kFloat16, std::nextafter(65520.0, 0.0)) == 0x7bff);
}

TEST_CASE("zeros, infinities and NaN in formats that lack some of them") {
  CHECK(nearest(kFloat8e4m3fn, -1e-7) == 0x80);
  CHECK(nearest(kFloat8e4m3fnuz, -1e-7) == 0x00);
  CHECK(nearest(kFloat8e4m3fnuz, -0.0) == 0x00);
  CHECK(nearest(kFloat8e5m2, kNan) == 0x7e);
  CHECK(nearest(kFloat8e4m3fn, kNan) == 0x7f);
  CHECK(nearest(kFloat8e4m3fn, kInf) == 0x7f);
  CHECK(nearest(kFloat8e4m3fn, -kInf) == 0xff);
  CHECK(nearest(kFloat8e4m3fnuz, -kInf) == 0x80);
  CHECK(saturated(kFloat8e4m3fnuz, -kInf) == 0xff);
  CHECK(saturated(kFloat8e5m2, kInf) == 0x7b);
  CHECK(nearest(kFloat4e2m1, kNan) == 0x8);
  CHECK(nearest(kFloat4e2m1, kInf) == 0x7);
  CHECK(nearest(kFloat4e2m1, -1e9) == 0xf);
  CHECK(nearest(kFloat4e2m1, -0.0) == 0x8);
  CHECK(nearest(kFloat4e2m1, -0.01) == 0x8);
  CHECK(nearest(kFloat6e2m3, kNan) == 0x20);
  CHECK(nearest(kFloat6e3m2, -kInf) == 0x3f);
  CHECK(signed_nan(kFloat16, true) == 0xfe00);
  CHECK(signed_nan(kFloat8e5m2, true) == 0xfe);
  CHECK(signed_nan(kFloat8e4m3fnuz, true) == 0x80);
  CHECK(signed_nan(kFloat8e8m0, true) == 0xff);
}

TEST_CASE("float4e2m1 ties") {
  const std::pair<double, uint64_t> ties[] = {{0.25, 0}, {0.75, 2}, {1.25, 2}, {1.75, 4},
                                              {2.5, 4},  {3.5, 6},  {5.0, 6}};
  for (const auto& [value, code] : ties) CHECK(nearest(kFloat4e2m1, value) == code);
}

TEST_CASE("float8e8m0 rounds between powers of two") {
  const auto code = [](double value, Rounding rounding, Overflow overflow = Overflow::kSaturate) {
    return encode(kFloat8e8m0, {.head = value, .rest_sign = 0}, rounding, overflow);
  };
  CHECK(code(1.5, Rounding::kNearestTiesUp) == 0x80);
  CHECK(code(std::nextafter(1.5, 0.0), Rounding::kNearestTiesUp) == 0x7f);
  CHECK(code(3.0, Rounding::kNearestTiesUp) == 0x81);
  CHECK(code(1.0001, Rounding::kUp) == 0x80);
  CHECK(code(1.9999, Rounding::kDown) == 0x7f);
  CHECK(code(1.0, Rounding::kUp) == 0x7f);
  CHECK(code(std::ldexp(1.0, -127), Rounding::kUp) == 0x00);
  CHECK(code(std::ldexp(1.0, -140), Rounding::kUp) == 0x00);
  CHECK(code(0.0, Rounding::kUp) == 0x00);
  CHECK(code(-0.0, Rounding::kDown) == 0x00);
  CHECK(code(-1.0, Rounding::kDown) == 0xff);
  CHECK(code(-kInf, Rounding::kDown) == 0xff);
  CHECK(code(kNan, Rounding::kDown) == 0xff);
  CHECK(code(kInf, Rounding::kUp) == 0xfe);
  CHECK(code(std::ldexp(1.75, 127), Rounding::kUp) == 0xfe);
  CHECK(code(std::ldexp(1.75, 127), Rounding::kUp, Overflow::kInfinity) == 0xff);
}

TEST_CASE("many codes at once are the same as one by one") {
  const std::vector<double> values = special_and_random_doubles();
  for (const Format* format : all_formats()) {
    const size_t width = code_width(*format);
    std::vector<std::byte> codes(values.size() * width);
    for (const Rounding rounding : {Rounding::kNearestEven, Rounding::kTowardZero, Rounding::kUp,
                                    Rounding::kDown, Rounding::kNearestTiesUp}) {
      for (const Overflow overflow : {Overflow::kInfinity, Overflow::kSaturate}) {
        encode_exact_many(*format, values.data(), values.size(), codes.data(), rounding, overflow);
        for (size_t i = 0; i < values.size(); ++i) {
          uint64_t code = 0;
          std::memcpy(&code, codes.data() + i * width, width);
          const Sticky value{.head = values[i], .rest_sign = 0};
          if (code != encode(*format, value, rounding, overflow)) {
            FAIL_CHECK(std::string(format->name) << " of " << values[i] << " gave " << code);
          }
        }
      }
    }
  }
}

TEST_CASE("many values at once are the same as one by one") {
  std::mt19937_64 random(11);
  for (const Format* format : all_formats()) {
    const size_t width = code_width(*format);
    // An odd count leaves a rest behind every vector loop; 65536 codes are all of the 16-bit
    // formats.
    const size_t count = 65536 + 3;
    std::vector<std::byte> codes(count * width);
    for (size_t i = 0; i < count; ++i) {
      const uint64_t code = format->bits <= 16 ? i % codes_of(*format) : random();
      std::memcpy(codes.data() + i * width, &code, width);
    }
    std::vector<double> values(count);
    decode_many(*format, codes.data(), count, values.data());
    for (size_t i = 0; i < count; ++i) {
      uint64_t code = 0;
      std::memcpy(&code, codes.data() + i * width, width);
      const double value = decode(*format, code);
      const bool same =
          std::isnan(value)
              ? std::isnan(values[i]) && std::signbit(value) == std::signbit(values[i])
              : std::bit_cast<uint64_t>(value) == std::bit_cast<uint64_t>(values[i]);
      if (!same) FAIL_CHECK(std::string(format->name) << " code " << code);
    }
  }
}

TEST_CASE("integers wrap and saturate") {
  const IntegerFormat int4{4, true}, uint4{4, false}, int2{2, true}, uint2{2, false};
  const IntegerFormat int64{64, true}, uint64{64, false};
  CHECK(wrap_integer(int4, 8) == 0x8);
  CHECK(decode_integer(int4, 0x8) == -8);
  CHECK(decode_integer(int4, wrap_integer(int4, -9)) == 7);
  CHECK(wrap_integer(uint4, -1) == 15);
  CHECK(decode_integer(int2, wrap_integer(int2, 3)) == -1);
  CHECK(wrap_integer(uint2, -2) == 2);
  CHECK(decode_integer(int64, ~uint64_t{0}) == -1);
  CHECK(decode_integer(uint64, ~uint64_t{0}) == (int128{1} << 64) - 1);
  CHECK(smallest_integer(int64) == INT64_MIN);
  CHECK(largest_integer(int64) == INT64_MAX);
  CHECK(largest_integer(uint64) == (int128{1} << 64) - 1);
  CHECK(smallest_integer(uint4) == 0);
  CHECK(decode_integer(int4, saturate_integer(int4, 100)) == 7);
  CHECK(decode_integer(int4, saturate_integer(int4, -100)) == -8);
  CHECK(saturate_integer(uint64, int128{1} << 70) == ~uint64_t{0});
  CHECK(saturate_integer(uint2, -5) == 0);
}

TEST_CASE("ulp distance counts representable values") {
  CHECK(ulp_distance(kFloat32, 0x3f800000, 0x3f800001) == 1);
  CHECK(ulp_distance(kFloat32, 0x3f800000, 0x3f7fffff) == 1);
  CHECK(ulp_distance(kFloat32, 0x00000000, 0x80000000) == 0);
  CHECK(ulp_distance(kFloat32, 0x00000001, 0x80000001) == 2);
  CHECK(ulp_distance(kFloat32, 0x7f7fffff, 0x7f800000) == 1);
  CHECK(ulp_distance(kFloat32, 0x7fc00000, 0xffc00001) == 0);
  CHECK(ulp_distance(kFloat32, 0x7fc00000, 0x3f800000) == ~uint64_t{0});
  CHECK(ulp_distance(kFloat64, 0x7fefffffffffffff, 0xffefffffffffffff) == 0xffdffffffffffffe);
  CHECK(ulp_distance(kFloat8e8m0, 0x00, 0xfe) == 254);
  CHECK(ulp_distance(kFloat8e8m0, 0x7f, 0xff) == ~uint64_t{0});
  CHECK(ulp_distance(kFloat8e4m3fnuz, 0x01, 0x81) == 2);
  CHECK(ulp_distance(kFloat4e2m1, 0x7, 0xf) == 14);
}

}  // namespace onnxv
