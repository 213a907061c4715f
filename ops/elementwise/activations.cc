// Activations whose formula stands in the text in one line.
#include "src/number/sigmoid.h"

namespace onnxv {
namespace {

constexpr auto relu = []<class Real>(Real x) -> Real { return max(x, Real(0.0)); };
// x = -0 and NaN are not below 0: they pass unchanged.
constexpr auto leaky_relu = []<class Real>(Real x, Real alpha) -> Real { return select(x < Real(0.0), alpha * x, x); };
// The side that is not needed must not overflow: min(x, 0).
constexpr auto elu = []<class Real>(Real x, Real alpha) -> Real {
  return select(x < Real(0.0), alpha * expm1(min(x, Real(0.0))), x);
};
// Spec: the exponential branch is x <= 0, so that -0 gives gamma * (alpha * e^-0 - alpha) = +0.
// gamma * (alpha * e^x - alpha): the difference keeps the sign of zero that the text's subtraction has, and is NaN for an infinite alpha.
constexpr auto selu = []<class Real>(Real x, Real alpha, Real gamma) -> Real {
  const Real below = gamma * (alpha * expm1(min(x, Real(0.0))) + (alpha - alpha));
  return select(x > Real(0.0), gamma * x, below);
};
// max(0, x) + min(0, alpha * (exp(x / alpha) - 1)). For alpha > 0 a positive x makes the second term 0.
constexpr auto celu = []<class Real>(Real x, Real alpha) -> Real {
  return max(Real(0.0), x) + min(Real(0.0), alpha * expm1(select(alpha > Real(0.0), min(x, Real(0.0)), x) / alpha));
};
constexpr auto hard_sigmoid = []<class Real>(Real x, Real alpha, Real beta) -> Real {
  return max(Real(0.0), min(Real(1.0), alpha * x + beta));
};
// x * max(0, min(1, x/6 + 1/2)) = x * max(0, min(6, x + 3)) / 6: the same real, with one division.
constexpr auto hard_swish = []<class Real>(Real x) -> Real {
  return x * max(Real(0.0), min(Real(6.0), x + Real(3.0))) / Real(6.0);
};
// ln(e^x + 1) = max(x, 0) + ln(1 + e^-|x|): nothing overflows, and no digit is lost where e^x is small.
constexpr auto softplus = []<class Real>(Real x) -> Real {
  return select(x < Real(0.0), log1p(exp(min(x, Real(0.0)))), x + log1p(exp(-max(x, Real(0.0)))));
};
constexpr auto softsign = []<class Real>(Real x) -> Real { return x / (Real(1.0) + abs(x)); };
// x * sigmoid(alpha x).
constexpr auto swish = []<class Real>(Real x, Real alpha) -> Real {
  return x * sigmoid(alpha * x);
};
constexpr auto swiglu = []<class Real>(Real a, Real b, Real alpha) -> Real {
  return a * sigmoid(alpha * a) * b;
};
// x * tanh(ln(1 + e^x)). With n = e^x: tanh(ln(1 + n)) = (n² + 2n) / (n² + 2n + 2); for x > 0 both halves times e^-2x.
constexpr auto mish = []<class Real>(Real x) -> Real {
  const Real n = exp(min(x, Real(0.0))), below = n * (n + Real(2.0));
  const Real e = exp(-max(x, Real(0.0))), above = Real(1.0) + Real(2.0) * e;
  return x * select(x < Real(0.0), below / (below + Real(2.0)), above / (above + Real(2.0) * e * e));
};
// x/2 * (1 + erf(x / sqrt 2)) = x/2 * erfc(-x / sqrt 2), which keeps its digits far below 0.
constexpr auto gelu = []<class Real>(Real x) -> Real {
  return Real(0.5) * x * erfc(-x / sqrt(Real(2.0)));
};
// x/2 * (1 + tanh(u)), u = sqrt(2/pi) (x + 0.044715 x³); 1 + tanh(u) = 2 / (1 + e^-2u).
constexpr auto gelu_tanh = []<class Real>(Real x) -> Real {
  const Real u = sqrt(Real(2.0) / pi(x)) * (x + Real(44715.0) * x * x * x / Real(1000000.0));
  return x * sigmoid(Real(2.0) * u);
};

// ---- the texts' own forms, for the tolerance ----

[[maybe_unused]] constexpr auto elu_text = []<class Real>(Real x, Real alpha) -> Real {
  return select(x < Real(0.0), alpha * (exp(min(x, Real(0.0))) - Real(1.0)), x);
};
[[maybe_unused]] constexpr auto selu_text = []<class Real>(Real x, Real alpha, Real gamma) -> Real {
  return select(x > Real(0.0), gamma * x, gamma * (alpha * exp(min(x, Real(0.0))) - alpha));
};
[[maybe_unused]] constexpr auto celu_text = []<class Real>(Real x, Real alpha) -> Real {
  const Real below = select(alpha > Real(0.0), min(x, Real(0.0)), x);
  return max(Real(0.0), x) + min(Real(0.0), alpha * (exp(below / alpha) - Real(1.0)));
};
[[maybe_unused]] constexpr auto hard_swish_text = []<class Real>(Real x) -> Real {
  return x * max(Real(0.0), min(Real(1.0), Real(1.0) / Real(6.0) * x + Real(0.5)));
};
// The function bodies hold their constants in float32, whatever the type of x.
[[maybe_unused]] constexpr auto hard_swish_body = []<class Real>(Real x) -> Real {
  return x * max(Real(0.0), min(Real(1.0), Real(double{1.0F / 6.0F}) * x + Real(0.5)));
};
[[maybe_unused]] constexpr auto softplus_text = []<class Real>(Real x) -> Real { return log(exp(x) + Real(1.0)); };
[[maybe_unused]] constexpr auto swish_text = []<class Real>(Real x, Real alpha) -> Real {
  return x * (Real(1.0) / (Real(1.0) + exp(-(alpha * x))));
};
[[maybe_unused]] constexpr auto swiglu_text = []<class Real>(Real a, Real b, Real alpha) -> Real {
  return a * (Real(1.0) / (Real(1.0) + exp(-(alpha * a)))) * b;
};
[[maybe_unused]] constexpr auto mish_text = []<class Real>(Real x) -> Real { return x * tanh(log(exp(x) + Real(1.0))); };
[[maybe_unused]] constexpr auto mish_softplus = []<class Real>(Real x) -> Real { return x * tanh(softplus(x)); };
[[maybe_unused]] constexpr auto gelu_text = []<class Real>(Real x) -> Real {
  return Real(0.5) * x * (Real(1.0) + erf(x / sqrt(Real(2.0))));
};
[[maybe_unused]] constexpr auto gelu_tanh_text = []<class Real>(Real x) -> Real {
  const Real u = sqrt(Real(2.0) / pi(x)) * (x + Real(44715.0) / Real(1000000.0) * (x * x * x));
  return Real(0.5) * x * (Real(1.0) + tanh(u));
};
[[maybe_unused]] constexpr auto gelu_tanh_body = []<class Real>(Real x) -> Real {
  const Real u = sqrt(Real(double{0.63661975F})) * (x + Real(double{0.044715F}) * (x * x * x));
  return Real(0.5) * x * (Real(1.0) + tanh(u));
};

constexpr auto thresholded_relu = []<class Real>(Real x, Real alpha) -> Real { return select(x > alpha, x, Real(0.0)); };
constexpr auto shrink = []<class Real>(Real x, Real bias, Real lambd) -> Real {
  return select(x < -lambd, x + bias, select(x > lambd, x - bias, Real(0.0)));
};
constexpr auto prelu = []<class Real>(Real x, Real slope) -> Real { return select(x < Real(0.0), slope * x, x); };

}  // namespace
EXACT_FORMULA(kReluFormula, relu, 1)
IEEE_FORMULA(kLeakyReluFormula, leaky_relu, 2)
ELEMENTWISE_FORMULA(kEluFormula, elu, 2, elu_text)
ELEMENTWISE_FORMULA(kSeluFormula, selu, 3, selu_text)
ELEMENTWISE_FORMULA(kCeluFormula, celu, 2, celu_text)
ELEMENTWISE_FORMULA(kHardSigmoidFormula, hard_sigmoid, 3)
ELEMENTWISE_FORMULA(kHardSwishFormula, hard_swish, 1, hard_swish_text, hard_swish_body)
ELEMENTWISE_FORMULA(kSoftplusFormula, softplus, 1, softplus_text)
ELEMENTWISE_FORMULA(kSoftsignFormula, softsign, 1)
ELEMENTWISE_FORMULA(kSwishFormula, swish, 2, swish_text)
ELEMENTWISE_FORMULA(kSwiGLUFormula, swiglu, 3, swiglu_text)
ELEMENTWISE_FORMULA(kMishFormula, mish, 1, mish_text, mish_softplus)
ELEMENTWISE_FORMULA(kGeluFormula, gelu, 1, gelu_text)
ELEMENTWISE_FORMULA(kGeluTanhFormula, gelu_tanh, 1, gelu_tanh_text, gelu_tanh_body)
EXACT_FORMULA(kThresholdedReluFormula, thresholded_relu, 2)
IEEE_FORMULA(kShrinkFormula, shrink, 3)
IEEE_FORMULA(kPReluFormula, prelu, 2)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include <algorithm>

#include "ops/elementwise/integers.h"
#include "ops/operator.h"
#include "src/base/parallel.h"
#include "src/number/bound.h"
#include "src/number/float_arithmetic.h"
#include "src/number/rational.h"
#include "src/number/settled_lines.h"
#include "src/tensor/float_elements.h"

namespace onnxv {
namespace {

// The formula over the only input and the attributes named, in the formula's order.
Tensor activation(const OpCall& call, const Formula& formula, std::initializer_list<const char*> attributes) {
  const Tensor& x = call.inputs()[0].tensor();
  std::vector<double> constants;
  for (const char* attribute : attributes) constants.push_back(call.real(attribute));
  return map_elements(formula, x.dtype(), {&x, 1}, std::move(constants));
}

Tensor relu_1(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  if (is_integer(x.dtype())) return map_integers(x, x.dtype(), [](int128 v) { return std::max<int128>(v, 0); });
  if (x.dtype() == DType::kFloat && ToleranceScope::current() == nullptr) {
    Tensor y = Tensor::unfilled(x.dtype(), x.shape());
    count_settled(x.size(), x.size());
    const float* from = x.as<float>().data();
    float* to = y.mutable_as<float>().data();
    parallel_for(x.size(), size_t{1} << 15, [&](size_t begin, size_t end) { rectify_floats(from + begin, end - begin, to + begin); });
    return y;
  }
  return activation(call, kReluFormula, {});
}
Tensor leaky_relu_1(const OpCall& call) { return activation(call, kLeakyReluFormula, {"alpha"}); }
Tensor elu_1(const OpCall& call) { return activation(call, kEluFormula, {"alpha"}); }
Tensor selu_1(const OpCall& call) { return activation(call, kSeluFormula, {"alpha", "gamma"}); }
Tensor celu_12(const OpCall& call) { return activation(call, kCeluFormula, {"alpha"}); }
Tensor hard_sigmoid_1(const OpCall& call) { return activation(call, kHardSigmoidFormula, {"alpha", "beta"}); }
Tensor hard_swish_14(const OpCall& call) { return activation(call, kHardSwishFormula, {}); }
Tensor softplus_1(const OpCall& call) { return activation(call, kSoftplusFormula, {}); }
Tensor softsign_1(const OpCall& call) { return activation(call, kSoftsignFormula, {}); }
Tensor swish_24(const OpCall& call) { return activation(call, kSwishFormula, {"alpha"}); }
Tensor mish_18(const OpCall& call) { return activation(call, kMishFormula, {}); }
Tensor thresholded_relu_1(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  // Choice: version 1 names no default for alpha; the later ones say 1.
  return map_elements(kThresholdedReluFormula, x.dtype(), {&x, 1}, {call.real_or("alpha", 1.0)});
}

Tensor gelu_20(const OpCall& call) {
  const std::string& approximate = call.text("approximate");
  if (approximate == "none") return map_function(FloatFunction::kGelu, kGeluFormula, call.tensor("X"));
  if (approximate == "tanh") return map_function(FloatFunction::kGeluTanh, kGeluTanhFormula, call.tensor("X"));
  fail_schema("attribute-value", "approximate is \"" + approximate + "\"", "must be none or tanh");
}

Tensor swiglu_28(const OpCall& call) {
  const Tensor& a = call.tensor("A");
  const Tensor& b = call.tensor("B");
  if (a.shape() != b.shape()) {
    fail_schema("shape-mismatch", "A is " + a.shape().text() + " and B is " + b.shape().text(), "must be equal");
  }
  const Tensor operands[] = {a, b};
  return map_elements(kSwiGLUFormula, a.dtype(), operands, {call.real("alpha")});
}

// Integers are compared as reals; the real result is truncated and wraps.
Tensor shrink_9(const OpCall& call) {
  const Tensor& x = call.tensor("input");
  if (!is_integer(x.dtype())) return activation(call, kShrinkFormula, {"bias", "lambd"});
  const double bias_attribute = call.real("bias"), lambd_attribute = call.real("lambd");
  if (lambd_attribute != lambd_attribute || lambd_attribute == __builtin_inf()) return Tensor(x.dtype(), x.shape());
  if (!double_is_finite(bias_attribute)) fail_undefined("not-finite", "bias is no finite number", "must be where x is an integer");
  // A lambd of -infinity is below every -x, as any number below -2^64 is.
  const Rational bias = Rational::from_double(bias_attribute), lambd = Rational::from_double(std::max(lambd_attribute, -0x1p70));
  Tensor y(x.dtype(), x.shape());
  const std::vector<int128> values = exact_integers(x);
  for (size_t i = 0; i < values.size(); ++i) {
    const Rational v(BigInt::from_int128(values[i]), 1);
    if (v < -lambd) {
      y.set_code(i, (v + bias).truncated().low_bits());
    } else if (v > lambd) {
      y.set_code(i, (v - bias).truncated().low_bits());
    }
  }
  return y;
}

Tensor sloped(const Tensor& x, const Tensor& slope) {
  if (!is_integer(x.dtype())) {
    const Tensor operands[] = {x, slope};
    return map_elements(kPReluFormula, x.dtype(), operands);
  }
  return map_integers(x, slope, x.dtype(), [](int128 v, int128 s) { return v < 0 ? v * s : v; });
}

// One slope for all, one per channel (axis 1), or one per element.
Tensor prelu_1(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  const Tensor& slope = call.tensor("slope");
  if (slope.size() == 1) return sloped(x, slope.reshaped({}));
  if (slope.shape() == x.shape()) return sloped(x, slope);
  if (slope.rank() != 1 || x.rank() < 2 || slope.shape()[0] != x.shape()[1]) {
    fail_schema("shape-mismatch", "slope is " + slope.shape().text() + " for X " + x.shape().text(),
                "must be one element, one per channel, or X's shape");
  }
  Shape aligned{slope.shape()[0]};
  for (int64_t axis = 2; axis < x.rank(); ++axis) aligned.push_back(1);
  return sloped(x, slope.reshaped(aligned));
}

Tensor prelu_7(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  const Tensor& slope = call.tensor("slope");
  if (!broadcasts_to(slope.shape(), x.shape())) {
    fail_schema("shape-mismatch", "slope is " + slope.shape().text() + " for X " + x.shape().text(),
                "must broadcast to X");
  }
  return sloped(x, slope);
}

std::vector<Behaviour> since(int first, std::vector<int> also, Tensor (*run)(const OpCall&)) {
  return {{.since = first, .also = std::move(also), .run = run}};
}

}  // namespace

extern const Operator kRelu, kLeakyRelu, kElu, kSelu, kCelu, kHardSigmoid, kHardSwish, kSoftplus, kSoftsign, kSwish,
    kSwiGLU, kMish, kGelu, kThresholdedRelu, kShrink, kPRelu;
const Operator kRelu{"ai.onnx", "Relu", since(1, {6, 13, 14}, relu_1)};
const Operator kLeakyRelu{"ai.onnx", "LeakyRelu", since(1, {6, 16}, leaky_relu_1)};
const Operator kElu{"ai.onnx", "Elu", since(1, {6, 22}, elu_1)};
const Operator kSelu{"ai.onnx", "Selu", since(1, {6, 22}, selu_1)};
const Operator kCelu{"ai.onnx", "Celu", since(12, {28}, celu_12)};
const Operator kHardSigmoid{"ai.onnx", "HardSigmoid", since(1, {6, 22}, hard_sigmoid_1)};
const Operator kHardSwish{"ai.onnx", "HardSwish", since(14, {22}, hard_swish_14)};
const Operator kSoftplus{"ai.onnx", "Softplus", since(1, {22}, softplus_1)};
const Operator kSoftsign{"ai.onnx", "Softsign", since(1, {22}, softsign_1)};
const Operator kSwish{"ai.onnx", "Swish", since(24, {}, swish_24)};
const Operator kSwiGLU{"ai.onnx", "SwiGLU", since(28, {}, swiglu_28)};
const Operator kMish{"ai.onnx", "Mish", since(18, {22}, mish_18)};
const Operator kGelu{"ai.onnx", "Gelu", since(20, {}, gelu_20)};
const Operator kThresholdedRelu{"ai.onnx", "ThresholdedRelu", since(1, {10, 22}, thresholded_relu_1)};
const Operator kShrink{"ai.onnx", "Shrink", since(9, {}, shrink_9)};
const Operator kPRelu{"ai.onnx", "PRelu",
                      {{.since = 1, .also = {6}, .run = prelu_1}, {.since = 7, .also = {9, 16}, .run = prelu_7}}};

}  // namespace onnxv
#endif
