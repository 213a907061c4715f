// LabelEncoder: maps each element by a list of keys and a parallel list of values.
//   since 1   strings to their place in one list, or places to strings.
//   since 2   keys and values of float, int64 or string; keys are compared bit by bit.
//   since 4   also int16, int32 and double, by tensor attributes; a NaN key is any NaN, -0 is +0.
#include <array>
#include <unordered_map>

#include "ops/ml/ml.h"
#include "src/number/extended.h"
#include "src/tensor/index.h"

namespace onnxv {
namespace {

Tensor text_list(std::vector<std::string> texts) {
  const auto count = static_cast<int64_t>(texts.size());
  return Tensor(Shape{count}, std::move(texts));
}

Tensor label_encoder_1(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  const std::vector<std::string> classes = call.texts("classes_strings");
  if (!x.is_string()) {
    std::vector<int64_t> source;
    for (int64_t index : x.as<int64_t>()) {
      source.push_back(index >= 0 && index < static_cast<int64_t>(classes.size()) ? index : -1);
    }
    const Tensor missing(Shape{}, std::vector<std::string>{call.text("default_string")});
    return gather_elements(text_list(classes), x.shape(), source, &missing);
  }
  std::unordered_map<std::string, int64_t> first;
  for (size_t i = 0; i < classes.size(); ++i) first.emplace(classes[i], static_cast<int64_t>(i));
  Tensor y(DType::kInt64, x.shape());
  const std::span<int64_t> out = y.mutable_as<int64_t>();
  for (size_t i = 0; i < out.size(); ++i) {
    const auto found = first.find(x.strings()[i]);
    out[i] = found != first.end() ? found->second : call.integer("default_int64");
  }
  return y;
}

bool is_label_type(DType dtype) {
  return dtype == DType::kFloat || dtype == DType::kDouble || dtype == DType::kInt16 || dtype == DType::kInt32 ||
         dtype == DType::kInt64 || dtype == DType::kString;
}

// The one list of the family "keys" or "values" that is given, as a 1-D tensor.
Tensor given_list(const OpCall& call, const std::string& family) {
  const std::array<std::string, 4> names{family + "_floats", family + "_int64s", family + "_strings",
                                         family + "_tensor"};
  int given = 0;
  for (const std::string& name : names) given += call.has_attribute(name) ? 1 : 0;
  if (given != 1) {
    fail_schema("attribute-missing", std::to_string(given) + " attributes " + family + "_* are given",
                "exactly one must be");
  }
  if (call.has_attribute(names[0])) {
    const std::vector<float> list = call.reals(names[0]);
    return Tensor::of<float>(DType::kFloat, {static_cast<int64_t>(list.size())}, list);
  }
  if (call.has_attribute(names[1])) return Tensor::int64_list(call.integers(names[1]));
  if (call.has_attribute(names[2])) return text_list(call.texts(names[2]));
  const Tensor& tensor = *call.tensor_attribute(names[3]);
  if (tensor.rank() != 1 || !is_label_type(tensor.dtype())) {
    fail_schema("attribute-value", names[3] + " is " + std::string(dtype_name(tensor.dtype())) +
                tensor.shape().text(), "must be 1-D of a type that LabelEncoder allows");
  }
  return tensor;
}

// Spec: -1, -0.0 or "_Unused" in the type of the values. A default_* of another type does not count.
Tensor default_value(const OpCall& call, const Tensor& values) {
  const Tensor* given = call.tensor_attribute("default_tensor");
  if (given != nullptr && given->dtype() == values.dtype()) {
    if (given->size() != 1) {
      fail_schema("attribute-value", "default_tensor has shape " + given->shape().text(), "must have one element");
    }
    return given->reshaped({});
  }
  const bool listed = !call.has_attribute("values_tensor");
  if (values.is_string()) {
    return Tensor(Shape{}, std::vector<std::string>{listed ? call.text("default_string") : "_Unused"});
  }
  Tensor value(values.dtype(), {});
  if (is_float(values.dtype())) {
    const double real = listed ? call.real("default_float") : -0.0;
    value.set_code(0, Extended::from_double(real).encode(float_format(values.dtype())));
  } else {
    value.set_code(0, static_cast<uint64_t>(listed ? call.integer("default_int64") : -1));
  }
  return value;
}

// A bit pattern that is equal for keys that are equal.
uint64_t key_of(const Tensor& tensor, size_t element, bool bitwise) {
  const uint64_t code = tensor.code(element);
  if (bitwise || !is_float(tensor.dtype())) return code;
  const Format& format = float_format(tensor.dtype());
  if (is_nan(format, code)) return format.canonical_nan;
  return decode(format, code) == 0 ? 0 : code;
}

// The place of each element of x among the keys; of a repeated key the last.
std::vector<int64_t> places(const Tensor& keys, const Tensor& x, bool bitwise) {
  std::vector<int64_t> source(x.size(), -1);
  if (keys.is_string()) {
    std::unordered_map<std::string, int64_t> known;
    for (size_t i = 0; i < keys.size(); ++i) known[keys.strings()[i]] = static_cast<int64_t>(i);
    for (size_t i = 0; i < x.size(); ++i) {
      const auto found = known.find(x.strings()[i]);
      if (found != known.end()) source[i] = found->second;
    }
    return source;
  }
  std::unordered_map<uint64_t, int64_t> known;
  for (size_t i = 0; i < keys.size(); ++i) known[key_of(keys, i, bitwise)] = static_cast<int64_t>(i);
  for (size_t i = 0; i < x.size(); ++i) {
    const auto found = known.find(key_of(x, i, bitwise));
    if (found != known.end()) source[i] = found->second;
  }
  return source;
}

Tensor encoded(const OpCall& call, bool bitwise) {
  const Tensor& x = call.tensor("X");
  const Tensor keys = given_list(call, "keys");
  const Tensor values = given_list(call, "values");
  if (keys.dtype() != x.dtype()) {
    fail_schema("type-mismatch", "X is " + std::string(dtype_name(x.dtype())),
                "must be " + std::string(dtype_name(keys.dtype())) + " as the keys");
  }
  if (keys.size() != values.size()) {
    fail_schema("list-length", "there are " + std::to_string(keys.size()) + " keys and " +
                std::to_string(values.size()) + " values", "must be as many");
  }
  const Tensor missing = default_value(call, values);
  return gather_elements(values, x.shape(), places(keys, x, bitwise), &missing);
}

Tensor label_encoder_2(const OpCall& call) { return encoded(call, true); }
Tensor label_encoder_4(const OpCall& call) { return encoded(call, false); }

}  // namespace

const Operator kLabelEncoder{"ai.onnx.ml", "LabelEncoder", {
    {.since = 1, .run = label_encoder_1},
    {.since = 2, .run = label_encoder_2},
    {.since = 4, .run = label_encoder_4},
}};

}  // namespace onnxv
