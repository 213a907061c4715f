// Two float32 tensors by one operation of the machine.
#pragma once

#include "src/number/float_arithmetic.h"
#include "src/tensor/tensor.h"

namespace onnxv {

// False where something else than the machine must answer: another type, or bounds are asked for (a ToleranceScope).
bool are_combined(const Tensor& a, const Tensor& b);
// Broadcast against each other; schema error "shape-mismatch" where they do not.
Tensor combined(FloatOperation operation, const Tensor& a, const Tensor& b);

}  // namespace onnxv
