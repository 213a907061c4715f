// Sigmoid: y = 1 / (1 + e^-x).
//   since 1   float16, float, double; 13 adds bfloat16.
#include "src/number/formula.h"

namespace onnxv {
namespace {

// With e = exp(-|x|) <= 1 nothing overflows: 1 / (1 + e) for x >= 0, e / (1 + e) for x < 0.
constexpr auto sigmoid = []<class Real>(Real x) -> Real {
  const Real e = exp(-abs(x));
  return select(x < Real(0.0), e, Real(1.0)) / (Real(1.0) + e);
};
[[maybe_unused]] constexpr auto sigmoid_text = []<class Real>(Real x) -> Real { return Real(1.0) / (Real(1.0) + exp(-x)); };

}  // namespace
ELEMENTWISE_FORMULA(kSigmoidFormula, sigmoid, 1, sigmoid_text)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include "ops/operator.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

Tensor sigmoid_1(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  return map_elements(kSigmoidFormula, x.dtype(), {&x, 1});
}

}  // namespace

extern const Operator kSigmoid;
const Operator kSigmoid{"ai.onnx", "Sigmoid", {{.since = 1, .also = {6, 13}, .run = sigmoid_1}}};

}  // namespace onnxv
#endif
