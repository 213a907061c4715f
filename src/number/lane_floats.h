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

}  // namespace ONNXV_LANES
}  // namespace onnxv
