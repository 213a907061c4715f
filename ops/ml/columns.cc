#include "ops/ml/columns.h"

#include "src/tensor/index.h"

namespace onnxv {

std::vector<Extended> exact_values(const Tensor& tensor) {
  std::vector<Extended> values;
  values.reserve(tensor.size());
  if (is_integer(tensor.dtype())) {
    for (int64_t value : int64_values(tensor)) values.emplace_back(value);
  } else {
    for (double value : double_values(tensor)) values.push_back(Extended::from_double(value));
  }
  return values;
}

std::vector<Extended> exact_values(const std::vector<float>& values) {
  std::vector<Extended> exact;
  exact.reserve(values.size());
  for (float value : values) exact.push_back(Extended::from_double(value));
  return exact;
}

Extended exact_value(const Tensor& tensor, size_t element) {
  const uint64_t code = tensor.code(element);
  if (is_float(tensor.dtype())) return Extended::from_double(decode(float_format(tensor.dtype()), code));
  const IntegerFormat format{dtype_bits(tensor.dtype()), is_signed_integer(tensor.dtype())};
  return Extended(static_cast<int64_t>(decode_integer(format, code)));
}

Tensor rounded_to_float(Shape shape, const std::vector<Extended>& values) {
  Tensor tensor(DType::kFloat, std::move(shape));
  const std::span<uint32_t> codes = tensor.mutable_as<uint32_t>();
  for (size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<uint32_t>(values[i].encode(kFloat32));
  return tensor;
}

Rows rows_of(const Tensor& tensor, std::string_view port) {
  if (tensor.rank() == 1) return {1, tensor.shape()[0]};
  if (tensor.rank() == 2) return {tensor.shape()[0], tensor.shape()[1]};
  fail_schema("shape-mismatch", std::string(port) + " has shape " + tensor.shape().text(), "must be [N,F] or [F]");
}

int64_t feature_count(const Tensor& tensor, std::string_view port) {
  if (tensor.rank() == 0) fail_schema("shape-mismatch", std::string(port) + " is a scalar", "must have features");
  return tensor.shape().back();
}

size_t target_count(int64_t targets, std::string_view name) {
  constexpr int64_t kMost = int64_t{1} << 24;
  if (targets < 1) {
    fail_schema("attribute-range", std::string(name) + " is " + std::to_string(targets), "must be at least 1");
  }
  if (targets > kMost) {
    fail_limit("target-count", std::string(name) + " is " + std::to_string(targets),
               "must be at most " + std::to_string(kMost));
  }
  return static_cast<size_t>(targets);
}

Tensor one_list_of(const OpCall& call, std::string_view integers, std::string_view texts) {
  if (call.has_attribute(integers) == call.has_attribute(texts)) {
    fail_schema("attribute-missing", std::string(integers) + " and " + std::string(texts) +
                " are both given or both absent", "exactly one must be given");
  }
  if (call.has_attribute(integers)) return Tensor::int64_list(call.integers(integers));
  std::vector<std::string> strings = call.texts(texts);
  const auto count = static_cast<int64_t>(strings.size());
  return Tensor(Shape{count}, std::move(strings));
}

}  // namespace onnxv
