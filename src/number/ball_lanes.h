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

}  // namespace ONNXV_LANES
}  // namespace onnxv
