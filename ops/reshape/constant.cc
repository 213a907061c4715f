// Constant: the tensor that an attribute holds.
//   since 1   value. (11: or sparse_value; 12: or one of value_*. The schema says which exist.)
// ConstantOfShape: one element, repeated over the shape that the input says.
#include <array>

#include "ops/reshape/family.h"
#include "ops/reshape/numbers.h"
#include "src/tensor/axis_map.h"
#include "src/tensor/sparse.h"

namespace onnxv {
namespace {

Tensor string_list(std::vector<std::string> strings) {
  const auto count = static_cast<int64_t>(strings.size());
  return Tensor(Shape{count}, std::move(strings));
}

Tensor float_list(const std::vector<float>& values) {
  return Tensor::of<float>(DType::kFloat, Shape{static_cast<int64_t>(values.size())}, values);
}

constexpr std::array kValueAttributes = {"value",        "sparse_value", "value_float",
                                         "value_floats", "value_int",    "value_ints",
                                         "value_string", "value_strings"};

// The name of the one attribute that is there.
std::string_view given_attribute(const OpCall& call) {
  std::string_view given;
  for (std::string_view name : kValueAttributes) {
    if (!call.has_attribute(name)) continue;
    if (!given.empty()) {
      fail_schema("attribute-conflict",
                  "both " + std::string(given) + " and " + std::string(name) + " are given",
                  "exactly one value must be");
    }
    given = name;
  }
  if (given.empty())
    fail_schema("attribute-missing", "no attribute gives a value", "exactly one must");
  return given;
}

Tensor constant_1(const OpCall& call) {
  const std::string_view name = given_attribute(call);
  if (name == "value") return *call.tensor_attribute(name);
  if (name == "sparse_value") return dense(*call.sparse_attribute(name));
  if (name == "value_float") return Tensor::float_scalar(static_cast<float>(call.real(name)));
  if (name == "value_floats") return float_list(call.reals(name));
  if (name == "value_int") return Tensor::int64_scalar(call.integer(name));
  if (name == "value_ints") return Tensor::int64_list(call.integers(name));
  if (name == "value_string") return Tensor(Shape{}, {call.text(name)});
  return string_list(call.texts(name));
}

Tensor constant_of_shape_9(const OpCall& call) {
  const Shape shape = shape_of(input_numbers(call, "input"));
  const Tensor* value = call.tensor_attribute("value");
  if (value == nullptr) return Tensor(DType::kFloat, shape);
  if (value->size() != 1) {
    fail_schema("not-one-element", "value has shape " + value->shape().text(),
                "must have one element");
  }
  return filled(*value, shape);
}

}  // namespace

const Operator kConstant{"ai.onnx", "Constant", {
    {.since = 1, .also = {11, 12}, .run = constant_1},
}};

const Operator kConstantOfShape{"ai.onnx", "ConstantOfShape", {
    {.since = 9, .run = constant_of_shape_9},
}};

}  // namespace onnxv
