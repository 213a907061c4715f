// The rungs behind the tiles: one dot product at a time, by a compensated and, at last, by an exact sum.
#pragma once

#include <cstddef>

#include "src/number/interval.h"

namespace onnxv {

// A dot product at the current precision of Interval.
Interval enclosed_dot(const double* a, const double* b, size_t count);

// A dot product as a midpoint and a radius; radius infinity where it is not finite, or nothing is known.
struct DotBall {
  double midpoint, radius;
};
DotBall dot_ball(const double* a, const double* b, size_t count);

}  // namespace onnxv
