// The stash type of the normalizations, and neutral operands.
#pragma once

#include "ops/operator.h"
#include "src/number/ladder.h"
#include "src/tensor/lines.h"

namespace onnxv {

// The attribute stash_type as a type: float16, bfloat16, float or double; schema error otherwise.
inline DType stash_type(const OpCall& call) {
  const int64_t number = call.integer("stash_type");
  switch (number) {
    case 1: return DType::kFloat;
    case 10: return DType::kFloat16;
    case 11: return DType::kDouble;
    case 16: return DType::kBfloat16;
    default: break;
  }
  fail_schema("attribute-value", "stash_type is " + std::to_string(number), "must be 1, 10, 11 or 16");
}

inline Tensor negative_zeros(DType dtype, const Shape& shape) {
  Tensor zeros(dtype, shape);
  const uint64_t code = settle_exact(target_of(dtype), -0.0);
  for (size_t i = 0; i < zeros.size(); ++i) zeros.set_code(i, code);
  return zeros;
}

}  // namespace onnxv
