#include "src/number/format.h"

#include <algorithm>
#include <array>
#include <bit>

#include "src/base/error.h"

namespace onnxv {

constexpr Format kFloat16{"float16",          16,    5, 10, 15, true, true, true, true,
                          NanPatterns::kIeee, 0x7e00};
constexpr Format kBfloat16{"bfloat16",         16,    8, 7, 127, true, true, true, true,
                           NanPatterns::kIeee, 0x7fc0};
constexpr Format kFloat32{"float32",          32,        8, 23, 127, true, true, true, true,
                          NanPatterns::kIeee, 0x7fc00000};
constexpr Format kFloat64{
    "float64", 64, 11, 52, 1023, true, true, true, true, NanPatterns::kIeee, 0x7ff8000000000000};
constexpr Format kFloat8e4m3fn{"float8e4m3fn",        8,   4, 3, 7, true, false, true, true,
                               NanPatterns::kAllOnes, 0x7f};
constexpr Format kFloat8e4m3fnuz{"float8e4m3fnuz",           8,   4, 3, 8, true, false, false, true,
                                 NanPatterns::kNegativeZero, 0x80};
constexpr Format kFloat8e5m2{"float8e5m2",       8,   5, 2, 15, true, true, true, true,
                             NanPatterns::kIeee, 0x7e};
constexpr Format kFloat8e5m2fnuz{
    "float8e5m2fnuz", 8, 5, 2, 16, true, false, false, true, NanPatterns::kNegativeZero, 0x80};
constexpr Format kFloat8e8m0{"float8e8m0",          8,   8, 0, 127, false, false, false, false,
                             NanPatterns::kAllOnes, 0xff};
constexpr Format kFloat6e2m3{"float6e2m3",       6,   2, 3, 1, true, false, true, true,
                             NanPatterns::kNone, 0x20};
constexpr Format kFloat6e3m2{"float6e3m2",       6,   3, 2, 3, true, false, true, true,
                             NanPatterns::kNone, 0x20};
// Choice: the text is silent on NaN to float4e2m1; the official data expects -0.
constexpr Format kFloat4e2m1{"float4e2m1",       4,  2, 1, 1, true, false, true, true,
                             NanPatterns::kNone, 0x8};

namespace {

constexpr std::array<const Format*, 12> kAll = {
    &kFloat16,    &kBfloat16,       &kFloat32,    &kFloat64,    &kFloat8e4m3fn, &kFloat8e4m3fnuz,
    &kFloat8e5m2, &kFloat8e5m2fnuz, &kFloat8e8m0, &kFloat6e2m3, &kFloat6e3m2,   &kFloat4e2m1};

uint64_t sign_bit(const Format& format) {
  return format.has_sign ? uint64_t{1} << (format.bits - 1) : 0;
}
uint64_t magnitude_mask(const Format& format) {
  return format.has_sign ? sign_bit(format) - 1 : ~uint64_t{0} >> (64 - format.bits);
}
// The code with exponent field all ones and mantissa zero.
uint64_t top_exponent(const Format& format) {
  return ((uint64_t{1} << format.exponent_bits) - 1) << format.mantissa_bits;
}

uint64_t largest_magnitude(const Format& format) {
  switch (format.nan) {
    case NanPatterns::kIeee: return top_exponent(format) - 1;
    case NanPatterns::kAllOnes: return magnitude_mask(format) - 1;
    case NanPatterns::kNone:
    case NanPatterns::kNegativeZero: break;
  }
  return magnitude_mask(format);
}

// The exponent of the smallest normal value.
int smallest_exponent(const Format& format) {
  return format.has_zero_and_subnormals ? 1 - format.bias : -format.bias;
}

uint64_t zero(const Format& format, bool negative) {
  return negative && format.has_negative_zero ? sign_bit(format) : 0;
}

// Whether a magnitude that lies between two neighbours takes the upper one. `remainder` of a step
// of 2^shift.
bool rounds_away(Rounding rounding, bool negative, bool odd, uint64_t remainder, int shift) {
  if (remainder == 0) return false;
  // From 64 on the step exceeds twice any 64-bit remainder: below half.
  const uint64_t half = shift <= 64 ? uint64_t{1} << (shift - 1) : ~uint64_t{0};
  const bool above_half = shift <= 64 && remainder > half;
  const bool tie = shift <= 64 && remainder == half;
  switch (rounding) {
    case Rounding::kNearestEven: return above_half || (tie && odd);
    case Rounding::kNearestTiesUp: return above_half || (tie && !negative);
    case Rounding::kTowardZero: return false;
    case Rounding::kUp: return !negative;
    case Rounding::kDown: return negative;
  }
  fail_internal("rounding", "an unknown rounding");
}

bool stops_at_largest(Rounding rounding, bool negative) {
  return rounding == Rounding::kTowardZero || (rounding == Rounding::kUp && negative) ||
         (rounding == Rounding::kDown && !negative);
}

uint64_t overflowed(const Format& format, bool negative, Rounding rounding, Overflow overflow) {
  if (overflow == Overflow::kSaturate || stops_at_largest(rounding, negative)) {
    return largest_finite(format, negative);
  }
  return infinity_or_nan(format, negative);
}

constexpr uint64_t kDoubleInfinity = uint64_t{0x7ff} << 52;
constexpr uint64_t kDoubleMagnitude = ~uint64_t{0} >> 1;

// The bits of the double mantissa * 2^exponent; mantissa < 2^53, the result is a normal double or
// zero.
uint64_t double_bits(uint64_t mantissa, int exponent) {
  if (mantissa == 0) return 0;
  const int top = std::bit_width(mantissa) - 1;
  const uint64_t fraction = (mantissa << (52 - top)) & ~kDoubleInfinity & ((uint64_t{1} << 52) - 1);
  return (static_cast<uint64_t>(exponent + top + 1023) << 52) | fraction;
}

}  // namespace

std::span<const Format* const> all_formats() { return kAll; }

bool is_nan(const Format& format, uint64_t code) {
  const uint64_t magnitude = code & magnitude_mask(format);
  switch (format.nan) {
    case NanPatterns::kNone: return false;
    case NanPatterns::kIeee: return magnitude > top_exponent(format);
    case NanPatterns::kAllOnes: return magnitude == magnitude_mask(format);
    case NanPatterns::kNegativeZero: return (code & ~sign_bit(format)) == 0 && code != 0;
  }
  return false;
}

bool is_infinity(const Format& format, uint64_t code) {
  return format.has_infinity && (code & magnitude_mask(format)) == top_exponent(format);
}

double decode(const Format& format, uint64_t code) {
  if (format.bits == 64) return std::bit_cast<double>(code);
  const bool negative = (code & sign_bit(format)) != 0;
  uint64_t bits = 0;
  if (is_nan(format, code)) {
    const bool signed_nan = negative && format.nan != NanPatterns::kNegativeZero;
    return std::bit_cast<double>((signed_nan ? ~kDoubleMagnitude : 0) | kFloat64.canonical_nan);
  }
  if (is_infinity(format, code)) {
    bits = kDoubleInfinity;
  } else {
    const uint64_t magnitude = code & magnitude_mask(format);
    const uint64_t one = uint64_t{1} << format.mantissa_bits;
    const int field = static_cast<int>(magnitude >> format.mantissa_bits);
    const uint64_t fraction = magnitude & (one - 1);
    const bool normal = field > 0 || !format.has_zero_and_subnormals;
    const int steps = format.has_zero_and_subnormals ? std::max(field, 1) - 1 : field;
    bits = double_bits(normal ? one + fraction : fraction,
                       smallest_exponent(format) + steps - format.mantissa_bits);
  }
  return std::bit_cast<double>(bits | (negative ? ~kDoubleMagnitude : 0));
}

uint64_t signed_nan(const Format& format, bool negative) {
  const bool two =
      format.has_sign && (format.nan == NanPatterns::kIeee || format.nan == NanPatterns::kAllOnes);
  return format.canonical_nan | (negative && two ? sign_bit(format) : 0);
}

uint64_t largest_finite(const Format& format, bool negative) {
  if (negative && !format.has_sign) return format.canonical_nan;
  return largest_magnitude(format) | (negative ? sign_bit(format) : 0);
}

uint64_t infinity_or_nan(const Format& format, bool negative) {
  if (format.has_infinity) return top_exponent(format) | (negative ? sign_bit(format) : 0);
  if (format.nan == NanPatterns::kNone) return largest_finite(format, negative);
  return signed_nan(format, negative);
}

uint64_t encode_scaled(const Format& format, bool negative, uint64_t significand, int64_t exponent,
                       Rounding rounding, Overflow overflow) {
  if (significand == 0) return zero(format, negative);
  if (negative && !format.has_sign) return format.canonical_nan;
  const int64_t smallest = smallest_exponent(format);
  const int64_t top = exponent + std::bit_width(significand) - 1;
  if (top < smallest && !format.has_zero_and_subnormals) return 0;
  if (top > smallest + (int64_t{1} << format.exponent_bits)) {
    return overflowed(format, negative, rounding, overflow);
  }
  // The result counts steps of 2^quantum: `steps` of them, the implicit bit included.
  const int64_t binade = std::max(top, smallest);
  const int64_t quantum = binade - format.mantissa_bits;
  const int64_t shift = quantum - exponent;
  uint64_t steps = 0, remainder = 0;
  if (shift <= 0) {
    steps = significand << -shift;
  } else {
    steps = shift < 64 ? significand >> shift : 0;
    remainder = shift < 64 ? significand & ((uint64_t{1} << shift) - 1) : significand;
  }
  uint64_t code = (static_cast<uint64_t>(binade - smallest) << format.mantissa_bits) + steps;
  if (!format.has_zero_and_subnormals) code -= 1;
  const int bounded_shift = static_cast<int>(std::min<int64_t>(shift, 65));
  // A carry out of the mantissa runs into the exponent: exactly the next code.
  if (rounds_away(rounding, negative, (code & 1) != 0, remainder, bounded_shift)) ++code;
  if (code > largest_magnitude(format)) return overflowed(format, negative, rounding, overflow);
  if (code == 0 && format.has_zero_and_subnormals) return zero(format, negative);
  return code | (negative ? sign_bit(format) : 0);
}

uint64_t encode(const Format& format, Sticky value, Rounding rounding, Overflow overflow) {
  const uint64_t bits = std::bit_cast<uint64_t>(value.head);
  const uint64_t magnitude = bits & kDoubleMagnitude;
  bool negative = bits != magnitude;
  if (magnitude > kDoubleInfinity) return format.canonical_nan;
  if (magnitude == kDoubleInfinity) {
    if (negative && !format.has_sign) return format.canonical_nan;
    return overflow == Overflow::kSaturate ? largest_finite(format, negative)
                                           : infinity_or_nan(format, negative);
  }
  if (format.bits == 64) {
    if (value.rest_sign != 0) fail_internal("encode-rest", "float64 cannot take a rest");
    return bits;
  }
  const int field = static_cast<int>(magnitude >> 52);
  const uint64_t fraction = magnitude & ((uint64_t{1} << 52) - 1);
  uint64_t significand = field > 0 ? fraction | (uint64_t{1} << 52) : fraction;
  int exponent = std::max(field, 1) - 1075;
  if (value.rest_sign != 0) {
    // No value or midpoint of the format lies between head and head + rest: any point there stands
    // for it.
    if (significand == 0) negative = value.rest_sign < 0;
    const bool outward = negative == (value.rest_sign < 0);
    significand = outward ? significand * 4 + 1 : significand * 4 - 1;
    exponent -= 2;
  }
  return encode_scaled(format, negative, significand, exponent, rounding, overflow);
}

uint64_t wrap_integer(IntegerFormat format, int128 value) {
  return static_cast<uint64_t>(value) & (~uint64_t{0} >> (64 - format.bits));
}

int128 decode_integer(IntegerFormat format, uint64_t code) {
  const uint64_t low = wrap_integer(format, code);
  const bool negative = format.is_signed && (low >> (format.bits - 1)) != 0;
  return static_cast<int128>(low) - (negative ? int128{1} << format.bits : int128{0});
}

int128 smallest_integer(IntegerFormat format) {
  return format.is_signed ? -(int128{1} << (format.bits - 1)) : int128{0};
}

int128 largest_integer(IntegerFormat format) {
  return (int128{1} << (format.is_signed ? format.bits - 1 : format.bits)) - 1;
}

uint64_t saturate_integer(IntegerFormat format, int128 value) {
  return wrap_integer(format, std::clamp(value, smallest_integer(format), largest_integer(format)));
}

uint64_t ulp_distance(const Format& format, uint64_t a, uint64_t b) {
  const bool a_is_nan = is_nan(format, a), b_is_nan = is_nan(format, b);
  if (a_is_nan || b_is_nan) return a_is_nan && b_is_nan ? 0 : ~uint64_t{0};
  const uint64_t left = a & magnitude_mask(format), right = b & magnitude_mask(format);
  if ((a & sign_bit(format)) != (b & sign_bit(format))) return left + right;
  return left > right ? left - right : right - left;
}

}  // namespace onnxv
