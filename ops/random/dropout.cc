// Dropout (1, 6, 7, 10, 12, 13, 22): a copy, or in training x / (1 - ratio) where an element is kept.
//   since 1   is_test (0, the default, is training) and ratio are attributes (6: no consumed_inputs)
//   since 7   inference only; the mask has T's type (10: Bool)
//   since 12  ratio and training_mode are inputs
#include "src/number/formula.h"

namespace onnxv {
namespace {

// kept: 1 or 0. A dropped element is x * 0: NaN for an infinity.
constexpr auto drop = []<class Real>(Real x, Real kept, Real ratio) -> Real {
  return select(kept == Real(1.0), x / (Real(1.0) - ratio), x * Real(0.0));
};

}  // namespace
ELEMENTWISE_FORMULA(kDropoutFormula, drop, 3)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include "ops/operator.h"
#include "ops/random/mersenne_twister.h"
#include "src/tensor/index.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

Tensor all_kept(DType dtype, const Shape& shape) {
  Tensor mask(dtype, shape);
  const uint64_t one = dtype == DType::kBool ? 1 : settle_exact(target_of(dtype), 1.0);
  for (size_t i = 0; i < mask.size(); ++i) mask.set_code(i, one);
  return mask;
}

// Choice: the seed of a node that has none is derived from the command's --seed and the node's path.
uint64_t seed_of(const OpCall& call) {
  if (call.has_attribute("seed")) return static_cast<uint64_t>(call.integer("seed"));
  uint64_t hash = 1469598103934665603U ^ call.seed();
  for (const char c : call.path()) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return hash;
}

bool is_ratio(double ratio) { return ratio >= 0 && ratio < 1; }
std::string ratio_text(double ratio) { return "ratio is " + std::to_string(ratio); }

// Y and the mask as Bool. Official data: kept where numpy's RandomState(seed).uniform() >= ratio, row-major.
Outputs trained(const OpCall& call, const Tensor& x, double ratio) {
  if (!is_ratio(ratio)) fail_undefined("dropout-ratio", ratio_text(ratio), "must be in [0, 1)");
  Tensor mask = all_kept(DType::kBool, x.shape());
  if (ratio == 0) return {x, mask};
  MersenneTwister random(static_cast<uint32_t>(seed_of(call)));
  std::vector<double> kept(x.size());
  const std::span<uint8_t> bits = mask.mutable_as<uint8_t>();
  for (size_t i = 0; i < kept.size(); ++i) {
    bits[i] = random.next_is_at_least(ratio) ? 1 : 0;
    kept[i] = bits[i];
  }
  Tensor y(x.dtype(), x.shape());
  LineJob(kDropoutFormula, y.size())
      .lines_of(x, LineLayout::elements(x.size()))
      .computed(1, [&](size_t line, double* value) { *value = kept[line]; })
      .constants({ratio})
      .lines_to(&y, LineLayout::elements(y.size()))
      .run();
  return {y, mask};
}

Outputs dropout_1(const OpCall& call) {
  const Tensor& x = call.tensor("data");
  if (call.integer("is_test") != 0) {
    // Spec: the mask is not filled in test mode.
    call.mark_unspecified(1, "dropout-test-mask");
    return {x, all_kept(x.dtype(), x.shape())};
  }
  const double ratio = call.real("ratio");
  if (!is_ratio(ratio)) fail_schema("attribute-range", ratio_text(ratio), "must be in [0, 1)");
  const Outputs bits = trained(call, x, ratio);
  Tensor mask(x.dtype(), x.shape());
  const uint64_t one = settle_exact(target_of(x.dtype()), 1.0);
  for (size_t i = 0; i < mask.size(); ++i) mask.set_code(i, bits[1].tensor().code(i) != 0 ? one : 0);
  return {bits[0], mask};
}

Outputs dropout_7(const OpCall& call) {
  const Tensor& x = call.tensor("data");
  return {x, all_kept(call.since_version() >= 10 ? DType::kBool : x.dtype(), x.shape())};
}

Outputs dropout_12(const OpCall& call) {
  const Tensor& x = call.tensor("data");
  const Tensor* training = call.optional_tensor("training_mode");
  if (training == nullptr || !bool_value(*training, "training_mode")) return {x, all_kept(DType::kBool, x.shape())};
  const Tensor* ratio = call.optional_tensor("ratio");
  return trained(call, x, ratio == nullptr ? 0.5 : double_value(*ratio, "ratio"));
}

}  // namespace

extern const Operator kDropout;
const Operator kDropout{"ai.onnx", "Dropout",
                        {{.since = 1, .also = {6}, .run = dropout_1},
                         {.since = 7, .also = {10}, .run = dropout_7},
                         {.since = 12, .also = {13, 22}, .run = dropout_12}}};

}  // namespace onnxv
#endif
