// As many doubles at a time as a register holds, and glibc's vector functions behind one header.
//
// Compiled once per instruction set (ONNXV_LANES = none, avx2 or avx512); everything lives in an inline namespace named for
// the set, so that the linker can never merge code of two sets. Nothing here may instantiate a std template over a
// type that other code uses too, for the same reason.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#if defined(__AVX2__) || defined(__AVX512F__)
#include <immintrin.h>
#endif

#ifndef ONNXV_LANES
#error "only for lanes: compile with -DONNXV_LANES=<set>"
#endif

namespace onnxv {
inline namespace ONNXV_LANES {

// A vector wider than a register lives in memory and is compared element by element: g++ 12 does not split it well.
#if defined(__AVX512F__)
inline constexpr int kLanes = 8;
#elif defined(__AVX2__)
inline constexpr int kLanes = 4;
#else
inline constexpr int kLanes = 2;
#endif

typedef double Vec __attribute__((vector_size(8 * kLanes)));
typedef int64_t Mask __attribute__((vector_size(8 * kLanes)));  // -1: yes, 0: no
typedef float FloatVec __attribute__((vector_size(4 * kLanes)));
typedef int32_t FloatMask __attribute__((vector_size(4 * kLanes)));

// x - 0 is x for every x; x + 0 is not for -0.
inline Vec broadcast(double x) { return x - Vec{}; }

inline Vec load(const double* p) {
  Vec v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}
inline void store(double* p, Vec v) { __builtin_memcpy(p, &v, sizeof v); }

// any: a lane is not 0. all: every lane of a comparison's result is yes. greater_of, smaller_of: a > b ? a : b and
// a < b ? a : b by IEEE's comparison (the second operand where one is NaN). all_same: the same bits.
#if defined(__AVX512F__)
inline bool any(Mask m) { return _mm512_test_epi64_mask((__m512i)m, (__m512i)m) != 0; }
inline bool any(FloatMask m) { return _mm256_testz_si256((__m256i)m, (__m256i)m) == 0; }
inline bool all(Mask m) { return _mm512_movepi64_mask((__m512i)m) == 0xff; }
inline Vec greater_of(Vec a, Vec b) { return (Vec)_mm512_max_pd((__m512d)a, (__m512d)b); }
inline Vec smaller_of(Vec a, Vec b) { return (Vec)_mm512_min_pd((__m512d)a, (__m512d)b); }
inline bool all_same(FloatVec a, FloatVec b) {
  return _mm256_movemask_epi8(_mm256_cmpeq_epi32((__m256i)a, (__m256i)b)) == -1;
}
inline Vec fma(Vec a, Vec b, Vec c) { return (Vec)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c); }
inline Vec vector_sqrt(Vec a) { return (Vec)_mm512_sqrt_pd((__m512d)a); }
#elif defined(__AVX2__)
inline bool any(Mask m) { return _mm256_testz_si256((__m256i)m, (__m256i)m) == 0; }
inline bool any(FloatMask m) { return _mm_testz_si128((__m128i)m, (__m128i)m) == 0; }
inline bool all(Mask m) { return _mm256_movemask_pd((__m256d)m) == 0xf; }
inline Vec greater_of(Vec a, Vec b) { return (Vec)_mm256_max_pd((__m256d)a, (__m256d)b); }
inline Vec smaller_of(Vec a, Vec b) { return (Vec)_mm256_min_pd((__m256d)a, (__m256d)b); }
inline bool all_same(FloatVec a, FloatVec b) {
  return _mm_movemask_epi8(_mm_cmpeq_epi32((__m128i)a, (__m128i)b)) == 0xffff;
}
inline Vec fma(Vec a, Vec b, Vec c) { return (Vec)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c); }
inline Vec vector_sqrt(Vec a) { return (Vec)_mm256_sqrt_pd((__m256d)a); }
#else
inline bool any(Mask m) { return (m[0] | m[1]) != 0; }
inline bool any(FloatMask m) { return (m[0] | m[1]) != 0; }
inline bool all(Mask m) { return (m[0] & m[1]) != 0; }
inline Vec greater_of(Vec a, Vec b) { return a > b ? a : b; }
inline Vec smaller_of(Vec a, Vec b) { return a < b ? a : b; }
inline bool all_same(FloatVec a, FloatVec b) { return __builtin_memcmp(&a, &b, sizeof a) == 0; }
inline Vec fma(Vec a, Vec b, Vec c) {
  return Vec{__builtin_fma(a[0], b[0], c[0]), __builtin_fma(a[1], b[1], c[1])};
}
inline Vec vector_sqrt(Vec a) { return Vec{__builtin_sqrt(a[0]), __builtin_sqrt(a[1])}; }
#endif

// g++ 12 makes three instructions of __builtin_convertvector from floats.
#if defined(__AVX512F__)
inline Vec as_doubles(FloatVec a) { return (Vec)_mm512_cvtps_pd((__m256)a); }
inline FloatVec as_floats(Vec a) { return (FloatVec)_mm512_cvtpd_ps((__m512d)a); }
#elif defined(__AVX2__)
inline Vec as_doubles(FloatVec a) { return (Vec)_mm256_cvtps_pd((__m128)a); }
inline FloatVec as_floats(Vec a) { return (FloatVec)_mm256_cvtpd_ps((__m256d)a); }
#else
inline Vec as_doubles(FloatVec a) { return __builtin_convertvector(a, Vec); }
inline FloatVec as_floats(Vec a) { return __builtin_convertvector(a, FloatVec); }
#endif

// a * b + c for radii, rounded once or twice.
#if defined(__AVX2__) || defined(__AVX512F__)
inline Vec multiply_add(Vec a, Vec b, Vec c) { return fma(a, b, c); }
#else
inline Vec multiply_add(Vec a, Vec b, Vec c) { return a * b + c; }
#endif

inline Vec abs(Vec a) { return (Vec)((Mask)a & INT64_MAX); }

// Functions of one double whose vector form is at most 16 u off (numerics.md, section 5; vector_functions_test measures it).
// Where there is no vector form the scalar one serves under the same bound.
#if defined(__AVX512F__)
#define ONNXV_VECTOR_FUNCTION(name)            \
  extern "C" __m512d _ZGVeN8v_##name(__m512d); \
  inline Vec vector_##name(Vec x) { return (Vec)_ZGVeN8v_##name((__m512d)x); }
#define ONNXV_VECTOR_FUNCTION2(name)                     \
  extern "C" __m512d _ZGVeN8vv_##name(__m512d, __m512d); \
  inline Vec vector_##name(Vec x, Vec y) { return (Vec)_ZGVeN8vv_##name((__m512d)x, (__m512d)y); }
#elif defined(__AVX2__)
#define ONNXV_VECTOR_FUNCTION(name)            \
  extern "C" __m256d _ZGVdN4v_##name(__m256d); \
  inline Vec vector_##name(Vec x) { return (Vec)_ZGVdN4v_##name((__m256d)x); }
#define ONNXV_VECTOR_FUNCTION2(name)                     \
  extern "C" __m256d _ZGVdN4vv_##name(__m256d, __m256d); \
  inline Vec vector_##name(Vec x, Vec y) { return (Vec)_ZGVdN4vv_##name((__m256d)x, (__m256d)y); }
#else
#define ONNXV_VECTOR_FUNCTION(name) \
  inline Vec vector_##name(Vec x) { return Vec{::name(x[0]), ::name(x[1])}; }
#define ONNXV_VECTOR_FUNCTION2(name) \
  inline Vec vector_##name(Vec x, Vec y) { return Vec{::name(x[0], y[0]), ::name(x[1], y[1])}; }
#endif
ONNXV_VECTOR_FUNCTION(exp)
ONNXV_VECTOR_FUNCTION(expm1)
ONNXV_VECTOR_FUNCTION(log)
ONNXV_VECTOR_FUNCTION(log1p)
ONNXV_VECTOR_FUNCTION(sin)
ONNXV_VECTOR_FUNCTION(cos)
ONNXV_VECTOR_FUNCTION(tan)
ONNXV_VECTOR_FUNCTION(asin)
ONNXV_VECTOR_FUNCTION(acos)
ONNXV_VECTOR_FUNCTION(atan)
ONNXV_VECTOR_FUNCTION(sinh)
ONNXV_VECTOR_FUNCTION(cosh)
ONNXV_VECTOR_FUNCTION(tanh)
ONNXV_VECTOR_FUNCTION(asinh)
ONNXV_VECTOR_FUNCTION(acosh)
ONNXV_VECTOR_FUNCTION(atanh)
ONNXV_VECTOR_FUNCTION(erf)
ONNXV_VECTOR_FUNCTION(erfc)
ONNXV_VECTOR_FUNCTION2(pow)
#undef ONNXV_VECTOR_FUNCTION
#undef ONNXV_VECTOR_FUNCTION2

}  // namespace ONNXV_LANES
}  // namespace onnxv
