// Numbers to floats.
#include <algorithm>
#include <cstring>

#include "ops/cast/conversion.h"
#include "src/base/parallel.h"
#include "src/number/float_loops.h"
#include "src/tensor/floats.h"
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

// A block of codes, and where the open ones among them are marked.
struct Block {
  const CastRules& rules;
  size_t first;
  std::byte* codes;
  OpenElements* open;

  void put(size_t i, uint64_t code, Open why) const {
    const size_t width = std::max<size_t>(static_cast<size_t>(dtype_bits(rules.to)) / 8, 1);
    std::memcpy(codes + i * width, &code, width);
    open->mark(first + i, why);
  }
};

// What a block's plain encoding leaves to do: the sign of NaN, and marks.
void amend(const double* values, size_t count, const Block& block) {
  for (size_t i = 0; i < count; ++i) {
    if (double_is_finite(values[i])) continue;
    Open why = Open::kDefined;
    const uint64_t code = float_code({values[i], 0}, block.rules, &why);
    block.put(i, code, why);
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

// Integers beyond 2^53 are no doubles: they are encoded from themselves.
void encode_wide(const Tensor& x, const double* values, size_t count, const Block& block) {
  const IntegerFormat integer = integer_format_of(x.dtype());
  constexpr double kExact = 0x1p53;
  for (size_t i = 0; i < count; ++i) {
    if (values[i] > -kExact && values[i] < kExact) continue;
    const int128 value = decode_integer(integer, x.code(block.first + i));
    Open why = Open::kDefined;
    const uint64_t code = float_code(sticky_of(value), block.rules, &why);
    block.put(i, code, why);
  }
}

void encode_block(const double* values, size_t count, const Block& block) {
  const Format& format = float_format(block.rules.to);
  if (&format == &kFloat8e8m0) {
    for (size_t i = 0; i < count; ++i) {
      Open why = Open::kDefined;
      const uint64_t code = e8m0_code({values[i], 0}, block.rules, &why);
      block.put(i, code, why);
    }
    return;
  }
  encode_exact_many(format, values, count, block.codes, Rounding::kNearestEven, overflow_of(format, block.rules));
  if (format.bits <= 8) amend(values, count, block);
}

// From what is a float32 already, in vectors.
void encode_by_floats(const Tensor& x, size_t count, const Block& block) {
  const Format& format = float_format(block.rules.to);
  float buffer[kBlock];
  const float* values = float_elements(x, block.first, count, buffer);
  const bool special = encode_floats(format, values, count, block.codes, overflow_of(format, block.rules));
  if (!special || format.bits > 8) return;
  double wide[kBlock];
  decode_elements(x, block.first, count, wide);
  amend(wide, count, block);
}

void encode_by_doubles(const Tensor& x, size_t count, const Block& block) {
  double values[kBlock];
  decode_elements(x, block.first, count, values);
  encode_block(values, count, block);
  const bool wide = is_integer(x.dtype()) && dtype_bits(x.dtype()) == 64;
  if (wide && block.rules.to != DType::kDouble) encode_wide(x, values, count, block);  // the doubles are rounded once already
}

void widen(const Tensor& x, size_t count, const Block& block) {
  float buffer[kBlock];
  widen_floats(float_elements(x, block.first, count, buffer), count, reinterpret_cast<double*>(block.codes));
}

// From narrower floats, which float32 holds.
void widen_to_float32(const Tensor& x, size_t count, const Block& block) {
  float* values = reinterpret_cast<float*>(block.codes);
  float_elements(x, block.first, count, values);
  canonize_nans(values, count);
}

// Integers to float32: the one rounding that the machine has.
void round_integers(const Tensor& x, size_t count, const Block& block) {
  float_elements(x, block.first, count, reinterpret_cast<float*>(block.codes));
}

auto encoder_for(DType from, DType to) {
  if (is_integer(from) && dtype_bits(from) >= 8 && to == DType::kFloat) return round_integers;
  if (is_float(from) && fits_float32(from) && from != DType::kFloat && to == DType::kFloat) return widen_to_float32;
  const bool is_narrow = fits_float32(from) || from == DType::kBool;
  if (is_narrow && to == DType::kDouble) return widen;
  const bool by_floats = is_narrow && fits_float32(to) && to != DType::kFloat8e8m0;
  return by_floats ? encode_by_floats : encode_by_doubles;
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

void numbers_to_floats(const Tensor& x, const CastRules& rules, Tensor* y, OpenElements* open) {
  std::byte* out = y->mutable_bytes().data();
  const int bits = dtype_bits(rules.to);
  const auto encode = encoder_for(x.dtype(), rules.to);
  parallel_for(x.size(), kBlock, [&](size_t begin, size_t end) {
    std::byte unpacked[kBlock];
    encode(x, end - begin, {rules, begin, bits < 8 ? unpacked : out + begin * (static_cast<size_t>(bits) / 8), open});
    if (bits < 8) pack_codes(reinterpret_cast<const uint8_t*>(unpacked), bits, begin, end - begin, out);
  });
}

}  // namespace onnxv
