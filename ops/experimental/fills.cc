// ConstantFill: one value over a shape. GivenTensorFill: the attribute `values` over a shape,
// row-major. The shape is the attribute `shape`, or that of the input, or the input's values
// (input_as_shape), with extra_shape behind the last two.
#include "ops/experimental/family.h"
#include "src/number/format.h"
#include "src/number/rational.h"
#include "src/tensor/axis_map.h"
#include "src/tensor/index.h"

namespace onnxv {
namespace {

// The integer that `value` is; undefined error otherwise.
int64_t dimension(double value) {
  if (is_finite(value) && value >= 0) {
    const Rational exact = Rational::from_double(value);
    const BigInt whole = exact.truncated();
    if (exact == Rational(whole, 1) && whole.bit_length() < 63)
      return static_cast<int64_t>(whole.low_bits());
  }
  fail_undefined("input-range", "a dimension is " + std::to_string(value),
                 "must be an integer of 0 or more");
}

Shape values_as_shape(const Tensor& input) {
  if (input.rank() != 1) {
    fail_schema("rank-mismatch", "the input has shape " + input.shape().text(),
                "must have rank 1 to be a shape");
  }
  Shape shape;
  if (is_integer(input.dtype())) {
    for (int64_t dim : int64_values(input)) {
      if (dim < 0)
        fail_undefined("input-range", "a dimension is " + std::to_string(dim), "must be 0 or more");
      shape.push_back(dim);
    }
    return shape;
  }
  for (double value : double_values(input)) shape.push_back(dimension(value));
  return shape;
}

Shape attribute_shape(const OpCall& call, std::string_view name) {
  const Shape shape(call.integers(name));
  for (int64_t dim : shape) {
    if (dim < 0)
      fail_schema("attribute-range", std::string(name) + " is " + shape.text(),
                  "must not be negative");
  }
  return shape;
}

Shape filled_shape(const OpCall& call, std::string_view port) {
  const Tensor* input = call.optional_tensor(port);
  const bool by_attribute = call.has_attribute("shape");
  if (by_attribute == (input != nullptr)) {
    fail_schema("attribute-conflict",
                by_attribute ? "both a shape and an input are given"
                             : "neither a shape nor an input is given",
                "exactly one must be");
  }
  if (by_attribute) {
    if (!call.integers("extra_shape").empty()) {
      fail_schema("attribute-conflict", "extra_shape is given with shape",
                  "it extends an input alone");
    }
    return attribute_shape(call, "shape");
  }
  Shape shape =
      call.integer_or("input_as_shape", 0) != 0 ? values_as_shape(*input) : input->shape();
  for (int64_t dim : attribute_shape(call, "extra_shape")) shape.push_back(dim);
  return shape;
}

// A float attribute as an element, integers cut toward zero.
Tensor element_of(DType dtype, double value) {
  Tensor element(dtype, Shape{});
  if (is_float(dtype)) {
    element.set_code(
        0, encode(float_format(dtype), {value, 0}, Rounding::kNearestEven, Overflow::kInfinity));
  } else if (dtype == DType::kBool) {
    element.set_code(0, value != 0 ? 1 : 0);
  } else {
    const IntegerFormat format{dtype_bits(dtype), true};
    const BigInt whole =
        is_finite(value) ? Rational::from_double(value).truncated() : BigInt(0);
    if (!is_finite(value) || whole < BigInt::from_int128(smallest_integer(format)) ||
        BigInt::from_int128(largest_integer(format)) < whole) {
      fail_schema("attribute-range", "value is " + std::to_string(value),
                  "must fit " + std::string(dtype_name(dtype)));
    }
    element.set_code(0, whole.low_bits());
  }
  return element;
}

Tensor constant_fill_1(const OpCall& call) {
  const int64_t number = call.integer_or("dtype", static_cast<int64_t>(DType::kFloat));
  const std::optional<DType> dtype = dtype_from_number(number);
  if (dtype != DType::kFloat && dtype != DType::kInt32 && dtype != DType::kInt64 &&
      dtype != DType::kBool) {
    fail_schema("attribute-range", "dtype is " + std::to_string(number),
                "must be float, int32, int64 or bool");
  }
  return filled(element_of(*dtype, call.real_or("value", 0)), filled_shape(call, "input"));
}

// Choice: the output's type is the one that the graph declares, if it is a float type; else
// float32.
DType given_type(const OpCall& call) {
  const Type* declared = call.declared_output_type(0);
  if (declared == nullptr || declared->kind != Type::Kind::kTensor) return DType::kFloat;
  const DType dtype = declared->dtype;
  return dtype == DType::kFloat16 || dtype == DType::kDouble ? dtype : DType::kFloat;
}

Tensor given_tensor_fill_1(const OpCall& call) {
  const Shape shape = filled_shape(call, "shape");
  if (!call.has_attribute("values")) {
    fail_schema("attribute-missing", "attribute \"values\" is absent", "is required");
  }
  const std::vector<float> values = call.reals("values");
  if (shape.elements() != static_cast<int64_t>(values.size())) {
    fail_schema("shape-mismatch", "values has " + std::to_string(values.size()) + " elements",
                "must fill shape " + shape.text());
  }
  Tensor out(given_type(call), shape);
  for (size_t i = 0; i < values.size(); ++i) {
    out.set_code(i, encode(float_format(out.dtype()), {values[i], 0}, Rounding::kNearestEven,
                           Overflow::kInfinity));
  }
  return out;
}

}  // namespace

const Operator kConstantFill{"ai.onnx", "ConstantFill", {
    {.since = 1, .run = constant_fill_1},
}};

const Operator kGivenTensorFill{"ai.onnx", "GivenTensorFill", {
    {.since = 1, .run = given_tensor_fill_1},
}};

}  // namespace onnxv
