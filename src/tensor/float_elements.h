// Functions of one real, element by element.
#pragma once

#include "src/number/float_functions.h"
#include "src/tensor/lines.h"

namespace onnxv {

// The formula of every element of x, in x's type; where that is float32 by the function that it names, as far as that settles.
Tensor map_function(FloatFunction function, const Formula& formula, const Tensor& x);

}  // namespace onnxv
