// Numbers to floats.
#include <algorithm>
#include <cstring>

#include "ops/cast/conversion.h"
#include "src/base/parallel.h"
#include "src/tensor/lines.h"
#include "src/tensor/packed.h"

namespace onnxv {
namespace {

constexpr size_t kBlock = 4096;  // a multiple of 8: sub-byte elements of two blocks share no byte
constexpr double kLargestE8m0 = 0x1p127, kSmallestE8m0 = 0x1p-127;

bool is_fnuz(const Format& format) { return format.nan == NanPatterns::kNegativeZero; }

// float8 obeys `saturate`; the types without NaN and infinity always end at their largest value.
Overflow overflow_of(const Format& format, const CastRules& rules) {
  if (format.nan == NanPatterns::kNone) return Overflow::kSaturate;
  return format.bits == 8 && rules.saturate ? Overflow::kSaturate : Overflow::kInfinity;
}

// Spec: the table of float8e8m0 has two columns, "saturate + up" and "non-saturate + nearest". Saturating means the nearest
// end of the range, zero included; not saturating means NaN for all that lies outside, compared before rounding.
// Choice: negative values, which the text leaves unspecified, are NaN, and -0 is +0.
uint64_t e8m0_code(Sticky value, const CastRules& rules, Open* open) {
  const uint64_t nan = kFloat8e8m0.canonical_nan;
  if (double_is_nan(value.head)) return nan;
  const bool negative = double_is_negative(value.head) || (value.head == 0 && value.rest_sign < 0);
  if (negative) {
    *open = Open::kE8m0Negative;
    const bool zero = value.head == 0 && value.rest_sign == 0;
    return zero && rules.saturate ? 0 : nan;
  }
  const bool below = value.head < kSmallestE8m0;
  const bool above = value.head > kLargestE8m0 || (value.head == kLargestE8m0 && value.rest_sign > 0);
  if ((below || above) && !rules.saturate) {
    if (rules.e8m0_rounding != Rounding::kNearestTiesUp) *open = Open::kE8m0Range;
    return nan;
  }
  if (below) return 0;
  return encode(kFloat8e8m0, value, rules.e8m0_rounding, Overflow::kSaturate);
}

// What a block's plain encoding leaves to do: the sign of NaN, and marks.
void amend(const CastRules& rules, const double* values, size_t count, std::byte* codes, Open* open) {
  for (size_t i = 0; i < count; ++i) {
    if (double_is_finite(values[i])) continue;
    codes[i] = static_cast<std::byte>(float_code({values[i], 0}, rules, &open[i]));
  }
}

// An integer as a double toward zero, and the sign of what is cut off.
Sticky sticky_of(int128 value) {
  const bool negative = value < 0;
  const uint64_t magnitude = static_cast<uint64_t>(negative ? -value : value);
  const uint64_t code = encode_scaled(kFloat64, negative, magnitude, 0, Rounding::kTowardZero, Overflow::kInfinity);
  const double head = decode(kFloat64, code);
  return {head, static_cast<int128>(head) == value ? 0 : negative ? -1 : 1};
}

uint64_t integer_code(int128 value, const CastRules& rules, Open* open) {
  const Format& format = float_format(rules.to);
  if (&format != &kFloat64) return float_code(sticky_of(value), rules, open);
  const bool negative = value < 0;
  return encode_scaled(format, negative, static_cast<uint64_t>(negative ? -value : value), 0,
                       Rounding::kNearestEven, Overflow::kInfinity);
}

// Integers beyond 2^53 are no doubles: they are encoded from themselves.
void encode_wide(const Tensor& x, size_t first, size_t count, const CastRules& rules, std::byte* codes, Open* open) {
  const size_t width = std::max<size_t>(static_cast<size_t>(dtype_bits(rules.to)) / 8, 1);
  const IntegerFormat integer = integer_format_of(x.dtype());
  constexpr int128 kExact = int128{1} << 53;
  for (size_t i = 0; i < count; ++i) {
    const int128 value = decode_integer(integer, x.code(first + i));
    if (value >= -kExact && value <= kExact) continue;
    const uint64_t code = integer_code(value, rules, &open[i]);
    std::memcpy(codes + i * width, &code, width);
  }
}

void encode_block(const double* values, size_t count, const CastRules& rules, std::byte* codes, Open* open) {
  const Format& format = float_format(rules.to);
  if (&format == &kFloat8e8m0) {
    for (size_t i = 0; i < count; ++i) {
      codes[i] = static_cast<std::byte>(e8m0_code({values[i], 0}, rules, &open[i]));
    }
    return;
  }
  encode_exact_many(format, values, count, codes, Rounding::kNearestEven, overflow_of(format, rules));
  if (format.bits <= 8) amend(rules, values, count, codes, open);
}

}  // namespace

uint64_t float_code(Sticky value, const CastRules& rules, Open* open) {
  const Format& format = float_format(rules.to);
  if (&format == &kFloat8e8m0) return e8m0_code(value, rules, open);
  if (double_is_nan(value.head)) {
    if (format.nan == NanPatterns::kNone) *open = Open::kNanWithoutNan;
    return format.bits == 8 ? signed_nan(format, double_is_negative(value.head)) : format.canonical_nan;
  }
  // Erratum: the saturating table of versions 19 to 23 has NaN for infinity in the two fnuz types; the official data of their time
  // has the largest value, and version 24 corrected the table to it. The largest value, marked.
  if (!double_is_finite(value.head) && is_fnuz(format) && rules.saturate && rules.fnuz_infinity_is_open) {
    *open = Open::kFnuzInfinity;
  }
  return encode(format, value, Rounding::kNearestEven, overflow_of(format, rules));
}

void numbers_to_floats(const Tensor& x, const CastRules& rules, Tensor* y, std::vector<Open>* open) {
  std::byte* out = y->mutable_bytes().data();
  const int bits = dtype_bits(rules.to);
  const bool wide = is_integer(x.dtype()) && dtype_bits(x.dtype()) == 64;
  parallel_for(x.size(), kBlock, [&](size_t begin, size_t end) {
    double values[kBlock];
    std::byte unpacked[kBlock];
    const size_t count = end - begin;
    decode_elements(x, begin, count, values);
    std::byte* codes = bits < 8 ? unpacked : out + begin * (static_cast<size_t>(bits) / 8);
    encode_block(values, count, rules, codes, open->data() + begin);
    if (wide) encode_wide(x, begin, count, rules, codes, open->data() + begin);
    if (bits >= 8) return;
    for (size_t i = 0; i < count; ++i) {
      write_code(out, bits, begin + i, std::to_integer<uint8_t>(unpacked[i]));
    }
  });
}

}  // namespace onnxv
