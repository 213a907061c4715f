// The attribute softmax_precision.
#pragma once

#include <optional>

#include "ops/operator.h"

namespace onnxv {

// nullopt when absent; schema error when it names no float type of 16 bits or more.
inline std::optional<DType> softmax_precision(const OpCall& call) {
  if (!call.has_attribute("softmax_precision")) return std::nullopt;
  const int64_t number = call.integer("softmax_precision");
  switch (number) {
    case 1: return DType::kFloat;
    case 10: return DType::kFloat16;
    case 11: return DType::kDouble;
    case 16: return DType::kBfloat16;
    default: break;
  }
  fail_schema("attribute-value", "softmax_precision is " + std::to_string(number),
              "must be 1, 10, 11 or 16");
}

// The type of two that has fewer digits: what a step between the two may be computed in.
inline DType narrower_type(DType a, DType b) {
  return float_format(a).mantissa_bits <= float_format(b).mantissa_bits ? a : b;
}

}  // namespace onnxv
