// Operators that ONNX removed: Affine, Scale, ScaledTanh, ParametricSoftplus, ImageScaler, GRUUnit, FC, ATen (all 1).
#include "src/number/sigmoid.h"

namespace onnxv {
namespace {

constexpr auto affine = []<class Real>(Real x, Real alpha, Real beta) -> Real { return alpha * x + beta; };
constexpr auto scaled_tanh = []<class Real>(Real x, Real alpha, Real beta) -> Real { return alpha * tanh(beta * x); };
// alpha ln(e^(beta x) + 1), as Softplus.
constexpr auto parametric_softplus = []<class Real>(Real x, Real alpha, Real beta) -> Real {
  const Real z = beta * x;
  return alpha * select(z < Real(0.0), log1p(exp(min(z, Real(0.0)))), z + log1p(exp(-max(z, Real(0.0)))));
};
[[maybe_unused]] constexpr auto parametric_softplus_text = []<class Real>(Real x, Real alpha, Real beta) -> Real {
  return alpha * log(exp(beta * x) + Real(1.0));
};
constexpr auto scaled = []<class Real>(Real x, Real scale) -> Real { return scale * x; };
// h = tanh(output) (1 - z) + z h_prev with z = sigmoid(update); 1 - z = sigmoid(-update), which keeps its digits.
constexpr auto gru_unit = []<class Real>(Real previous, Real update, Real output) -> Real {
  return tanh(output) * sigmoid(-update) + sigmoid(update) * previous;
};
[[maybe_unused]] constexpr auto gru_unit_text = []<class Real>(Real previous, Real update, Real output) -> Real {
  const Real z = Real(1.0) / (Real(1.0) + exp(-update));
  return tanh(output) * (Real(1.0) - z) + z * previous;
};

}  // namespace
ELEMENTWISE_FORMULA(kAffineFormula, affine, 3)
ELEMENTWISE_FORMULA(kScaledTanhFormula, scaled_tanh, 3)
ELEMENTWISE_FORMULA(kParametricSoftplusFormula, parametric_softplus, 3, parametric_softplus_text)
ELEMENTWISE_FORMULA(kScaleFormula, scaled, 2)
ELEMENTWISE_FORMULA(kGruUnitFormula, gru_unit, 3, gru_unit_text)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include <optional>

#include "ops/operator.h"
#include "src/base/checked.h"
#include "src/kernel/product.h"
#include "src/tensor/index.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

const Tensor& x_of(const OpCall& call) { return call.inputs()[0].tensor(); }

// Choice: the text has no defaults; 1 and 0 change nothing.
Tensor affine_1(const OpCall& call) {
  const Tensor& x = x_of(call);
  return map_elements(kAffineFormula, x.dtype(), {&x, 1}, {call.real_or("alpha", 1.0), call.real_or("beta", 0.0)});
}
Tensor scale_1(const OpCall& call) {
  const Tensor& x = x_of(call);
  return map_elements(kScaleFormula, x.dtype(), {&x, 1}, {call.real_or("scale", 1.0)});
}
Tensor scaled_tanh_1(const OpCall& call) {
  const Tensor& x = x_of(call);
  return map_elements(kScaledTanhFormula, x.dtype(), {&x, 1}, {call.real("alpha"), call.real("beta")});
}
Tensor parametric_softplus_1(const OpCall& call) {
  const Tensor& x = x_of(call);
  return map_elements(kParametricSoftplusFormula, x.dtype(), {&x, 1}, {call.real("alpha"), call.real("beta")});
}

// scale * x + bias[c]. Choice: absent, the scale is 1 and the bias 0.
Tensor image_scaler_1(const OpCall& call) {
  const Tensor& x = x_of(call);
  if (x.rank() != 4) fail_schema("rank", "the input is " + x.shape().text(), "must have rank 4");
  const std::vector<float> given = call.reals("bias");
  const std::vector<float> bias = call.has_attribute("bias") ? given : std::vector<float>(static_cast<size_t>(x.shape()[1]), 0.0f);
  if (bias.size() != static_cast<size_t>(x.shape()[1])) {
    fail_schema("attribute-value", "bias has " + std::to_string(bias.size()) + " elements", "must have one per channel");
  }
  const size_t inner = static_cast<size_t>(x.shape().elements(2, 4));
  Tensor y(x.dtype(), x.shape());
  LineJob(kAffineFormula, y.size())
      .lines_of(x, LineLayout::elements(x.size()))
      .constants({call.real_or("scale", 1.0)})
      .computed(1, [&](size_t line, double* value) { *value = bias[line / inner % bias.size()]; })
      .lines_to(&y, LineLayout::elements(y.size()))
      .run();
  return y;
}

Tensor flattened(const Tensor& tensor, int64_t axis) {
  const int64_t at = axis < 0 ? axis + tensor.rank() : axis;
  if (at < 0 || at > tensor.rank()) fail_schema("attribute-range", "axis is " + std::to_string(axis), "must be an axis of " + tensor.shape().text());
  return tensor.reshaped({tensor.shape().elements(0, at), tensor.shape().elements(at, tensor.rank())});
}

// Y = X Wᵀ + b. Choice: the text calls W "(KxN)" and writes Wᵀ; the formula wins.
Tensor fc_1(const OpCall& call) {
  const Tensor x = flattened(call.inputs()[0].tensor(), call.integer_or("axis", 1));
  const Tensor w = flattened(call.inputs()[1].tensor(), call.integer_or("axis_w", 1));
  const Tensor& b = call.inputs()[2].tensor();
  const int64_t m = x.shape()[0], k = x.shape()[1], n = w.shape()[0];
  if (w.shape()[1] != k || b.size() != static_cast<size_t>(n)) {
    fail_schema("shape-mismatch", "X is " + x.shape().text() + ", W " + w.shape().text() + " and b " + b.shape().text(),
                "must be MxK, NxK and N");
  }
  Tensor y(x.dtype(), {m, n});
  std::vector<double> bias(b.size() + 1);
  decode_elements(b, 0, b.size(), bias.data());
  bias.resize(b.size());
  const StridedVectors rows(x, static_cast<size_t>(m), static_cast<size_t>(k), 0, k, 1);
  const StridedVectors columns(w, static_cast<size_t>(n), static_cast<size_t>(k), 0, k, 1);
  const ExtendedVectors left(rows, {1.0}, true), right(columns, bias, is_narrow(b.dtype()));
  multiply(left, right, {&y, 0, n, 1, target_of(y.dtype())});
  return y;
}

std::vector<double> integral_values(const Tensor& tensor, std::string_view port) {
  std::vector<double> values(tensor.size() + 1);
  decode_elements(tensor, 0, tensor.size(), values.data());
  values.resize(tensor.size());
  for (const double value : values) {
    if (!(value >= -0x1p53 && value <= 0x1p53) || static_cast<double>(static_cast<int64_t>(value)) != value) {
      fail_undefined("not-integral", std::string(port) + " holds " + std::to_string(value), "must hold integers");
    }
  }
  return values;
}

// gates: [reset | update | output] before their activations; the reset block is not used.
// A sequence that has ended keeps its state, or with drop_states has none.
Tensor gru_unit_1(const OpCall& call) {
  const Tensor& previous = call.inputs()[0].tensor();
  const Tensor& gates = call.inputs()[1].tensor();
  const std::vector<double> lengths = integral_values(call.inputs()[2].tensor(), "seq_lengths");
  const std::vector<double> t = integral_values(call.inputs()[3].tensor(), "t");
  const int64_t rank = previous.rank();
  Shape three_gates = previous.shape();
  if (rank >= 2) three_gates[rank - 1] = checked_multiply(3, three_gates[rank - 1]);
  if (rank < 2 || gates.shape() != three_gates || t.size() != 1 ||
      lengths.size() != static_cast<size_t>(previous.shape()[rank - 2])) {
    fail_schema("shape-mismatch", "hidden_prev is " + previous.shape().text() + " and gates " + gates.shape().text(),
                "must be [1,N,D] and [1,N,3D], with N lengths");
  }
  const size_t width = static_cast<size_t>(previous.shape()[rank - 1]);
  const auto block = [&](size_t number) {
    return [=](size_t line, int64_t* at) { *at = static_cast<int64_t>(line / width * 3 * width + number * width + line % width); };
  };
  Tensor y(previous.dtype(), previous.shape());
  LineJob(kGruUnitFormula, y.size())
      .lines_of(previous, LineLayout::elements(previous.size()))
      .gathered(gates, 1, block(1))
      .gathered(gates, 1, block(2))
      .lines_to(&y, LineLayout::elements(y.size()))
      .run();
  const bool drops = call.integer_or("drop_states", 0) != 0;
  for (size_t i = 0; i < y.size(); ++i) {
    if (t[0] >= lengths[i / width % lengths.size()]) y.set_code(i, drops ? 0 : previous.code(i));
  }
  return y;
}

std::vector<Behaviour> first(Tensor (*run)(const OpCall&)) { return {{.since = 1, .run = run}}; }

}  // namespace

extern const Operator kAffine, kScale, kScaledTanh, kParametricSoftplus, kImageScaler, kFC, kGRUUnit, kATen;
const Operator kAffine{"ai.onnx", "Affine", first(affine_1)};
const Operator kScale{"ai.onnx", "Scale", first(scale_1)};
const Operator kScaledTanh{"ai.onnx", "ScaledTanh", first(scaled_tanh_1)};
const Operator kParametricSoftplus{"ai.onnx", "ParametricSoftplus", first(parametric_softplus_1)};
const Operator kImageScaler{"ai.onnx", "ImageScaler", first(image_scaler_1)};
const Operator kFC{"ai.onnx", "FC", first(fc_1)};
const Operator kGRUUnit{"ai.onnx", "GRUUnit", first(gru_unit_1)};
const Operator kATen{"ai.onnx", "ATen", {{.since = 1, .not_evaluable = "the operator it names is external to ONNX"}}};

}  // namespace onnxv
#endif
