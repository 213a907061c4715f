// Numbers of a plain array as doubles, a register at a time. For files that are compiled once per set.
#pragma once

#include "src/kernel/product_lanes.h"

namespace onnxv {
inline namespace ONNXV_LANES {

// Types of their own, so that overloads tell them from integers.
struct Half {
  uint16_t bits;
};
struct Brain {
  uint16_t bits;
};

inline double number(double x) { return x; }
inline double number(float x) { return static_cast<double>(x); }
inline double number(int8_t x) { return static_cast<double>(x); }
inline double number(uint8_t x) { return static_cast<double>(x); }
inline double number(int16_t x) { return static_cast<double>(x); }
inline double number(Brain x) {
  const uint32_t bits = static_cast<uint32_t>(x.bits) << 16;
  float value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return static_cast<double>(value);
}

inline Native numbers(const double* p) { return load_native(p); }
inline Native numbers(const float* p) { return load_floats(p); }
template <class Integer>
Native numbers_of_integers(const Integer* p) {
  typedef Integer Few __attribute__((vector_size(sizeof(Integer) * kWidth)));
  Few v;
  __builtin_memcpy(&v, p, sizeof v);
  return __builtin_convertvector(__builtin_convertvector(v, NativeFloatBits), Native);
}
inline Native numbers(const int8_t* p) { return numbers_of_integers(p); }
inline Native numbers(const uint8_t* p) { return numbers_of_integers(p); }
inline Native numbers(const int16_t* p) { return numbers_of_integers(p); }
inline Native numbers(const Brain* p) {
  typedef uint16_t Few __attribute__((vector_size(sizeof(uint16_t) * kWidth)));
  Few v;
  __builtin_memcpy(&v, p, sizeof v);
  const NativeFloatBits bits = __builtin_convertvector(v, NativeFloatBits) << 16;
  return __builtin_convertvector((NativeFloat)bits, Native);
}

#if defined(__F16C__)
inline double number(Half x) { return static_cast<double>(_cvtsh_ss(x.bits)); }
inline Native numbers(const Half* p) {
#if defined(__AVX512F__)
  return (Native)_mm512_cvtps_pd(_mm256_cvtph_ps(_mm_loadu_si128((const __m128i*)p)));
#else
  return (Native)_mm256_cvtps_pd(_mm_cvtph_ps(_mm_loadl_epi64((const __m128i*)p)));
#endif
}
#endif

// Row i becomes column i.
inline void transpose(Native (&x)[kWidth]) {
#if defined(__AVX2__) && !defined(__AVX512F__)
  const Native a = __builtin_shufflevector(x[0], x[1], 0, 4, 2, 6), b = __builtin_shufflevector(x[0], x[1], 1, 5, 3, 7);
  const Native c = __builtin_shufflevector(x[2], x[3], 0, 4, 2, 6), d = __builtin_shufflevector(x[2], x[3], 1, 5, 3, 7);
  x[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
  x[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
  x[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
  x[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
#else
  double rows[kWidth][kWidth];
  for (size_t i = 0; i < kWidth; ++i) store_native(rows[i], x[i]);
  for (size_t i = 0; i < kWidth; ++i) {
    for (size_t j = 0; j < kWidth; ++j) x[j][i] = rows[i][j];
  }
#endif
}

}  // namespace ONNXV_LANES
}  // namespace onnxv
