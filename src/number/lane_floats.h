// Float32 and doubles on lanes: one operation each. (g++ 12 makes three of the portable conversions.)
#pragma once

#include "src/number/vector_functions.h"

namespace onnxv {
inline namespace ONNXV_LANES {

inline Vec load_floats(const float* p) {
#if defined(__AVX512F__)
  return (Vec)_mm512_cvtps_pd(_mm256_loadu_ps(p));
#elif defined(__AVX2__)
  return (Vec)_mm256_cvtps_pd(_mm_loadu_ps(p));
#else
  return Vec{static_cast<double>(p[0]), static_cast<double>(p[1])};
#endif
}

// Asks for memory that a loop reads and writes some time later. The machine foresees a stream itself, but stops at the end of each
// page, and between the lines of work that goes over one line several times. Never wrong: an address may be nobody's.
inline void expect(const float* read, float* written) {
  __builtin_prefetch(read);
  __builtin_prefetch(written, 1);
}

// The element `at` behind each pointer.
inline Vec gathered_floats(const float* const* p, ptrdiff_t at) {
#if defined(__AVX512F__)
  return (Vec)_mm512_cvtps_pd(
      _mm256_setr_ps(p[0][at], p[1][at], p[2][at], p[3][at], p[4][at], p[5][at], p[6][at], p[7][at]));
#elif defined(__AVX2__)
  return (Vec)_mm256_cvtps_pd(_mm_setr_ps(p[0][at], p[1][at], p[2][at], p[3][at]));
#else
  return Vec{static_cast<double>(p[0][at]), static_cast<double>(p[1][at])};
#endif
}

}  // namespace ONNXV_LANES
}  // namespace onnxv
