// OneHotEncoder: y[…, k] = 1 where x is the k-th category, else 0.
//   since 1
#include <unordered_map>

#include "ops/ml/columns.h"
#include "ops/ml/ml.h"
#include "src/tensor/index.h"

namespace onnxv {
namespace {

// Spec: floats are "cast to integers": toward zero. What no int64 holds is no category.
std::vector<std::optional<int64_t>> as_integers(const Tensor& x) {
  std::vector<std::optional<int64_t>> integers;
  if (is_integer(x.dtype())) {
    for (int64_t value : int64_values(x)) integers.emplace_back(value);
    return integers;
  }
  for (const Extended& value : exact_values(x)) {
    const BigInt whole = value.is_finite() ? value.rational().truncated() : BigInt(0);
    const bool fits = value.is_finite() && whole >= BigInt(INT64_MIN) && whole <= BigInt(INT64_MAX);
    integers.push_back(fits ? std::optional<int64_t>(static_cast<int64_t>(whole.low_bits())) : std::nullopt);
  }
  return integers;
}

// The category's index of each element, -1 where it is none.
// Choice: of a repeated category the last counts.
std::vector<int64_t> category_indices(const Tensor& x, const Tensor& categories) {
  std::vector<int64_t> indices;
  if (x.is_string()) {
    std::unordered_map<std::string, int64_t> known;
    for (size_t i = 0; i < categories.size(); ++i) known[categories.strings()[i]] = static_cast<int64_t>(i);
    for (const std::string& text : x.strings()) {
      const auto found = known.find(text);
      indices.push_back(found == known.end() ? -1 : found->second);
    }
    return indices;
  }
  std::unordered_map<int64_t, int64_t> known;
  for (size_t i = 0; i < categories.size(); ++i) known[categories.as<int64_t>()[i]] = static_cast<int64_t>(i);
  for (const std::optional<int64_t>& value : as_integers(x)) {
    const auto found = value ? known.find(*value) : known.end();
    indices.push_back(found == known.end() ? -1 : found->second);
  }
  return indices;
}

Tensor one_hot_encoder_1(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  const Tensor categories = one_list_of(call, "cats_int64s", "cats_strings");
  if (categories.is_string() != x.is_string()) {
    fail_schema("type-mismatch", "X is " + std::string(dtype_name(x.dtype())),
                "must be a string with cats_strings, a number with cats_int64s");
  }
  Shape shape = x.shape();
  shape.push_back(static_cast<int64_t>(categories.size()));
  Tensor y(DType::kFloat, shape);
  const std::span<uint32_t> codes = y.mutable_as<uint32_t>();
  const auto one = static_cast<uint32_t>(Extended(1).encode(kFloat32));
  const std::vector<int64_t> indices = category_indices(x, categories);
  for (size_t i = 0; i < indices.size(); ++i) {
    if (indices[i] >= 0) {
      codes[i * categories.size() + static_cast<size_t>(indices[i])] = one;
    } else if (call.integer("zeros") == 0) {
      fail_undefined("unknown-category", "element " + std::to_string(i) + " of X is no category",
                     "must be one where zeros is 0");
    }
  }
  return y;
}

}  // namespace

const Operator kOneHotEncoder{"ai.onnx.ml", "OneHotEncoder", {
    {.since = 1, .run = one_hot_encoder_1},
}};

}  // namespace onnxv
