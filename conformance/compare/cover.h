// A tensor's bounds in the two numbers that any runner understands.
#pragma once

#include <span>

#include "src/tensor/tensor.h"

namespace onnxv {

struct Cover {
  double rtol = 0, atol = 0;
};

// |actual - e| <= atol + rtol |e| holds for every actual number within the bound of its element e; of all such pairs with a power of
// two for rtol, or none, the one that allows the least in all. Left out are elements that no such rule can say anything of: infinite
// and NaN ones, and those whose bound has an infinite end. Both are 0 where there are no bounds: the same numbers are asked.
Cover cover_of(const Tensor& exact);

}  // namespace onnxv
