// Sigmoid: y = 1 / (1 + e^-x).
//   since 1   float16, float, double; 13 adds bfloat16.
#include "src/number/sigmoid.h"

namespace onnxv {
namespace {

constexpr auto logistic = []<class Real>(Real x) -> Real { return sigmoid(x); };
[[maybe_unused]] constexpr auto sigmoid_text = []<class Real>(Real x) -> Real { return Real(1.0) / (Real(1.0) + exp(-x)); };

}  // namespace
ELEMENTWISE_FORMULA(kSigmoidFormula, logistic, 1, sigmoid_text)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include "ops/operator.h"
#include "src/tensor/float_elements.h"

namespace onnxv {
namespace {

Tensor sigmoid_1(const OpCall& call) {
  return map_function(FloatFunction::kSigmoid, kSigmoidFormula, call.tensor("X"));
}

}  // namespace

extern const Operator kSigmoid;
const Operator kSigmoid{"ai.onnx", "Sigmoid", {{.since = 1, .also = {6, 13}, .run = sigmoid_1}}};

}  // namespace onnxv
#endif
