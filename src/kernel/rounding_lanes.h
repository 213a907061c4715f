// Doubles to the codes of narrow float types, to nearest even, a register at a time. For files that are compiled once per set.
// (NaN and infinities are not known, and what they are rounded to does not matter.)
#pragma once

#include "src/kernel/product_lanes.h"

namespace onnxv {
inline namespace ONNXV_LANES {

struct Float32 {
  using Code = uint32_t;
  using Codes = NativeFloatBits;
  static Codes rounded(Native x) { return (Codes)__builtin_convertvector(x, NativeFloat); }
};

typedef int16_t NativeHalfBits __attribute__((vector_size(sizeof(Native) / 4)));

// To float32 by rounding to odd: what is rounded once more from there, to 22 bits or fewer, is right.
inline NativeFloatBits rounded_to_odd(Native x) {
  const NativeFloat nearest = __builtin_convertvector(x, NativeFloat);
#if defined(__AVX2__) && !defined(__AVX512F__)
  const Native back = (Native)_mm256_cvtps_pd((__m128)nearest);
#else
  const Native back = __builtin_convertvector(nearest, Native);
#endif
  const NativeMask magnitude = NativeMask{} + INT64_MAX;
  const NativeMask beyond = (NativeMask)((Native)((NativeMask)back & magnitude) > (Native)((NativeMask)x & magnitude));
  const NativeMask inexact = (NativeMask)(back != x);
  return ((NativeFloatBits)nearest + __builtin_convertvector(beyond, NativeFloatBits)) | (__builtin_convertvector(inexact, NativeFloatBits) & 1);
}

#if defined(__F16C__)
struct Float16 {
  using Code = uint16_t;
  using Codes = NativeHalfBits;
  static Codes rounded(Native x) {
    const NativeFloatBits odd = rounded_to_odd(x);
#if defined(__AVX512F__)
    return (Codes)_mm256_cvtps_ph((__m256)odd, _MM_FROUND_TO_NEAREST_INT);
#else
    const __m128i codes = _mm_cvtps_ph((__m128)odd, _MM_FROUND_TO_NEAREST_INT);
    Codes low;
    __builtin_memcpy(&low, &codes, sizeof low);
    return low;
#endif
  }
};
#endif

// A bfloat16 is the upper half of a float32.
struct Bfloat16 {
  using Code = uint16_t;
  using Codes = NativeHalfBits;
  static Codes rounded(Native x) {
    const NativeFloatBits odd = rounded_to_odd(x), even = (odd >> 16) & 1;
    return __builtin_convertvector((odd + 0x7fff + even) >> 16, Codes);
  }
};

inline unsigned bits_of_floats(NativeFloatBits mask) {
#if defined(__AVX512F__)
  return static_cast<unsigned>(_mm256_movemask_ps((__m256)mask));
#elif defined(__AVX2__)
  return static_cast<unsigned>(_mm_movemask_ps((__m128)mask));
#else
  return (mask[0] & 1) | (mask[1] & 2);
#endif
}

inline constexpr unsigned kAllClear = (1U << kWidth) - 1;
// The lanes where both ends have one code.
inline unsigned clear_bits(NativeFloatBits low, NativeFloatBits high) { return bits_of_floats((NativeFloatBits)(low == high)); }
inline unsigned clear_bits(NativeHalfBits low, NativeHalfBits high) {
  return bits_of_floats(__builtin_convertvector((NativeHalfBits)(low == high), NativeFloatBits));
}

}  // namespace ONNXV_LANES
}  // namespace onnxv
