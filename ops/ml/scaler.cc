// Scaler: y = (x - offset) scale, per feature or for all.
//   since 1
#include "src/number/formula.h"

namespace onnxv {
namespace {

constexpr auto scaled = []<class Real>(Real x, Real offset, Real scale) -> Real { return (x - offset) * scale; };

}  // namespace
ELEMENTWISE_FORMULA(kScaled, scaled, 3)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include "ops/ml/columns.h"
#include "ops/ml/ml.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

Tensor per_feature(const OpCall& call, std::string_view name, int64_t features) {
  // The text gives no default for either list.
  if (!call.has_attribute(name)) fail_schema("attribute-missing", std::string(name) + " is absent", "is required");
  const std::vector<float> list = call.reals(name);
  if (list.size() != 1 && list.size() != static_cast<size_t>(features)) {
    fail_schema("list-length", std::string(name) + " has " + std::to_string(list.size()) + " entries",
                "must have 1 or " + std::to_string(features));
  }
  return Tensor::of<float>(DType::kFloat, {static_cast<int64_t>(list.size())}, list);
}

Tensor scaler_1(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  const int64_t features = feature_count(x);
  const Tensor offset = per_feature(call, "offset", features);
  const Tensor scale = per_feature(call, "scale", features);
  if (offset.size() != scale.size()) {
    fail_schema("list-length", "offset has " + std::to_string(offset.size()) + " entries, scale " +
                std::to_string(scale.size()), "must have as many");
  }
  const Tensor operands[] = {x, offset, scale};
  return map_elements(kScaled, DType::kFloat, operands);
}

}  // namespace

const Operator kScaler{"ai.onnx.ml", "Scaler", {
    {.since = 1, .run = scaler_1},
}};

}  // namespace onnxv
#endif
