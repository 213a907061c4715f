// Where: output = condition ? X : Y, all three broadcast with each other.
#include <array>

#include "ops/index/family.h"
#include "ops/index/select.h"
#include "src/tensor/index.h"

namespace onnxv {
namespace {

Tensor where_9(const OpCall& call) {
  const Tensor &condition = call.tensor("condition"), &x = call.tensor("X"), &y = call.tensor("Y");
  const std::array shapes{condition.shape(), x.shape(), y.shape()};
  const Shape shape = broadcast_shape(shapes);
  const bool whole_bytes = !x.is_string() && dtype_bits(x.dtype()) >= 8;
  if (whole_bytes && x.bounds() == nullptr && y.bounds() == nullptr) {
    Tensor out = Tensor::unfilled(x.dtype(), shape);
    const Tensor all_conditions = broadcast_to(condition, shape);
    select_elements(all_conditions.as<uint8_t>(), x.size() == 1 ? x : broadcast_to(x, shape), y.size() == 1 ? y : broadcast_to(y, shape), &out);
    return out;
  }
  const Tensor if_true = broadcast_to(x, shape);
  Tensor out = broadcast_to(y, shape);
  const Tensor all_conditions = broadcast_to(condition, shape);
  const std::span<const uint8_t> chosen = all_conditions.as<uint8_t>();
  for (size_t begin = 0, end = 0; begin < chosen.size(); begin = end) {
    while (end < chosen.size() && (chosen[end] != 0) == (chosen[begin] != 0)) ++end;
    if (chosen[begin] != 0) copy_elements(if_true, begin, end - begin, out, begin);
  }
  return out;
}

}  // namespace

const Operator kWhere{"ai.onnx", "Where", {
    {.since = 9, .run = where_9},
}};

}  // namespace onnxv
