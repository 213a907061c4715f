// Whole tensors of doubles as integers.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "src/base/error.h"
#include "src/number/format.h"

namespace onnxv {
namespace {

// Every double below is an integer after rounding that an int64 holds; every one from here on is an integer already.
constexpr double kManyBits = 0x1p62;

// The low 64 bits of a double of at least 2^62 in magnitude; 0 for NaN and infinities.
uint64_t low_bits(double value) {
  const uint64_t bits = std::bit_cast<uint64_t>(value);
  const int field = static_cast<int>(bits >> 52 & 0x7ff);
  const int shift = field - 1075;
  if (field == 0x7ff || shift >= 64) return 0;
  const uint64_t magnitude = ((bits & ((uint64_t{1} << 52) - 1)) | uint64_t{1} << 52) << shift;
  return bits >> 63 != 0 ? -magnitude : magnitude;
}

// To nearest even. Below 2^51 an addition does it, where the library would be called.
double to_nearest(double value) {
  constexpr double kUnits = 0x1.8p52;
  return std::fabs(value) < 0x1p51 ? value + kUnits - kUnits : std::nearbyint(value);
}

template <class Code>
size_t encode_integers(IntegerFormat format, const double* values, size_t count, Code* codes,
                       bool nearest, uint8_t* beyond) {
  constexpr int128 kLeast = std::numeric_limits<int64_t>::min(), kMost = std::numeric_limits<int64_t>::max();
  const int64_t smallest = static_cast<int64_t>(std::max(smallest_integer(format), kLeast));
  const int64_t largest = static_cast<int64_t>(std::min(largest_integer(format), kMost));
  const uint64_t mask = ~uint64_t{0} >> (64 - format.bits);
  // Bounds for what is not an int64: a 64-bit type's own, powers of two.
  const double least = format.bits < 64 || !format.is_signed ? 0 : -0x1p63;
  const double end = format.bits < 64 ? 0 : format.is_signed ? 0x1p63 : 0x1p64;
  size_t outside = 0;
  for (size_t i = 0; i < count; ++i) {
    const double value = values[i];
    bool fits;
    if (std::fabs(value) < kManyBits) {
      const int64_t whole = static_cast<int64_t>(nearest ? to_nearest(value) : value);
      codes[i] = static_cast<Code>(static_cast<uint64_t>(whole) & mask);
      fits = whole >= smallest && whole <= largest;
    } else {
      codes[i] = static_cast<Code>(low_bits(value) & mask);
      fits = value >= least && value < end;
    }
    outside += fits ? 0 : 1;
    if (!fits && beyond != nullptr) beyond[i] = 1;
  }
  return outside;
}

}  // namespace

size_t encode_integers_many(IntegerFormat format, const double* values, size_t count, void* codes,
                            Rounding rounding, uint8_t* beyond) {
  if (rounding != Rounding::kNearestEven && rounding != Rounding::kTowardZero) {
    fail_internal("rounding", "integers are rounded to nearest even or toward zero");
  }
  const bool nearest = rounding == Rounding::kNearestEven;
  if (format.bits <= 8) return encode_integers(format, values, count, static_cast<uint8_t*>(codes), nearest, beyond);
  if (format.bits == 16) return encode_integers(format, values, count, static_cast<uint16_t*>(codes), nearest, beyond);
  if (format.bits == 32) return encode_integers(format, values, count, static_cast<uint32_t*>(codes), nearest, beyond);
  return encode_integers(format, values, count, static_cast<uint64_t*>(codes), nearest, beyond);
}

}  // namespace onnxv
