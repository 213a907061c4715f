// The loops beside encode(), decode() and exact rationals, element by element.
#include "src/number/float_loops.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

using namespace onnxv;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

// Every sign and exponent with some mantissas about each border of a rounding, all float16 and bfloat16 numbers, and counted ones.
std::vector<float> many_floats() {
  std::vector<float> values;
  for (uint32_t top = 0; top < 512; ++top) {
    for (const uint32_t border : {0x0U, 0x100000U, 0x80000U, 0x200000U, 0x1000U, 0x8000U, 0x400000U, 0x7fffffU, 0x700000U, 0x78000U}) {
      for (const int32_t by : {-2, -1, 0, 1, 2}) {
        values.push_back(std::bit_cast<float>((top << 23) + ((border + static_cast<uint32_t>(by)) & 0x7fffff)));
      }
    }
  }
  for (uint32_t code = 0; code < 0x10000; ++code) {
    values.push_back(std::bit_cast<float>(code << 16));
    values.push_back(static_cast<float>(decode(kFloat16, code)));
  }
  uint32_t state = 1;
  for (int i = 0; i < 100001; ++i) values.push_back(std::bit_cast<float>(state = state * 1664525 + 1013904223));
  return values;
}

uint64_t code_at(const std::vector<uint8_t>& codes, int bits, size_t i) {
  const size_t width = bits <= 8 ? 1 : static_cast<size_t>(bits) / 8;
  uint64_t code = 0;
  std::memcpy(&code, codes.data() + i * width, width);
  return code;
}

}  // namespace

TEST_CASE("encode_floats gives what encode gives, for every format, overflow and length") {
  const std::vector<float> values = many_floats();
  for (const Format* format : all_formats()) {
    if (!fits_float32(*format) || !format->has_zero_and_subnormals) continue;
    for (const Overflow overflow : {Overflow::kInfinity, Overflow::kSaturate}) {
      if (format->bits == 32 && overflow == Overflow::kSaturate) continue;
      std::vector<uint8_t> codes(values.size() * 4);
      CHECK(encode_floats(*format, values.data(), values.size(), codes.data(), overflow));
      size_t wrong = 0;
      for (size_t i = 0; i < values.size(); ++i) {
        const uint64_t code = encode(*format, {values[i], 0}, Rounding::kNearestEven, overflow);
        if (code != code_at(codes, format->bits, i)) ++wrong;
      }
      CHECK_MESSAGE(wrong == 0, format->name);
    }
  }
  for (size_t count = 0; count < 40; ++count) {
    const std::vector<float> ones(count, 1.0f);
    std::vector<uint8_t> codes(count + 1, 0xee);
    CHECK_FALSE(encode_floats(kFloat8e4m3fn, ones.data(), count, codes.data(), Overflow::kSaturate));
    for (size_t i = 0; i < count; ++i) CHECK(codes[i] == 0x38);
    CHECK(codes[count] == 0xee);
  }
}

TEST_CASE("decode_to_floats gives what decode gives, for every pattern") {
  for (const Format* format : all_formats()) {
    if (!fits_float32(*format) || format->bits == 32) continue;
    const size_t patterns = size_t{1} << format->bits;
    std::vector<uint8_t> narrow(patterns);
    std::vector<uint16_t> wide(patterns);
    for (size_t code = 0; code < patterns; ++code) narrow[code] = static_cast<uint8_t>(code), wide[code] = static_cast<uint16_t>(code);
    std::vector<float> out(patterns);
    decode_to_floats(*format, format->bits == 16 ? static_cast<const void*>(wide.data()) : narrow.data(), patterns, out.data());
    size_t wrong = 0;
    for (size_t code = 0; code < patterns; ++code) {
      const double wanted = decode(*format, code);
      const bool same = double_is_nan(wanted) ? out[code] != out[code] : out[code] == wanted;
      if (!same || std::signbit(out[code]) != std::signbit(wanted)) ++wrong;
    }
    CHECK_MESSAGE(wrong == 0, format->name);
  }
  const int8_t bytes[] = {-128, -1, 0, 127};
  const uint16_t halves[] = {0, 65535};
  const int32_t words[] = {16777217, -16777219, 2147483647};  // the first two are ties
  float out[4];
  decode_to_floats(IntegerFormat{8, true}, bytes, 4, out);
  CHECK((out[0] == -128 && out[1] == -1 && out[2] == 0 && out[3] == 127));
  decode_to_floats(IntegerFormat{16, false}, halves, 2, out);
  CHECK((out[0] == 0 && out[1] == 65535));
  decode_to_floats(IntegerFormat{32, true}, words, 3, out);
  CHECK((out[0] == 16777216.0f && out[1] == -16777220.0f && out[2] == 2147483648.0f));
}

namespace {

// The text's steps on exact numbers: the quotient to so many digits, to an integer, the zero point, the ends of the format.
uint64_t quantized(float x, float scale, float zero, int digits, IntegerFormat format) {
  const Format& precision = digits == 24 ? kFloat32 : digits == 11 ? kFloat16 : kBfloat16;
  const double ieee = static_cast<double>(x) / static_cast<double>(scale);
  if (ieee != ieee) return wrap_integer(format, smallest_integer(format));
  // Rounded twice, which is the same as once: 53 >= 2 * 24 + 2 (Figueroa).
  const double quotient = decode(precision, encode(precision, {ieee, 0}, Rounding::kNearestEven, Overflow::kInfinity));
  const double whole = std::nearbyint(quotient);
  const double end = whole > 1e6 ? 1e6 : whole < -1e6 ? -1e6 : whole;
  return saturate_integer(format, static_cast<int128>(end) + static_cast<int128>(zero));
}

}  // namespace

TEST_CASE("quantize_floats gives the text's steps on exact numbers") {
  std::vector<float> values = many_floats();
  values.resize(90003);
  // Ties of the last step, of the quotient's own rounding, and about both ends.
  for (int k = -70000; k <= 70000; k += 7) values.push_back(static_cast<float>(k) * 0.5f);
  for (const IntegerFormat format : {IntegerFormat{8, false}, {8, true}, {16, false}, {16, true}, {4, true}, {2, false}}) {
    for (const int digits : {24, 11, 8}) {
      const Format& narrow = digits == 11 ? kFloat16 : kBfloat16;
      const auto fitted = [&](float v) {
        if (digits == 24) return v;
        return static_cast<float>(decode(narrow, encode(narrow, {v, 0}, Rounding::kNearestEven, Overflow::kInfinity)));
      };
      for (const float scale : {1.0f, 0.02f, 3.0f, -0.75f, 1e-3f, 0.0f, kInf, 3e38f, 1e-42f}) {
        const float zero = static_cast<float>(largest_integer(format) / 2), own_scale = fitted(scale);
        std::vector<float> x;
        for (const float v : values) x.push_back(fitted(v));
        std::vector<uint8_t> codes(x.size() * 2);
        CHECK(quantize_floats(x.data(), x.size(), {&own_scale, &zero, kOneForAll}, digits, format, codes.data()));
        size_t wrong = 0;
        const uint64_t mask = (uint64_t{1} << format.bits) - 1;
        for (size_t i = 0; i < x.size(); i += 7) {
          const uint64_t code = code_at(codes, format.bits, i) & mask;
          if (code != (quantized(x[i], own_scale, zero, digits, format) & mask)) ++wrong;
        }
        CHECK(wrong == 0);
      }
    }
  }
}

TEST_CASE("quantize_floats with a scale and a zero beside each element") {
  const float x[] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, scales[] = {1, 2, 4, 1, 2, 4, 2, 2, 0.01f}, zeros[] = {0, 10, 20, 0, 10, 20, 255, 1, 0};
  uint8_t codes[9];
  CHECK_FALSE(quantize_floats(x, 9, {scales, zeros, 1}, 24, {8, false}, codes));
  const uint8_t wanted[] = {1, 11, 21, 4, 12, 22, 255, 5, 255};  // 5 / 2 and 6 / 4 are ties
  for (int i = 0; i < 9; ++i) CHECK(codes[i] == wanted[i]);
}

TEST_CASE("quantize_floats with a scale and a zero for every three elements") {
  const float x[] = {1, 2, 3, 4, 5, 6, 7, 8}, scales[] = {1, 2, 0.5f}, zeros[] = {0, 10, -3};
  int16_t codes[9];
  codes[8] = 77;
  CHECK_FALSE(quantize_floats(x, 8, {scales, zeros, 3}, 24, {16, true}, codes));
  const int16_t wanted[] = {1, 2, 3, 12, 12, 13, 11, 13, 77};  // 5 / 2 is a tie
  for (int i = 0; i < 9; ++i) CHECK(codes[i] == wanted[i]);
  float out[8];
  dequantize_floats(x, 8, {scales, zeros, 3}, out);
  const float products[] = {1, 2, 3, -12, -10, -8, 5, 5.5f};
  for (int i = 0; i < 8; ++i) CHECK(out[i] == products[i]);
}

// Without infinities and NaN float16 has a way of its own.
TEST_CASE("encode_floats of finite numbers to float16, for every length") {
  std::vector<float> values;
  for (const float v : many_floats()) {
    if (std::isfinite(v)) values.push_back(v);
  }
  size_t wrong = 0;
  for (size_t first = 0, count = 1; first + count <= values.size(); first += count, count = count % 67 + 1) {
    uint16_t codes[68];
    codes[count] = 0xeeee;
    if (encode_floats(kFloat16, values.data() + first, count, codes, Overflow::kInfinity)) ++wrong;
    for (size_t i = 0; i < count; ++i) {
      if (codes[i] != encode(kFloat16, {values[first + i], 0}, Rounding::kNearestEven, Overflow::kInfinity)) ++wrong;
    }
    if (codes[count] != 0xeeee) ++wrong;
  }
  CHECK(wrong == 0);
}

TEST_CASE("divide_floats and dequantize_floats round once") {
  const float x[] = {1, -0.0f, 255, kInf}, scales[] = {3, 1, 0.1f, 0}, zeros[] = {0, 0, 0, 0};
  float out[4];
  divide_floats(x, 4, {scales, zeros, 1}, out);
  CHECK((out[0] == 1.0f / 3.0f && out[1] == 0 && !std::signbit(out[1]) && out[2] == 255.0f / 0.1f && out[3] == kInf));
  const float bytes[] = {-128, 0, 127, 3}, zero = 3, third = 0x1.555556p-2f;
  dequantize_floats(bytes, 4, {&third, &zero, kOneForAll}, out);
  CHECK((out[0] == -131 * third && out[1] == -3 * third && out[2] == 124 * third && out[3] == 0));
  double wide[4];
  dequantize_floats(bytes, 4, {&third, &zero, kOneForAll}, wide);
  CHECK((wide[0] == -131 * 0x1.555556p-2 && wide[1] == -3 * 0x1.555556p-2 && wide[2] == 124 * 0x1.555556p-2 && wide[3] == 0));
}

TEST_CASE("truncate_floats gives what encode_integers_many gives, or says that something does not fit") {
  const std::vector<float> values = many_floats();
  for (const int bits : {8, 16, 32, 64}) {
    for (const bool is_signed : {false, true}) {
      const IntegerFormat format{bits, is_signed};
      const double least = static_cast<double>(smallest_integer(format)), most = static_cast<double>(largest_integer(format));
      std::vector<float> fitting;
      size_t wrong = 0;
      for (const float v : values) {
        const double whole = std::trunc(static_cast<double>(v));
        const bool fits = whole >= least && (bits < 64 ? whole <= most : whole < most);
        if (fits) fitting.push_back(v);
        uint64_t code;
        if (truncate_floats(&v, 1, format, &code) != fits) ++wrong;
      }
      std::vector<uint8_t> codes(fitting.size() * 8), expected(fitting.size() * 8);
      const std::vector<double> wide(fitting.begin(), fitting.end());
      CHECK(truncate_floats(fitting.data(), fitting.size(), format, codes.data()));
      CHECK(encode_integers_many(format, wide.data(), wide.size(), expected.data(), Rounding::kTowardZero, nullptr) == 0);
      CHECK(codes == expected);
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("widen_floats, canonize_nans and the keys of extremes, number by number") {
  const std::vector<float> values = many_floats();
  std::vector<double> wide(values.size());
  widen_floats(values.data(), values.size(), wide.data());
  std::vector<float> canonical = values;
  canonize_nans(canonical.data(), canonical.size());
  size_t wrong = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const float v = values[i];
    const uint64_t double_code = v != v ? kFloat64.canonical_nan : std::bit_cast<uint64_t>(static_cast<double>(v));
    if (std::bit_cast<uint64_t>(wide[i]) != double_code) ++wrong;
    if (std::bit_cast<uint32_t>(canonical[i]) != (v != v ? kFloat32.canonical_nan : std::bit_cast<uint32_t>(v))) ++wrong;
    // The key of one number is the number's.
    if (v == v && std::bit_cast<uint32_t>(float_of_key(extreme_float(&v, 1, i % 2 == 0))) != std::bit_cast<uint32_t>(v)) ++wrong;
  }
  CHECK(wrong == 0);
  const float zeros[] = {-0.0f, 0, -0.0f}, some[] = {1, -3, kInf, -kInf, 2}, nan[] = {1, -std::numeric_limits<float>::quiet_NaN(), kInf};
  CHECK(!std::signbit(float_of_key(extreme_float(zeros, 3, true))));
  CHECK(std::signbit(float_of_key(extreme_float(zeros, 3, false))));
  CHECK((float_of_key(extreme_float(some, 5, true)) == kInf && float_of_key(extreme_float(some, 5, false)) == -kInf));
  CHECK(std::isnan(float_of_key(extreme_float(nan, 3, true))));
  CHECK(std::isnan(float_of_key(extreme_float(nan, 3, false))));
  int32_t best[2] = {worst_key(true), worst_key(true)};
  const float rows[] = {1, 5, 9, 2, -7, 3};  // two rows of two, three apart
  extreme_floats(rows, 3, 2, 2, true, best);
  CHECK((float_of_key(best[0]) == 2 && float_of_key(best[1]) == 5));
}
