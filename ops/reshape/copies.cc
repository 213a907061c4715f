// Identity: the value itself, whatever it is. BitCast: the same bits under another type of the same
// width.
#include "ops/reshape/family.h"

namespace onnxv {
namespace {

Outputs identity_1(const OpCall& call) { return {call.value("input")}; }

// Elements keep their bits, so packed types stay packed; a bool keeps a byte other than 0 and 1,
// which reads as true.
Tensor bit_cast_26(const OpCall& call) {
  const Tensor& input = call.tensor("input");
  const int64_t number = call.integer("to");
  const std::optional<DType> to = dtype_from_number(number);
  if (!to || *to == DType::kString) {
    fail_schema("attribute-range", "to is " + std::to_string(number),
                "must be a data type other than string");
  }
  if (dtype_bits(*to) != dtype_bits(input.dtype())) {
    fail_schema("attribute-range",
                "to is " + std::string(dtype_display_name(*to)) + " of " +
                    std::to_string(dtype_bits(*to)) + " bits",
                "must be as wide as " + std::string(dtype_display_name(input.dtype())));
  }
  return input.retyped(*to);
}

}  // namespace

const Operator kIdentity{"ai.onnx", "Identity", {
    {.since = 1, .also = {14}, .run = identity_1},
}};

const Operator kBitCast{"ai.onnx", "BitCast", {
    {.since = 26, .run = bit_cast_26},
}};

}  // namespace onnxv
