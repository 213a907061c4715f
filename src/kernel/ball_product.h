// Products of vectors that are known within radii (a formula's results) with exact ones.
#pragma once

#include <vector>

#include "src/kernel/vectors.h"

namespace onnxv {

// [rows][columns], row-major; radius infinity and midpoint 0 where nothing is known.
struct Balls {
  std::vector<double> midpoints, radii;
};
// All products of two exact families to almost twice the digits of a double: radii are little more than the rounding of their
// midpoints, 0 where all partial sums are exact. For formulas that make much of a small error, as exp does.
Balls precise_products(const Vectors& a, const Vectors& b);
// Of rows `midpoints` whose elements' radii have the Euclidean norms `radius_norms`, one for each row; b is exact.
Balls multiply_balls(const StoredVectors& midpoints, const std::vector<double>& radius_norms, const Vectors& b);

}  // namespace onnxv
