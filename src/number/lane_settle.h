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

// Whether registers of m within r all round to float32 as m does, seen from the bits of m: those that float32 drops tell the distance
// |m - tie| from the one tie in m's cell of neighbouring float32 numbers. The ties of the cells beside are at least half as
// far (a cell below a power of two is half as wide). Only for what is normal in float32.
class ClearlyRounded {
 public:
  void add(Vec m, Vec r) {
    const Vec size = abs(m);
    const Vec tie = (Vec)(((Mask)m & ~int64_t{0x1fffffff}) | int64_t{0x10000000});
    const Vec reach = multiply_add(r, broadcast(2.0 * (1.0 + 0x1p-20)), size * 0x1p-51);  // twice slack()
    apart_ &= (Mask)(reach < abs(m - tie));
    least_ = smaller_of(size, least_);
    most_ = greater_of(size, most_);
  }
  bool all_are() const { return all(apart_ & (Mask)(least_ >= 0x1p-126) & (Mask)(most_ < 0x1p128)); }

 private:
  Mask apart_ = ~Mask{};
  Vec least_ = broadcast(1.0), most_ = broadcast(1.0);
};

// Both ends as float32: the codes, and in `unclear` bits where the ends differ or a NaN needs its canonical code. (The ends of an open
// lane are infinities of both signs.)
inline FloatMask float32_codes(Vec m, Vec r, FloatMask* unclear) {
  const Vec reach = slack({m, r});
  const FloatVec low = as_floats(m - reach);
  const FloatVec high = as_floats(upper_end(m, reach));
  *unclear |= ((FloatMask)low ^ (FloatMask)high) | (FloatMask)(low != low);
  return (FloatMask)low;
}
// Codes of one register, one by one; lanes that cannot be decided are set in `open`.
[[gnu::noinline, gnu::cold]] void settle_float32_slowly(Vec m, Vec r, uint32_t* codes, uint8_t* open);
// Codes of one register; as above.
inline void settle_float32(Vec m, Vec r, uint32_t* codes, uint8_t* open) {
  FloatMask unclear = {};
  const FloatMask bits = float32_codes(m, r, &unclear);
  __builtin_memcpy(codes, &bits, sizeof bits);
  if (any(unclear)) settle_float32_slowly(m, r, codes, open);
}

// `count` elements of any target, codes of target.width() bytes; m and r are readable up to a whole register.
void settle_run(const Target& target, const double* m, const double* r, size_t count, void* codes, uint8_t* open);
// The same where every element is exact.
void settle_exact_run(const Target& target, const double* m, size_t count, void* codes);

}  // namespace ONNXV_LANES
}  // namespace onnxv
