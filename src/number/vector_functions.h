// Eight doubles at a time, and glibc's vector functions behind one header.
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

inline constexpr int kLanes = 8;

typedef double Vec __attribute__((vector_size(64)));
typedef int64_t Mask __attribute__((vector_size(64)));  // -1: yes, 0: no
typedef float FloatVec __attribute__((vector_size(32)));
typedef int32_t FloatMask __attribute__((vector_size(32)));

inline Vec broadcast(double x) { return Vec{x, x, x, x, x, x, x, x}; }

inline Vec load(const double* p) {
  Vec v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}
inline void store(double* p, Vec v) { __builtin_memcpy(p, &v, sizeof v); }

#if defined(__AVX512F__)
inline __m512d raw(Vec v) { return (__m512d)v; }
inline bool any(Mask m) { return _mm512_test_epi64_mask((__m512i)m, (__m512i)m) != 0; }
inline Vec fma(Vec a, Vec b, Vec c) { return (Vec)_mm512_fmadd_pd(raw(a), raw(b), raw(c)); }
inline Vec vector_sqrt(Vec a) { return (Vec)_mm512_sqrt_pd(raw(a)); }
#elif defined(__AVX2__)
struct Halves {
  __m256d low, high;
};
inline Halves halves(Vec v) {
  Halves h;
  __builtin_memcpy(&h, &v, sizeof h);
  return h;
}
inline Vec whole(__m256d low, __m256d high) {
  const Halves h{low, high};
  Vec v;
  __builtin_memcpy(&v, &h, sizeof v);
  return v;
}
inline bool any(Mask m) {
  __m256i h[2];
  __builtin_memcpy(h, &m, sizeof m);
  const __m256i both = _mm256_or_si256(h[0], h[1]);
  return _mm256_testz_si256(both, both) == 0;
}
inline Vec fma(Vec a, Vec b, Vec c) {
  const Halves x = halves(a), y = halves(b), z = halves(c);
  return whole(_mm256_fmadd_pd(x.low, y.low, z.low), _mm256_fmadd_pd(x.high, y.high, z.high));
}
inline Vec vector_sqrt(Vec a) {
  const Halves h = halves(a);
  return whole(_mm256_sqrt_pd(h.low), _mm256_sqrt_pd(h.high));
}
#else
inline bool any(Mask m) {
  int64_t bits = 0;
  for (int i = 0; i < kLanes; ++i) bits |= m[i];
  return bits != 0;
}
inline Vec fma(Vec a, Vec b, Vec c) {
  Vec r;
  for (int i = 0; i < kLanes; ++i) r[i] = __builtin_fma(a[i], b[i], c[i]);
  return r;
}
inline Vec vector_sqrt(Vec a) {
  Vec r;
  for (int i = 0; i < kLanes; ++i) r[i] = __builtin_sqrt(a[i]);
  return r;
}
#endif

inline Vec abs(Vec a) {
  return (Vec)((Mask)a & Mask{INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX,
                              INT64_MAX, INT64_MAX});
}
// Plain IEEE comparisons; the second operand where one is NaN.
inline Vec greater_of(Vec a, Vec b) { return a > b ? a : b; }

// Functions of one double whose vector form is at most 16 u off (numerics.md, section 5; vector_functions_test measures it).
// Where there is no vector form the scalar one serves under the same bound.
#if defined(__AVX512F__)
#define ONNXV_VECTOR_FUNCTION(name)                            \
  extern "C" __m512d _ZGVeN8v_##name(__m512d);                 \
  inline Vec vector_##name(Vec x) { return (Vec)_ZGVeN8v_##name(raw(x)); }
#define ONNXV_VECTOR_FUNCTION2(name)                                     \
  extern "C" __m512d _ZGVeN8vv_##name(__m512d, __m512d);                 \
  inline Vec vector_##name(Vec x, Vec y) { return (Vec)_ZGVeN8vv_##name(raw(x), raw(y)); }
#elif defined(__AVX2__)
#define ONNXV_VECTOR_FUNCTION(name)                                    \
  extern "C" __m256d _ZGVdN4v_##name(__m256d);                         \
  inline Vec vector_##name(Vec x) {                                    \
    const Halves h = halves(x);                                        \
    return whole(_ZGVdN4v_##name(h.low), _ZGVdN4v_##name(h.high));     \
  }
#define ONNXV_VECTOR_FUNCTION2(name)                                                     \
  extern "C" __m256d _ZGVdN4vv_##name(__m256d, __m256d);                                 \
  inline Vec vector_##name(Vec x, Vec y) {                                               \
    const Halves a = halves(x), b = halves(y);                                           \
    return whole(_ZGVdN4vv_##name(a.low, b.low), _ZGVdN4vv_##name(a.high, b.high));      \
  }
#else
#define ONNXV_VECTOR_FUNCTION(name)                                \
  inline Vec vector_##name(Vec x) {                                \
    Vec r;                                                         \
    for (int i = 0; i < kLanes; ++i) r[i] = ::name(x[i]);          \
    return r;                                                      \
  }
#define ONNXV_VECTOR_FUNCTION2(name)                               \
  inline Vec vector_##name(Vec x, Vec y) {                         \
    Vec r;                                                         \
    for (int i = 0; i < kLanes; ++i) r[i] = ::name(x[i], y[i]);    \
    return r;                                                      \
  }
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
