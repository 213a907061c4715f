#include "src/number/float_loops.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

#include "src/base/error.h"
#include "src/number/instruction_sets.h"
#include "src/number/ladder.h"
#include "src/number/lane_loops.h"

namespace onnxv {
namespace {

const FloatLoops& loops() {
  static const FloatLoops& chosen = ONNXV_OF_SET(kFloatLoops);
  return chosen;
}

constexpr uint32_t kNoCode = 1U << 16;  // above every code of 16 bits

uint32_t ones(int bits) { return (1U << bits) - 1; }

void check_format(const Format& format) {
  if (!fits_float32(format)) fail_internal("format", std::string(format.name) + " is wider than float32");
}

// 0 to 3 for 1 to 8 bytes.
int width_of(IntegerFormat format) {
  if (format.bits < 8) fail_internal("format", "an integer of " + std::to_string(format.bits) + " bits");
  return format.bits == 8 ? 0 : format.bits == 16 ? 1 : format.bits == 32 ? 2 : 3;
}

DecodeLoop decode_loop(const Format& format, const void* codes, size_t count, float* out) {
  const uint32_t top_exponent = ones(format.exponent_bits) << format.mantissa_bits;
  DecodeLoop loop{.codes = codes,
                  .count = count,
                  .shift = 23 - format.mantissa_bits,
                  .sign_shift = 32 - format.bits,
                  .sign = 1U << (format.bits - 1),
                  .magnitude = ones(format.bits - 1),
                  .rescale = std::bit_cast<float>(static_cast<uint32_t>(254 - format.bias) << 23),
                  .top = kNoCode,
                  .top_bits = 0,
                  .nan_code = kNoCode,
                  .out = out};
  switch (format.nan) {
    case NanPatterns::kNone: break;
    case NanPatterns::kIeee: loop.top = top_exponent, loop.top_bits = 0x7f800000; break;
    case NanPatterns::kAllOnes: loop.top = loop.magnitude, loop.top_bits = 0x7fc00000; break;
    case NanPatterns::kNegativeZero: loop.nan_code = loop.sign; break;
  }
  return loop;
}

// The loops know a scale beside each element, and one for all: runs go one by one.
template <class Work>
void each_part(size_t count, const Quantizers& by, const Work& work) {
  if (by.run == 1 || by.run >= count) return work(0, count, by);
  for (size_t first = 0, k = 0; first < count; first += by.run, ++k) {
    work(first, std::min(by.run, count - first), {by.scales + k, by.zeros + k, kOneForAll});
  }
}

}  // namespace

bool quantize_floats(const float* x, size_t count, const Quantizers& by, int digits, IntegerFormat format, void* codes) {
  if (format.bits > 16) fail_internal("format", "quantizes to at most 16 bits");
  const float least = static_cast<float>(smallest_integer(format)), most = static_cast<float>(largest_integer(format));
  const size_t width = format.bits <= 8 ? 1 : 2;
  bool met_nan = false;
  each_part(count, by, [&](size_t first, size_t some, const Quantizers& own) {
    const QuantizeLoop loop{x + first, some, own, 24 - digits, least, most, static_cast<char*>(codes) + first * width};
    met_nan |= width == 1 ? loops().quantize8(loop) : loops().quantize16(loop);
  });
  return met_nan;
}

void divide_floats(const float* x, size_t count, const Quantizers& by, float* out) {
  each_part(count, by, [=](size_t first, size_t some, const Quantizers& own) { loops().divide(x + first, some, own, out + first); });
}

void dequantize_floats(const float* x, size_t count, const Quantizers& by, float* out) {
  each_part(count, by, [=](size_t first, size_t some, const Quantizers& own) { loops().dequantize(x + first, some, own, out + first); });
}
void dequantize_floats(const float* x, size_t count, const Quantizers& by, double* out) {
  each_part(count, by, [=](size_t first, size_t some, const Quantizers& own) { loops().dequantize_wide(x + first, some, own, out + first); });
}

bool fits_float32(const Format& format) { return format.mantissa_bits <= 23 && format.exponent_bits <= 8; }

void decode_to_floats(const Format& format, const void* codes, size_t count, float* out) {
  check_format(format);
  if (format.bits == 32) {
    std::memcpy(out, codes, count * sizeof(float));
  } else if (!format.has_zero_and_subnormals) {
    const uint8_t* from = static_cast<const uint8_t*>(codes);
    for (size_t i = 0; i < count; ++i) out[i] = static_cast<float>(decode(format, from[i]));
  } else if (&format == &kFloat16 && loops().decode_half != nullptr) {
    loops().decode_half(codes, count, out);
  } else if (format.bits == 16) {
    loops().decode16(decode_loop(format, codes, count, out));
  } else {
    loops().decode8(decode_loop(format, codes, count, out));
  }
}

void decode_to_floats(IntegerFormat format, const void* codes, size_t count, float* out) {
  const int width = width_of(format);
  (format.is_signed ? loops().decode_signed : loops().decode_unsigned)[width](codes, count, out);
}

bool truncate_floats(const float* values, size_t count, IntegerFormat format, void* codes) {
  const int width = width_of(format);
  return (format.is_signed ? loops().truncate_signed : loops().truncate_unsigned)[width](values, count, codes);
}

void canonize_nans(float* values, size_t count) { loops().canonize(values, count); }
void widen_floats(const float* values, size_t count, double* out) { loops().widen(values, count, out); }
int32_t extreme_float(const float* values, size_t count, bool greatest) { return loops().extreme(values, count, greatest); }
void extreme_floats(const float* values, size_t stride, size_t rows, size_t count, bool greatest, int32_t* best) {
  loops().extreme_rows(values, stride, rows, count, greatest, best);
}
float float_of_key(int32_t key) {
  return std::bit_cast<float>(key >= 0 ? key : static_cast<int32_t>(0x80000000 | static_cast<uint32_t>(~key)));
}

bool encode_floats(const Format& format, const float* values, size_t count, void* codes, Overflow overflow) {
  check_format(format);
  if (format.bits == 32) {
    return loops().encode32(values, count, static_cast<uint32_t>(format.canonical_nan), codes);
  }
  // The machine's own infinity is where it overflows to; the rest of the infinities and NaN are for the loop that knows codes.
  const bool is_half = &format == &kFloat16 && overflow == Overflow::kInfinity && loops().encode_half != nullptr;
  if (is_half && loops().encode_half(values, count, codes)) return false;
  const int lowest = 151 - format.bias - format.mantissa_bits;  // the field of to_subnormal
  const EncodeLoop loop{
      .values = values,
      .count = count,
      .shift = 23 - format.mantissa_bits,
      .sign_shift = 32 - format.bits,
      .rebias = static_cast<uint32_t>(127 - format.bias) << format.mantissa_bits,
      .smallest = static_cast<uint32_t>(128 - format.bias) << 23,
      .to_subnormal = std::bit_cast<float>(static_cast<uint32_t>(lowest) << 23),
      .largest = static_cast<uint32_t>(largest_finite(format, false)),
      .beyond = static_cast<uint32_t>(overflow == Overflow::kSaturate ? largest_finite(format, false) : infinity_or_nan(format, false)),
      .canonical_nan = static_cast<uint32_t>(format.canonical_nan),
      .keeps_minus_zero = format.has_negative_zero,
      .codes = codes};
  return format.bits == 16 ? loops().encode16(loop) : loops().encode8(loop);
}

}  // namespace onnxv
