// Products of vectors that are known within radii (a formula's results) with exact ones.
#pragma once

#include <vector>

#include "src/kernel/vectors.h"

namespace onnxv {

// [rows][columns], row-major; radius infinity and midpoint 0 where nothing is known.
struct Balls {
  std::vector<double> midpoints, radii;
};
// Of rows `midpoints` whose elements' radii have the Euclidean norms `radius_norms`, one for each row; b is exact.
Balls multiply_balls(const StoredVectors& midpoints, const std::vector<double>& radius_norms, const Vectors& b);

}  // namespace onnxv
