// Loops over whole tensors. They give what decode() and encode() give, element by element.
#include <immintrin.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <vector>

#include "src/number/format.h"

namespace onnxv {
namespace {

// All values of one format of at most 8 bits.
std::vector<double> decoded_table(const Format& format) {
  std::vector<double> table(size_t{1} << format.bits);
  for (size_t code = 0; code < table.size(); ++code) table[code] = decode(format, code);
  return table;
}

void decode_bytes(const Format& format, const uint8_t* codes, size_t count, double* out) {
  if (count < 64) {  // not worth a table
    for (size_t i = 0; i < count; ++i) out[i] = decode(format, codes[i]);
    return;
  }
  const std::vector<double> table = decoded_table(format);
  const size_t mask = table.size() - 1;
  for (size_t i = 0; i < count; ++i) out[i] = table[codes[i] & mask];
}

bool has_avx2() {
  static const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c");
  return has;
}

__attribute__((target("avx2"))) size_t decode_float32_avx2(const float* codes, size_t count, double* out) {
  size_t i = 0;
  for (; i + 4 <= count; i += 4) _mm256_storeu_pd(out + i, _mm256_cvtps_pd(_mm_loadu_ps(codes + i)));
  return i;
}
void decode_float32(const float* codes, size_t count, double* out) {
  for (size_t i = has_avx2() ? decode_float32_avx2(codes, count, out) : 0; i < count; ++i) {
    out[i] = static_cast<double>(codes[i]);
  }
}

// A bfloat16 is the upper half of a float32.
__attribute__((target("avx2"))) size_t decode_bfloat16_avx2(const uint16_t* codes, size_t count, double* out) {
  size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const __m128i four = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(codes + i));
    const __m128i wide = _mm_slli_epi32(_mm_cvtepu16_epi32(four), 16);
    _mm256_storeu_pd(out + i, _mm256_cvtps_pd(_mm_castsi128_ps(wide)));
  }
  return i;
}
void decode_bfloat16(const uint16_t* codes, size_t count, double* out) {
  for (size_t i = has_avx2() ? decode_bfloat16_avx2(codes, count, out) : 0; i < count; ++i) {
    out[i] = static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(codes[i]) << 16));
  }
}

void decode_float16_plain(const uint16_t* codes, size_t count, double* out) {
  for (size_t i = 0; i < count; ++i) out[i] = decode(kFloat16, codes[i]);
}

__attribute__((target("avx,f16c"))) void decode_float16_f16c(const uint16_t* codes, size_t count,
                                                             double* out) {
  size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const __m128i four = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(codes + i));
    _mm256_storeu_pd(out + i, _mm256_cvtps_pd(_mm_cvtph_ps(four)));
  }
  decode_float16_plain(codes + i, count - i, out + i);
}

void decode_float16(const uint16_t* codes, size_t count, double* out) {
  static const bool has_f16c = __builtin_cpu_supports("f16c") && __builtin_cpu_supports("avx");
  return has_f16c ? decode_float16_f16c(codes, count, out)
                  : decode_float16_plain(codes, count, out);
}

// To nearest even by the machine's own conversion.
__attribute__((target("avx2"))) size_t encode_float32_avx2(const double* values, size_t count, uint32_t* codes) {
  const __m128 canonical = _mm_castsi128_ps(_mm_set1_epi32(static_cast<int>(kFloat32.canonical_nan)));
  size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const __m128 rounded = _mm256_cvtpd_ps(_mm256_loadu_pd(values + i));
    const __m128 code = _mm_blendv_ps(rounded, canonical, _mm_cmpunord_ps(rounded, rounded));
    _mm_storeu_ps(reinterpret_cast<float*>(codes + i), code);
  }
  return i;
}
void encode_float32(const double* values, size_t count, uint32_t* codes) {
  for (size_t i = has_avx2() ? encode_float32_avx2(values, count, codes) : 0; i < count; ++i) {
    const uint32_t code = std::bit_cast<uint32_t>(static_cast<float>(values[i]));
    codes[i] =
        (code & 0x7fffffff) > 0x7f800000 ? static_cast<uint32_t>(kFloat32.canonical_nan) : code;
  }
}

// The lower halves of four masks.
__attribute__((target("avx2"))) __m128i narrow(__m256d mask) {
  const __m256i halves = _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6);
  return _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(_mm256_castpd_si256(mask), halves));
}

// Four doubles to float32 by rounding to odd: what is rounded once more from there, to 22 bits or fewer, is right.
__attribute__((target("avx2"))) __m128i rounded_to_odd(__m256d value) {
  const __m128 nearest = _mm256_cvtpd_ps(value);
  const __m256d back = _mm256_cvtps_pd(nearest), no_sign = _mm256_set1_pd(-0.0);
  const __m256d beyond = _mm256_cmp_pd(_mm256_andnot_pd(no_sign, back), _mm256_andnot_pd(no_sign, value), _CMP_GT_OQ);
  const __m256d inexact = _mm256_cmp_pd(back, value, _CMP_NEQ_OQ);
  const __m128i toward_zero = _mm_add_epi32(_mm_castps_si128(nearest), narrow(beyond));
  return _mm_or_si128(toward_zero, _mm_srli_epi32(narrow(inexact), 31));
}

__attribute__((target("avx2,f16c"))) size_t encode_float16_avx2(const double* values, size_t count, uint16_t* codes) {
  const __m128i canonical = _mm_set1_epi16(static_cast<int16_t>(kFloat16.canonical_nan));
  size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const __m256d value = _mm256_loadu_pd(values + i);
    const __m128 odd = _mm_castsi128_ps(rounded_to_odd(value));
    const __m128i code = _mm_cvtps_ph(odd, _MM_FROUND_TO_NEAREST_INT);
    const __m128i nan = _mm_packs_epi32(_mm_castps_si128(_mm_cmpunord_ps(odd, odd)), _mm_setzero_si128());
    _mm_storel_epi64(reinterpret_cast<__m128i*>(codes + i), _mm_blendv_epi8(code, canonical, nan));
  }
  return i;
}

__attribute__((target("avx2"))) size_t encode_bfloat16_avx2(const double* values, size_t count, uint16_t* codes) {
  const __m128i canonical = _mm_set1_epi32(static_cast<int>(kBfloat16.canonical_nan));
  size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const __m128i odd = rounded_to_odd(_mm256_loadu_pd(values + i));
    const __m128i even = _mm_and_si128(_mm_srli_epi32(odd, 16), _mm_set1_epi32(1));
    const __m128i code = _mm_srli_epi32(_mm_add_epi32(_mm_add_epi32(odd, _mm_set1_epi32(0x7fff)), even), 16);
    const __m128 number = _mm_castsi128_ps(odd);
    const __m128i nan = _mm_castps_si128(_mm_cmpunord_ps(number, number));
    const __m128i chosen = _mm_blendv_epi8(code, canonical, nan);
    _mm_storel_epi64(reinterpret_cast<__m128i*>(codes + i), _mm_packus_epi32(chosen, chosen));
  }
  return i;
}

// To nearest even on the bits of the double. A value that is normal in the format, before and after
// rounding, is shifted down with half a step (less one bit for even neighbours) added; a subnormal
// one by as many bits more as its exponent lies lower; what is left overflows or is NaN.
template <class Code>
void encode_nearest(const Format& format, const double* values, size_t count, Code* codes,
                    Overflow overflow) {
  const int shift = 52 - format.mantissa_bits;
  const uint64_t half = (uint64_t{1} << (shift - 1)) - 1;
  const uint64_t rebias = static_cast<uint64_t>(1023 - format.bias) << format.mantissa_bits;
  const int smallest = 1024 - format.bias;
  const uint64_t largest = largest_finite(format, false);
  const bool saturates = overflow == Overflow::kSaturate;
  const uint64_t beyond[] = {
      saturates ? largest : infinity_or_nan(format, false),
      saturates ? largest_finite(format, true) : infinity_or_nan(format, true)};
  for (size_t i = 0; i < count; ++i) {
    const uint64_t bits = std::bit_cast<uint64_t>(values[i]);
    const uint64_t magnitude = bits & (~uint64_t{0} >> 1);
    const uint64_t sign = (bits ^ magnitude) >> (64 - format.bits);
    const int field = static_cast<int>(magnitude >> 52);
    uint64_t code = ((magnitude + half + ((magnitude >> shift) & 1)) >> shift) - rebias;
    if (field < smallest) {
      const uint64_t fraction = magnitude & ((uint64_t{1} << 52) - 1);
      const uint64_t significand = field > 0 ? fraction | (uint64_t{1} << 52) : fraction;
      // From 54 on a step is more than twice any significand.
      const int steeper = std::min(shift + smallest - std::max(field, 1), 55);
      const uint64_t below_half = (uint64_t{1} << (steeper - 1)) - 1;
      code = (significand + below_half + ((significand >> steeper) & 1)) >> steeper;
      codes[i] = static_cast<Code>(code == 0 && !format.has_negative_zero ? 0 : code | sign);
    } else if (code <= largest) {
      codes[i] = static_cast<Code>(code | sign);
    } else {
      const bool nan = magnitude > uint64_t{0x7ff} << 52;
      codes[i] = static_cast<Code>(nan ? format.canonical_nan : beyond[sign != 0 ? 1 : 0]);
    }
  }
}

void encode_float64(const double* values, size_t count, uint64_t* codes) {
  for (size_t i = 0; i < count; ++i) {
    const uint64_t code = std::bit_cast<uint64_t>(values[i]);
    codes[i] = values[i] != values[i] ? kFloat64.canonical_nan : code;
  }
}

template <class Code>
void encode_each(const Format& format, const double* values, size_t count, Code* codes,
                 Rounding rounding, Overflow overflow) {
  // float64 has no bits to drop, and float8e8m0 no sign, zero or subnormals.
  if (rounding == Rounding::kNearestEven && format.bits < 64 && format.has_zero_and_subnormals) {
    return encode_nearest(format, values, count, codes, overflow);
  }
  for (size_t i = 0; i < count; ++i) {
    codes[i] =
        static_cast<Code>(encode(format, {.head = values[i], .rest_sign = 0}, rounding, overflow));
  }
}

}  // namespace

void decode_many(const Format& format, const void* codes, size_t count, double* out) {
  if (count == 0) return;
  if (&format == &kFloat32) return decode_float32(static_cast<const float*>(codes), count, out);
  if (&format == &kBfloat16)
    return decode_bfloat16(static_cast<const uint16_t*>(codes), count, out);
  if (&format == &kFloat16) return decode_float16(static_cast<const uint16_t*>(codes), count, out);
  if (format.bits == 64) {
    std::memcpy(out, codes, count * sizeof(double));
  } else {
    decode_bytes(format, static_cast<const uint8_t*>(codes), count, out);
  }
}

void encode_exact_many(const Format& format, const double* values, size_t count, void* codes,
                       Rounding rounding, Overflow overflow) {
  const bool plain = rounding == Rounding::kNearestEven && overflow == Overflow::kInfinity;
  if (&format == &kFloat64 && overflow == Overflow::kInfinity) {
    encode_float64(values, count, static_cast<uint64_t*>(codes));
  } else if (&format == &kFloat32 && plain) {
    encode_float32(values, count, static_cast<uint32_t*>(codes));
  } else if (format.bits <= 8) {
    encode_each(format, values, count, static_cast<uint8_t*>(codes), rounding, overflow);
  } else if (format.bits == 16) {
    const bool vectors = plain && has_avx2();
    const auto out = static_cast<uint16_t*>(codes);
    const size_t done = !vectors                ? 0
                        : &format == &kFloat16  ? encode_float16_avx2(values, count, out)
                        : &format == &kBfloat16 ? encode_bfloat16_avx2(values, count, out)
                                                : 0;
    values += done;
    count -= done;
    codes = out + done;
    encode_each(format, values, count, static_cast<uint16_t*>(codes), rounding, overflow);
  } else if (format.bits == 32) {
    encode_each(format, values, count, static_cast<uint32_t*>(codes), rounding, overflow);
  } else {
    encode_each(format, values, count, static_cast<uint64_t*>(codes), rounding, overflow);
  }
}

}  // namespace onnxv
