// What the cold paths of Ball share: one lane at a time.
#pragma once

#include "src/number/ball.h"

namespace onnxv {
inline namespace ONNXV_LANES {

inline Lane lane(const Ball& x, int i) { return {x.m[i], x.r[i]}; }
inline void set_lane(Ball& x, int i, Lane value) {
  x.m[i] = value.m;
  x.r[i] = value.r;
}
inline bool negative(double x) { return __builtin_signbit(x) != 0; }
inline double size_of(double x) { return __builtin_fabs(x); }

// Where the value lies, the rounding of the ends included. The ends of a number whose sign is known do not pass zero.
struct LaneEnds {
  double low, high;
};
inline LaneEnds ends_of(Lane x) {
  if (x.r == 0) return {x.m, x.m};
  const double reach = x.r * (1.0 + 0x1p-20) + size_of(x.m) * 0x1p-52;
  LaneEnds ends{x.m - reach, x.m + reach};
  if (!sign_known(x)) return ends;
  if (x.m > 0) ends.low = ends.low > 0 ? ends.low : 0.0;
  if (x.m < 0) ends.high = ends.high < 0 ? ends.high : -0.0;
  return ends;
}

}  // namespace ONNXV_LANES
}  // namespace onnxv
