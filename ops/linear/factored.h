// Einsum's sums whose addends are too many to list, because operands have summed indices of their own: the sum of a_p b_q over
// p and q is the sum of a_p times the sum of b_q.
#pragma once

#include <vector>

#include "ops/linear/equation.h"
#include "src/tensor/tensor.h"

namespace onnxv {

bool is_factored(const Einsum& einsum);
// Exact, and rounded once; integers modulo 2^n.
Tensor factored_sums(const Einsum& einsum, const std::vector<Tensor>& inputs);

}  // namespace onnxv
