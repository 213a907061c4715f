// Vectors of an instruction set's own width: wider ones would live in memory. For files that are compiled once per set.
#pragma once

#include <cstddef>
#include <cstdint>
#if defined(__AVX2__) || defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace onnxv {
inline namespace ONNXV_LANES {

#if defined(__AVX512F__)
typedef double Native __attribute__((vector_size(64)));
typedef float NativeFloat __attribute__((vector_size(32)));
typedef int64_t NativeMask __attribute__((vector_size(64)));
typedef int32_t NativeFloatBits __attribute__((vector_size(32)));
inline constexpr size_t kPanelRows = 8, kPanelVectors = 3;
inline Native added_product(Native a, Native b, Native s) {
  return (Native)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)s);
}
inline Native root(Native x) { return (Native)_mm512_sqrt_pd((__m512d)x); }
inline unsigned bits_of(NativeMask mask) { return _mm512_movepi64_mask((__m512i)mask); }
#elif defined(__AVX2__)
typedef double Native __attribute__((vector_size(32)));
typedef float NativeFloat __attribute__((vector_size(16)));
typedef int64_t NativeMask __attribute__((vector_size(32)));
typedef int32_t NativeFloatBits __attribute__((vector_size(16)));
inline constexpr size_t kPanelRows = 4, kPanelVectors = 3;
inline Native added_product(Native a, Native b, Native s) {
  return (Native)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)s);
}
inline Native root(Native x) { return (Native)_mm256_sqrt_pd((__m256d)x); }
inline unsigned bits_of(NativeMask mask) { return static_cast<unsigned>(_mm256_movemask_pd((__m256d)mask)); }
#else
typedef double Native __attribute__((vector_size(16)));
typedef float NativeFloat __attribute__((vector_size(8)));
typedef int64_t NativeMask __attribute__((vector_size(16)));
typedef int32_t NativeFloatBits __attribute__((vector_size(8)));
inline constexpr size_t kPanelRows = 4, kPanelVectors = 2;
// For products that are exact: a fused and an unfused addition give the same sum.
inline Native added_product(Native a, Native b, Native s) { return a * b + s; }
inline Native root(Native x) { return Native{__builtin_sqrt(x[0]), __builtin_sqrt(x[1])}; }
inline unsigned bits_of(NativeMask mask) { return (mask[0] & 1) | (mask[1] & 2); }
#endif
inline constexpr size_t kWidth = sizeof(Native) / sizeof(double);
inline constexpr size_t kPanelColumns = kPanelVectors * kWidth;

inline Native load_native(const double* p) {
  Native v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}
// Floats as doubles. (g++ 12 makes three operations of the portable conversion where one would do.)
inline Native load_floats(const float* p) {
#if defined(__AVX512F__)
  return (Native)_mm512_cvtps_pd(_mm256_loadu_ps(p));
#elif defined(__AVX2__)
  return (Native)_mm256_cvtps_pd(_mm_loadu_ps(p));
#else
  NativeFloat v;
  __builtin_memcpy(&v, p, sizeof v);
  return __builtin_convertvector(v, Native);
#endif
}
inline void store_native(double* p, Native v) { __builtin_memcpy(p, &v, sizeof v); }
inline Native spread(double x) { return x - Native{}; }
inline Native choose(NativeMask mask, Native yes, Native no) {
  return (Native)(((NativeMask)yes & mask) | ((NativeMask)no & ~mask));
}

// At most the value of the lowest set bit of each nonzero finite element; infinity for zeros. (Clearing the lowest bit of a
// power of two changes its exponent instead: what is left over is smaller than the power, which is on the safe side.)
inline Native lowest_bits(Native x) {
  const NativeMask bits = (NativeMask)x & INT64_MAX;
  const Native low = (Native)bits - (Native)(bits & (bits - 1));
  return choose((NativeMask)(x == 0.0), spread(__builtin_inf()), low);
}
// The smaller one; `b` where `a` is NaN.
inline Native smaller(Native a, Native b) { return choose((NativeMask)(a < b), a, b); }

}  // namespace ONNXV_LANES
}  // namespace onnxv
