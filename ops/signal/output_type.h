// The attribute output_datatype of the windows and MelWeightMatrix.
#pragma once

#include <optional>
#include <string>

#include "ops/operator.h"

namespace onnxv {

// Integers of 8 bits or more, floats of 16 bits or more; schema error otherwise.
inline DType output_type(const OpCall& call) {
  const int64_t number = call.integer("output_datatype");
  const std::optional<DType> dtype = dtype_from_number(number);
  const bool listed = dtype && dtype_bits(*dtype) >= 8 &&
                      (is_integer(*dtype) || (is_float(*dtype) && dtype_bits(*dtype) >= 16));
  if (!listed)
    fail_schema("attribute-value", "output_datatype is " + std::to_string(number),
                "is no type of the output");
  return *dtype;
}

}  // namespace onnxv
