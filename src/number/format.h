// The format table, decode, and encode: the only place that rounds.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "src/base/int128.h"

namespace onnxv {

enum class NanPatterns : uint8_t {
  kNone,          // float6, float4
  kIeee,          // exponent all ones, mantissa not zero
  kAllOnes,       // all bits but the sign are ones: float8e4m3fn; float8e8m0's 0xFF
  kNegativeZero,  // the pattern of -0: the fnuz types
};

// One row describes one binary floating-point format of up to 64 bits.
struct Format {
  std::string_view name;
  int bits;
  int exponent_bits;
  int mantissa_bits;
  int bias;
  bool has_sign;
  bool has_infinity;
  bool has_negative_zero;
  bool has_zero_and_subnormals;  // false: float8e8m0, whose code 0 is the power 2^-bias
  NanPatterns nan;
  uint64_t canonical_nan;  // what a computed NaN is written as
};

extern const Format kFloat16, kBfloat16, kFloat32, kFloat64, kFloat8e4m3fn, kFloat8e4m3fnuz, kFloat8e5m2,
    kFloat8e5m2fnuz, kFloat8e8m0, kFloat6e2m3, kFloat6e3m2, kFloat4e2m1;
std::span<const Format* const> all_formats();

enum class Rounding : uint8_t {
  kNearestEven,
  kTowardZero,
  kUp,              // toward +infinity
  kDown,            // toward -infinity
  kNearestTiesUp,   // float8e8m0's "nearest": linear distance, a tie goes up
};

// What a finite value becomes that rounds beyond the largest finite one. A value that is rounded toward zero (or down, and
// positive; or up, and negative) stops at the largest finite one, as IEEE 754 has it.
enum class Overflow : uint8_t {
  kInfinity,  // infinity; NaN (with the sign where there are two) for a format without infinity
  kSaturate,  // the largest finite value of its sign; an infinity too
};

// A real number as a double and the sign of what is left: value = head + rest with 0 <= |rest| smaller than
// any distance that a rounding to 32 bits or fewer could see (|rest| < ulp(head), same side as `rest_sign`).
// rest_sign 0: exactly head, which may then be any double, NaN and infinities included.
struct Sticky {
  double head = 0;
  int rest_sign = 0;
};

// Exact, for every pattern of every format. NaN patterns become quiet NaN with the sign of the code where the format has two.
double decode(const Format& format, uint64_t code);
bool is_nan(const Format& format, uint64_t code);
bool is_infinity(const Format& format, uint64_t code);

// Rounds once. Float64 is allowed only where rest_sign is 0. A NaN becomes canonical_nan (its sign is kept only
// by Cast, which asks for it through `signed_nan`); a format without NaN writes its -0 pattern. -0 becomes +0 where the
// format has no negative zero.
// float8e8m0: zero and everything below its smallest power become code 0, everything negative NaN.
uint64_t encode(const Format& format, Sticky value, Rounding rounding, Overflow overflow);
// The finite value significand * 2^exponent, negated if `negative`, to any format, float64 included. A caller that has more than
// 63 bits sets the lowest one when anything nonzero is left out.
uint64_t encode_scaled(const Format& format, bool negative, uint64_t significand, int64_t exponent,
                       Rounding rounding, Overflow overflow);
// The format's NaN with the sign of a source NaN where the format has two.
uint64_t signed_nan(const Format& format, bool negative);
uint64_t largest_finite(const Format& format, bool negative);
// Infinity, else NaN, else the largest finite value.
uint64_t infinity_or_nan(const Format& format, bool negative);

// What the bits of a double say.
inline bool double_is_nan(double value) { return value != value; }
inline bool double_is_finite(double value) { return value - value == 0; }
inline bool double_is_negative(double value) { return std::bit_cast<uint64_t>(value) >> 63 != 0; }

// Many at once: the same results as the functions above (a NaN's payload aside), fast for every format.
// Codes take 1, 2, 4 or 8 bytes each: sub-byte ones must be unpacked (src/tensor/packed.h).
void decode_many(const Format& format, const void* codes, size_t count, double* out);
void encode_exact_many(const Format& format, const double* values, size_t count, void* codes,
                       Rounding rounding, Overflow overflow);

// Integers of n bits.
struct IntegerFormat {
  int bits;  // 2, 4, 8, 16, 32, 64
  bool is_signed;
};
// The value modulo 2^bits as its code (low bits); decode_integer sign-extends. int128 holds every value of both.
uint64_t wrap_integer(IntegerFormat format, int128 value);
int128 decode_integer(IntegerFormat format, uint64_t code);
int128 smallest_integer(IntegerFormat format);
int128 largest_integer(IntegerFormat format);
uint64_t saturate_integer(IntegerFormat format, int128 value);
// Many doubles rounded (toward zero or to nearest even) and taken modulo 2^bits; NaN and infinities are 0. Codes take 1, 2, 4 or 8
// bytes each. Where the rounded value does not fit, `beyond` (or null) is set to 1; returns how often.
size_t encode_integers_many(IntegerFormat format, const double* values, size_t count, void* codes,
                            Rounding rounding, uint8_t* beyond);

// Distance of two codes of one format counted in representable values; the two zeros are one value. NaN against NaN is 0,
// against a number UINT64_MAX.
uint64_t ulp_distance(const Format& format, uint64_t a, uint64_t b);

}  // namespace onnxv
