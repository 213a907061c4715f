// The attribute softmax_precision.
#pragma once

#include <optional>

#include "ops/operator.h"

namespace onnxv {

// nullopt when absent; schema error when it names no float type of 16 bits or more.
inline std::optional<DType> softmax_precision(const OpCall& call) {
  if (!call.has_attribute("softmax_precision")) return std::nullopt;
  return call.float_type("softmax_precision");
}

// The type of two that has fewer digits: what a step between the two may be computed in.
inline DType narrower_type(DType a, DType b) {
  return float_format(a).mantissa_bits <= float_format(b).mantissa_bits ? a : b;
}

}  // namespace onnxv
