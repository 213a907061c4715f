// From midpoints and radii to codes: vectors for what is clear, one element at a time for the rest.
#pragma once

#include "src/number/ball.h"
#include "src/number/ladder.h"

namespace onnxv {
inline namespace ONNXV_LANES {

inline bool is_plain_float32(const Target& target) {
  return target.format == &kFloat32 && target.overflow == Overflow::kInfinity &&
         target.rounding == Rounding::kNearestEven;
}

// m + reach, which for m = -0 and no reach is -0.
inline Vec upper_end(Vec m, Vec reach) { return -(-m - reach); }

// Codes of one register; lanes that cannot be decided are set in `open`.
void settle_float32_slowly(Vec m, Vec r, uint32_t* codes, uint8_t* open);
inline void settle_float32(Vec m, Vec r, uint32_t* codes, uint8_t* open) {
  const Vec reach = slack({m, r});
  const FloatVec low = __builtin_convertvector(m - reach, FloatVec);
  const FloatVec high = __builtin_convertvector(upper_end(m, reach), FloatVec);
  const FloatMask bits = (FloatMask)low, apart = (FloatMask)low ^ (FloatMask)high;
  __builtin_memcpy(codes, &bits, sizeof bits);
  // A NaN needs its canonical code.
  const Mask unclear = __builtin_convertvector(apart, Mask) | ~((Mask)(r < kInf) & (Mask)(m == m));
  if (any(unclear)) settle_float32_slowly(m, r, codes, open);
}

// `count` elements of any target, codes of target.width() bytes; m and r are readable up to a whole register.
void settle_run(const Target& target, const double* m, const double* r, size_t count, void* codes, uint8_t* open);
// The same where every element is exact.
void settle_exact_run(const Target& target, const double* m, size_t count, void* codes);

}  // namespace ONNXV_LANES
}  // namespace onnxv
