// Functions of one real: Abs, Acos … Tanh, each the function of its name, rounded once.
// Every version means the same; the versions differ in types (and in version 1's consumed_inputs, which is ignored).
#include "src/number/formula.h"

namespace onnxv {
namespace {

constexpr auto absolute = []<class Real>(Real x) -> Real { return abs(x); };
constexpr auto negated = []<class Real>(Real x) -> Real { return -x; };
constexpr auto reciprocal = []<class Real>(Real x) -> Real { return Real(1.0) / x; };
constexpr auto square_root = []<class Real>(Real x) -> Real { return sqrt(x); };
constexpr auto exponential = []<class Real>(Real x) -> Real { return exp(x); };
constexpr auto logarithm = []<class Real>(Real x) -> Real { return log(x); };
constexpr auto error_function = []<class Real>(Real x) -> Real { return erf(x); };
constexpr auto sine = []<class Real>(Real x) -> Real { return sin(x); };
constexpr auto cosine = []<class Real>(Real x) -> Real { return cos(x); };
constexpr auto tangent = []<class Real>(Real x) -> Real { return tan(x); };
constexpr auto arc_sine = []<class Real>(Real x) -> Real { return asin(x); };
constexpr auto arc_cosine = []<class Real>(Real x) -> Real { return acos(x); };
constexpr auto arc_tangent = []<class Real>(Real x) -> Real { return atan(x); };
constexpr auto hyperbolic_sine = []<class Real>(Real x) -> Real { return sinh(x); };
constexpr auto hyperbolic_cosine = []<class Real>(Real x) -> Real { return cosh(x); };
constexpr auto hyperbolic_tangent = []<class Real>(Real x) -> Real { return tanh(x); };
constexpr auto area_sine = []<class Real>(Real x) -> Real { return asinh(x); };
constexpr auto area_cosine = []<class Real>(Real x) -> Real { return acosh(x); };
constexpr auto area_tangent = []<class Real>(Real x) -> Real { return atanh(x); };
constexpr auto round_down = []<class Real>(Real x) -> Real { return floor(x); };
constexpr auto round_up = []<class Real>(Real x) -> Real { return ceil(x); };
constexpr auto round_to_even = []<class Real>(Real x) -> Real { return nearest_even(x); };

}  // namespace
EXACT_FORMULA(kAbsFormula, absolute, 1)
EXACT_FORMULA(kNegFormula, negated, 1)
IEEE_FORMULA(kReciprocalFormula, reciprocal, 1)
IEEE_FORMULA(kSqrtFormula, square_root, 1)
ELEMENTWISE_FORMULA(kExpFormula, exponential, 1)
ELEMENTWISE_FORMULA(kLogFormula, logarithm, 1)
ELEMENTWISE_FORMULA(kErfFormula, error_function, 1)
ELEMENTWISE_FORMULA(kSinFormula, sine, 1)
ELEMENTWISE_FORMULA(kCosFormula, cosine, 1)
ELEMENTWISE_FORMULA(kTanFormula, tangent, 1)
ELEMENTWISE_FORMULA(kAsinFormula, arc_sine, 1)
ELEMENTWISE_FORMULA(kAcosFormula, arc_cosine, 1)
ELEMENTWISE_FORMULA(kAtanFormula, arc_tangent, 1)
ELEMENTWISE_FORMULA(kSinhFormula, hyperbolic_sine, 1)
ELEMENTWISE_FORMULA(kCoshFormula, hyperbolic_cosine, 1)
ELEMENTWISE_FORMULA(kTanhFormula, hyperbolic_tangent, 1)
ELEMENTWISE_FORMULA(kAsinhFormula, area_sine, 1)
ELEMENTWISE_FORMULA(kAcoshFormula, area_cosine, 1)
ELEMENTWISE_FORMULA(kAtanhFormula, area_tangent, 1)
EXACT_FORMULA(kFloorFormula, round_down, 1)
EXACT_FORMULA(kCeilFormula, round_up, 1)
EXACT_FORMULA(kRoundFormula, round_to_even, 1)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include "ops/elementwise/integers.h"
#include "ops/operator.h"
#include "src/tensor/float_elements.h"

namespace onnxv {
namespace {

// The ports are called X or input; there is one.
template <const Formula& formula>
Tensor function(const OpCall& call) {
  const Tensor& x = call.inputs()[0].tensor();
  return map_elements(formula, x.dtype(), {&x, 1});
}
template <FloatFunction by_floats, const Formula& formula>
Tensor function(const OpCall& call) {
  return map_function(by_floats, formula, call.inputs()[0].tensor());
}

Tensor abs_1(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  if (!is_integer(x.dtype())) return function<kAbsFormula>(call);
  return map_integers(x, x.dtype(), [](int128 v) { return v < 0 ? -v : v; });  // |INT_MIN| wraps
}

Tensor neg_1(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  if (!is_integer(x.dtype())) return function<kNegFormula>(call);
  return map_integers(x, x.dtype(), [](int128 v) { return -v; });
}

// Choice: Erf-9 takes integers and its text says nothing of the result's rounding: the double nearest to erf(x), truncated.
// erf of an integer other than 0 lies in (0.84, 1], and is 1 as a double from 6 on.
Tensor erf_9(const OpCall& call) {
  const Tensor& x = call.tensor("input");
  if (!is_integer(x.dtype())) return function<FloatFunction::kErf, kErfFormula>(call);
  return map_integers(x, x.dtype(), [](int128 v) -> int128 { return v >= 6 ? 1 : v <= -6 ? -1 : 0; });
}

std::vector<Behaviour> since(int first, std::vector<int> also, Tensor (*run)(const OpCall&)) {
  return {{.since = first, .also = std::move(also), .run = run}};
}

}  // namespace

extern const Operator kAbs, kNeg, kReciprocal, kSqrt, kExp, kLog, kErf, kSin, kCos, kTan, kAsin, kAcos, kAtan, kSinh,
    kCosh, kTanh, kAsinh, kAcosh, kAtanh, kFloor, kCeil, kRound;
const Operator kAbs{"ai.onnx", "Abs", since(1, {6, 13}, abs_1)};
const Operator kNeg{"ai.onnx", "Neg", since(1, {6, 13}, neg_1)};
const Operator kReciprocal{"ai.onnx", "Reciprocal", since(1, {6, 13}, function<kReciprocalFormula>)};
const Operator kSqrt{"ai.onnx", "Sqrt", since(1, {6, 13}, function<kSqrtFormula>)};
const Operator kExp{"ai.onnx", "Exp", since(1, {6, 13}, function<FloatFunction::kExp, kExpFormula>)};
const Operator kLog{"ai.onnx", "Log", since(1, {6, 13}, function<FloatFunction::kLog, kLogFormula>)};
const Operator kErf{"ai.onnx", "Erf", since(9, {13}, erf_9)};
const Operator kSin{"ai.onnx", "Sin", since(7, {22}, function<FloatFunction::kSin, kSinFormula>)};
const Operator kCos{"ai.onnx", "Cos", since(7, {22}, function<FloatFunction::kCos, kCosFormula>)};
const Operator kTan{"ai.onnx", "Tan", since(7, {22}, function<kTanFormula>)};
const Operator kAsin{"ai.onnx", "Asin", since(7, {22}, function<kAsinFormula>)};
const Operator kAcos{"ai.onnx", "Acos", since(7, {22}, function<kAcosFormula>)};
const Operator kAtan{"ai.onnx", "Atan", since(7, {22}, function<kAtanFormula>)};
const Operator kSinh{"ai.onnx", "Sinh", since(9, {22}, function<kSinhFormula>)};
const Operator kCosh{"ai.onnx", "Cosh", since(9, {22}, function<kCoshFormula>)};
const Operator kTanh{"ai.onnx", "Tanh", since(1, {6, 13}, function<FloatFunction::kTanh, kTanhFormula>)};
const Operator kAsinh{"ai.onnx", "Asinh", since(9, {22}, function<kAsinhFormula>)};
const Operator kAcosh{"ai.onnx", "Acosh", since(9, {22}, function<kAcoshFormula>)};
const Operator kAtanh{"ai.onnx", "Atanh", since(9, {22}, function<kAtanhFormula>)};
const Operator kFloor{"ai.onnx", "Floor", since(1, {6, 13}, function<kFloorFormula>)};
const Operator kCeil{"ai.onnx", "Ceil", since(1, {6, 13}, function<kCeilFormula>)};
const Operator kRound{"ai.onnx", "Round", since(11, {22}, function<kRoundFormula>)};

}  // namespace onnxv
#endif
