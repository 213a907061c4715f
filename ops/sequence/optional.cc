// Optional, OptionalGetElement, OptionalHasElement.
//   since 15
//   since 18  Get and Has take plain tensors and sequences too; Has takes no input at all.
//   since 28  more element types.
#include "ops/sequence/sequence.h"

namespace onnxv {
namespace {

Outputs optional_15(const OpCall& call) {
  const Value& input = call.value("input");
  const Type* type = call.type_attribute("type");
  if (!input.exists() && type == nullptr) {
    fail_schema("attribute-missing", "neither input nor type is given", "one of them is required");
  }
  if (type != nullptr && type->kind != Type::Kind::kTensor && type->kind != Type::Kind::kSequence) {
    fail_schema("attribute-value", "type is " + type->text(), "must be a tensor or a sequence");
  }
  if (!input.exists()) return {Value(Optional{*type, nullptr})};
  if (type != nullptr && !same_type(*type, input.type())) {
    fail_schema("type-mismatch", "input is " + input.type().text(), "must be " + type->text() + " as type says");
  }
  return {Value(Optional{input.type(), std::make_shared<const Value>(input)})};
}

const Optional& optional_of(const Value& input) {
  if (!input.is_optional()) {
    fail_schema("type-mismatch", "input is " + input.type().text(), "must be an optional");
  }
  return input.optional();
}

Outputs optional_get_element_15(const OpCall& call) {
  const Optional& optional = optional_of(call.value("input"));
  if (optional.value == nullptr) fail_undefined("empty-optional", "the optional is empty", "must have an element");
  return {*optional.value};
}

Outputs optional_get_element_18(const OpCall& call) {
  const Value& input = call.value("input");
  return input.is_optional() ? optional_get_element_15(call) : Outputs{input};
}

Tensor optional_has_element_15(const OpCall& call) {
  return Tensor::bool_scalar(optional_of(call.value("input")).value != nullptr);
}

Tensor optional_has_element_18(const OpCall& call) {
  const Value& input = call.value("input");
  return input.is_optional() ? optional_has_element_15(call) : Tensor::bool_scalar(input.exists());
}

}  // namespace

const Operator kOptional{"ai.onnx", "Optional", {
    {.since = 15, .also = {28}, .run = optional_15},
}};
const Operator kOptionalGetElement{"ai.onnx", "OptionalGetElement", {
    {.since = 15, .run = optional_get_element_15},
    {.since = 18, .also = {28}, .run = optional_get_element_18},
}};
const Operator kOptionalHasElement{"ai.onnx", "OptionalHasElement", {
    {.since = 15, .run = optional_has_element_15},
    {.since = 18, .also = {28}, .run = optional_has_element_18},
}};

}  // namespace onnxv
