// Rounding against a slow answer: the sorted list of a format's values, written from the formats'
// definitions without the code under test, and a search in it. Values, midpoints and their
// neighbours are exact doubles.
#include <doctest/doctest.h>
#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "src/number/format.h"

namespace onnxv {
namespace {

constexpr Rounding kRoundings[] = {Rounding::kNearestEven, Rounding::kTowardZero, Rounding::kUp,
                                   Rounding::kDown, Rounding::kNearestTiesUp};
constexpr Overflow kOverflows[] = {Overflow::kInfinity, Overflow::kSaturate};

// A format as its definition gives it: magnitudes in ascending order, their position is their code.
struct Grid {
  const Format* format;
  std::vector<double> values;
  double beyond;  // where the next value would be
  uint64_t sign;  // 0: none
  bool negative_zero;
  uint64_t nan;
  uint64_t positive_overflow, negative_overflow;  // under Overflow::kInfinity
};

std::vector<double> magnitudes(int exponent_bits, int mantissa_bits, int bias, size_t count) {
  std::vector<double> values;
  const size_t one = size_t{1} << mantissa_bits;
  for (size_t field = 0; field < size_t{1} << exponent_bits; ++field) {
    for (size_t fraction = 0; fraction < one && values.size() < count; ++fraction) {
      const double mantissa = static_cast<double>(field == 0 ? fraction : one + fraction);
      const int exponent = static_cast<int>(std::max<size_t>(field, 1)) - bias - mantissa_bits;
      values.push_back(std::ldexp(mantissa, exponent));
    }
  }
  return values;
}

std::vector<double> powers() {
  std::vector<double> values;
  for (int exponent = -127; exponent <= 127; ++exponent)
    values.push_back(std::ldexp(1.0, exponent));
  return values;
}

std::vector<Grid> narrow_grids() {
  return {
      {&kFloat16, magnitudes(5, 10, 15, 0x7c00), 65536, 0x8000, true, 0x7e00, 0x7c00, 0xfc00},
      {&kBfloat16, magnitudes(8, 7, 127, 0x7f80), std::ldexp(1.0, 128), 0x8000, true, 0x7fc0,
       0x7f80, 0xff80},
      {&kFloat8e4m3fn, magnitudes(4, 3, 7, 0x7f), 480, 0x80, true, 0x7f, 0x7f, 0xff},
      {&kFloat8e4m3fnuz, magnitudes(4, 3, 8, 0x80), 256, 0x80, false, 0x80, 0x80, 0x80},
      {&kFloat8e5m2, magnitudes(5, 2, 15, 0x7c), 65536, 0x80, true, 0x7e, 0x7c, 0xfc},
      {&kFloat8e5m2fnuz, magnitudes(5, 2, 16, 0x80), 65536, 0x80, false, 0x80, 0x80, 0x80},
      {&kFloat8e8m0, powers(), std::ldexp(1.0, 128), 0, false, 0xff, 0xff, 0xff},
      {&kFloat6e2m3, magnitudes(2, 3, 1, 0x20), 8, 0x20, true, 0x20, 0x1f, 0x3f},
      {&kFloat6e3m2, magnitudes(3, 2, 3, 0x20), 32, 0x20, true, 0x20, 0x1f, 0x3f},
      {&kFloat4e2m1, magnitudes(2, 1, 1, 0x8), 8, 0x8, true, 0x8, 0x7, 0xf},
  };
}

// Whether the upper neighbour is taken between `low` (whose code is even or odd) and `high`.
bool takes_upper(double magnitude, double low, double high, bool negative, bool odd,
                 Rounding rounding) {
  const double middle = low + (high - low) / 2;
  switch (rounding) {
    case Rounding::kNearestEven: return magnitude > middle || (magnitude == middle && odd);
    case Rounding::kNearestTiesUp: return magnitude > middle || (magnitude == middle && !negative);
    case Rounding::kUp: return !negative;
    case Rounding::kDown: return negative;
    case Rounding::kTowardZero: return false;
  }
  return false;
}

uint64_t slow_answer(const Grid& grid, double value, Rounding rounding, Overflow overflow) {
  if (std::isnan(value)) return grid.nan;
  const bool negative = std::signbit(value);
  const double magnitude = std::fabs(value);
  if (grid.sign == 0 && negative && magnitude != 0) return grid.nan;
  const uint64_t largest = grid.values.size() - 1;
  const uint64_t sign = negative ? grid.sign : 0;
  const bool saturate = overflow == Overflow::kSaturate;
  const uint64_t overflowed =
      saturate ? (largest | sign) : (negative ? grid.negative_overflow : grid.positive_overflow);
  if (std::isinf(value)) return overflowed;
  const bool inward =
      rounding == Rounding::kTowardZero || rounding == (negative ? Rounding::kUp : Rounding::kDown);
  if (magnitude >= grid.beyond) return inward ? (largest | sign) : overflowed;
  if (magnitude < grid.values[0]) return 0;
  const auto above = std::upper_bound(grid.values.begin(), grid.values.end(), magnitude);
  uint64_t code = static_cast<uint64_t>(above - grid.values.begin()) - 1;
  const double low = grid.values[code];
  const double high = above == grid.values.end() ? grid.beyond : *above;
  if (magnitude != low && takes_upper(magnitude, low, high, negative, code % 2 == 1, rounding))
    ++code;
  if (code > largest) return overflowed;
  if (code == 0) return grid.negative_zero ? sign : 0;
  return code | sign;
}

struct Mismatches {
  uint64_t count = 0;
  std::string first;
  void compare(const Grid& grid, Sticky value, double stand_in) {
    for (const Rounding rounding : kRoundings) {
      for (const Overflow overflow : kOverflows) {
        const uint64_t got = encode(*grid.format, value, rounding, overflow);
        const uint64_t wanted = slow_answer(grid, stand_in, rounding, overflow);
        if (got == wanted) continue;
        if (count++ == 0) {
          first = std::string(grid.format->name) + " of " + std::to_string(value.head) +
                  " rounding " + std::to_string(static_cast<int>(rounding)) + ": " +
                  std::to_string(got) + ", wanted " + std::to_string(wanted);
        }
      }
    }
  }
};

void check_none(const Mismatches& mismatches) {
  CAPTURE(mismatches.first);
  CHECK(mismatches.count == 0);
}

double float16_value(unsigned code) {
  const int field = static_cast<int>(code >> 10 & 31);
  const double fraction = code & 1023;
  double value = field == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, field - 25);
  if (field == 31) value = fraction == 0 ? std::numeric_limits<double>::infinity() : std::nan("");
  return (code & 0x8000) != 0 ? -value : value;
}

}  // namespace

TEST_CASE("every float16 into every narrow format") {
  Mismatches mismatches;
  for (const Grid& grid : narrow_grids()) {
    for (unsigned code = 0; code < 65536; ++code) {
      const double value = float16_value(code);
      mismatches.compare(grid, {.head = value, .rest_sign = 0}, value);
    }
  }
  check_none(mismatches);
}

TEST_CASE("every bfloat16 into every narrow format") {
  Mismatches mismatches;
  for (const Grid& grid : narrow_grids()) {
    for (uint32_t code = 0; code < 65536; ++code) {
      const double value = static_cast<double>(std::bit_cast<float>(code << 16));
      mismatches.compare(grid, {.head = value, .rest_sign = 0}, value);
    }
  }
  check_none(mismatches);
}

// Doubles whose way through float32 would round twice lie a little beside the midpoints.
TEST_CASE("values, midpoints and their neighbours, with and without a rest") {
  Mismatches mismatches;
  for (const Grid& grid : narrow_grids()) {
    for (size_t i = 0; i < grid.values.size(); ++i) {
      const double low = grid.values[i];
      const double high = i + 1 < grid.values.size() ? grid.values[i + 1] : grid.beyond;
      const double middle = low + (high - low) / 2;
      for (const double point : {low, middle, middle * (1 + 0x1p-30), middle * (1 - 0x1p-30)}) {
        for (const double value : {point, -point}) {
          const double up = std::nextafter(value, std::numeric_limits<double>::infinity());
          const double down = std::nextafter(value, -std::numeric_limits<double>::infinity());
          mismatches.compare(grid, {.head = value, .rest_sign = 0}, value);
          mismatches.compare(grid, {.head = up, .rest_sign = 0}, up);
          mismatches.compare(grid, {.head = down, .rest_sign = 0}, down);
          mismatches.compare(grid, {.head = value, .rest_sign = 1}, up);
          mismatches.compare(grid, {.head = value, .rest_sign = -1}, down);
        }
      }
    }
  }
  check_none(mismatches);
}

TEST_CASE("float32 values of every exponent") {
  Mismatches mismatches;
  std::mt19937 random(5);
  for (const Grid& grid : narrow_grids()) {
    for (uint32_t exponent = 0; exponent < 512; ++exponent) {
      for (int sample = 0; sample < 16; ++sample) {
        const uint32_t fraction = random() & 0x7fffff;
        const double value = static_cast<double>(std::bit_cast<float>(exponent << 23 | fraction));
        mismatches.compare(grid, {.head = value, .rest_sign = 0}, value);
      }
    }
  }
  check_none(mismatches);
}

// The machine's own conversion is the other answer for float32.
TEST_CASE("doubles into float32 as the processor rounds them") {
  const std::pair<Rounding, int> modes[] = {{Rounding::kNearestEven, FE_TONEAREST},
                                            {Rounding::kTowardZero, FE_TOWARDZERO},
                                            {Rounding::kUp, FE_UPWARD},
                                            {Rounding::kDown, FE_DOWNWARD}};
  std::mt19937_64 random(3);
  uint64_t mismatches = 0;
  for (int sample = 0; sample < 200000; ++sample) {
    uint64_t bits = random();
    // One half around float32's exponents; of each a quarter at or next to a midpoint of float32.
    if ((sample & 1) != 0)
      bits = (bits & ~(uint64_t{0x7ff} << 52)) | ((864 + random() % 300) << 52);
    if ((sample & 6) == 0) bits = (bits & ~uint64_t{0x1fffffff}) + 0x10000000 + random() % 3 - 1;
    volatile double value = std::bit_cast<double>(bits);
    if (std::isnan(value)) continue;
    for (const auto& [rounding, mode] : modes) {
      std::fesetround(mode);
      const volatile float rounded = static_cast<float>(value);
      std::fesetround(FE_TONEAREST);
      const uint64_t code =
          encode(kFloat32, {.head = value, .rest_sign = 0}, rounding, Overflow::kInfinity);
      mismatches += code == std::bit_cast<uint32_t>(static_cast<float>(rounded)) ? 0 : 1;
    }
  }
  CHECK(mismatches == 0);
}

TEST_CASE("a rest decides ties of float32") {
  const double tie = 1 + 0x1p-24;  // between 0x3f800000 and 0x3f800001
  const auto code = [](double head, int rest) {
    return encode(kFloat32, {.head = head, .rest_sign = rest}, Rounding::kNearestEven,
                  Overflow::kInfinity);
  };
  CHECK(code(tie, 0) == 0x3f800000);
  CHECK(code(tie, 1) == 0x3f800001);
  CHECK(code(tie, -1) == 0x3f800000);
  CHECK(code(-tie, -1) == 0xbf800001);
  CHECK(code(-tie, 1) == 0xbf800000);
  CHECK(code(1 + 3 * 0x1p-24, -1) == 0x3f800001);
  CHECK(code(0.0, -1) == 0x80000000);
  CHECK(code(-0.0, 1) == 0x00000000);
  // Half of the smallest float32 is a tie to zero.
  CHECK(code(0x1p-150, 0) == 0);
  CHECK(code(0x1p-150, 1) == 1);
}

TEST_CASE("a scaled significand rounds into float64") {
  const auto rounded = [](bool negative, uint64_t significand, int64_t exponent) {
    return std::bit_cast<double>(encode_scaled(kFloat64, negative, significand, exponent,
                                               Rounding::kNearestEven, Overflow::kInfinity));
  };
  CHECK(rounded(false, 3, -1) == 1.5);
  CHECK(rounded(true, ~uint64_t{0}, 0) == -0x1p64);
  CHECK(rounded(false, (uint64_t{1} << 53) + 1, 0) == 0x1p53);
  CHECK(rounded(false, (uint64_t{1} << 54) + 3, 0) == 0x1p54 + 4);
  CHECK(rounded(false, 1, -1075) == 0);
  CHECK(rounded(false, 3, -1076) == 5e-324);
  CHECK(rounded(false, 1, -100000) == 0);
  CHECK(std::isinf(rounded(false, 1, 1024)));
  CHECK(std::isinf(rounded(false, 1, 100000)));
  CHECK(rounded(false, ~uint64_t{0} << 11, 960) == std::numeric_limits<double>::max());
}

}  // namespace onnxv
