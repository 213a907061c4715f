// A number moved at random within the deviation that is to be expected of it.
#pragma once

#include <cstdint>

#include "src/number/bound.h"

namespace onnxv {

// `random` is one of 2^32 equally likely places between -1 and 1 times the deviation. The code of the moved number; of the same
// where nothing may move.
inline uint64_t disturbed(const Format& format, uint64_t code, const Bound& bound, uint32_t random) {
  const double value = decode(format, code);
  const double share = (static_cast<double>(random) + 0.5) * 0x1p-31 - 1;
  if (!bound.known() || !(bound.deviation > 0) || !double_is_finite(bound.deviation) || !double_is_finite(value)) return code;
  const double moved = value + share * bound.deviation;
  if (format.bits == 64) return std::bit_cast<uint64_t>(moved);
  return encode(format, {moved, 0}, Rounding::kNearestEven, Overflow::kSaturate);
}

}  // namespace onnxv
