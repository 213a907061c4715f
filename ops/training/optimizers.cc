// Adagrad, Adam, Momentum (ai.onnx.preview.training 1): every output is exact from the inputs; no intermediate is rounded.
#include "src/number/formula.h"

namespace onnxv {
namespace {

// constants: R, T, decay_factor, epsilon, norm_coefficient.
constexpr auto adagrad = []<class Real>(In<Real> x, In<Real> g, In<Real> h, In<Real> constants, Out<Real> x_new, Out<Real> h_new) {
  const Real rate = constants[0] / (Real(1.0) + constants[1] * constants[2]);
  const Real gradient = constants[4] * x[0] + g[0];
  h_new[0] = h[0] + gradient * gradient;
  x_new[0] = x[0] - rate * gradient / (sqrt(h_new[0]) + constants[3]);
};

// constants: R, T, alpha, beta, epsilon, norm_coefficient, norm_coefficient_post. options: [T > 0].
constexpr auto adam = []<class Real>(Options step, In<Real> x, In<Real> g, In<Real> v, In<Real> h, In<Real> constants, Out<Real> x_new,
                                     Out<Real> v_new, Out<Real> h_new) {
  const Real one(1.0), alpha = constants[2], beta = constants[3];
  const Real gradient = constants[5] * x[0] + g[0];
  v_new[0] = alpha * v[0] + (one - alpha) * gradient;
  h_new[0] = beta * h[0] + (one - beta) * gradient * gradient;
  Real rate = constants[0];
  if (step[0] != 0) {
    rate = rate * sqrt(one - pow(beta, constants[1])) / (one - pow(alpha, constants[1]));
  }
  x_new[0] = (one - constants[6]) * (x[0] - rate * v_new[0] / (sqrt(h_new[0]) + constants[4]));
};

// constants: R, alpha, adjusted beta, norm_coefficient. options: [nesterov].
constexpr auto momentum = []<class Real>(Options nesterov, In<Real> x, In<Real> g, In<Real> v, In<Real> constants, Out<Real> x_new,
                                         Out<Real> v_new) {
  const Real gradient = constants[3] * x[0] + g[0];
  v_new[0] = constants[1] * v[0] + constants[2] * gradient;
  x_new[0] = x[0] - constants[0] * (nesterov[0] != 0 ? gradient + constants[1] * v_new[0] : v_new[0]);
};

}  // namespace
LINE_FORMULA(kAdagradFormula, adagrad, 4, 2)
LINE_FORMULA(kAdamFormula, adam, 5, 3)
LINE_FORMULA(kMomentumFormula, momentum, 4, 2)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include <algorithm>

#include "ops/operator.h"
#include "src/tensor/index.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

struct Update {
  const Formula& formula;
  std::vector<double> constants;
  std::vector<int64_t> options;
};

// The inputs after R and T come in groups of n: all X, all G, then each state; the outputs: all X, then each state.
Outputs updated(const OpCall& call, const Update& update) {
  const std::span<const Value> inputs = call.inputs();
  const size_t roles = update.formula.inputs - 1, results = update.formula.outputs;
  const size_t tensors = inputs.size() - 2;
  if (tensors % roles != 0) {
    fail_schema("input-count", std::to_string(tensors) + " tensors follow R and T", "must be a multiple of " + std::to_string(roles));
  }
  for (const Value& input : inputs.subspan(2)) {
    if (!input.is_tensor()) fail_schema("input-missing", "an update's tensor is absent", "must be a tensor");
  }
  const size_t n = tensors / roles;
  Outputs outputs(results * n);
  for (size_t i = 0; i < n; ++i) {
    const Tensor& x = inputs[2 + i].tensor();
    LineJob job(update.formula, x.size());
    std::vector<Tensor> operands;
    for (size_t role = 0; role < roles; ++role) operands.push_back(inputs[2 + role * n + i].tensor());
    for (const Tensor& operand : operands) {
      if (!broadcasts_to(operand.shape(), x.shape())) {
        fail_schema("shape-mismatch", "a tensor is " + operand.shape().text(), "must broadcast to X's " + x.shape().text());
      }
      job.broadcast(operand, x.shape());
    }
    job.constants(update.constants).options(update.options);
    std::vector<Tensor> computed;
    for (size_t k = 0; k < results; ++k) computed.emplace_back(x.dtype(), x.shape());
    for (Tensor& result : computed) job.lines_to(&result, LineLayout::elements(x.size()));
    job.run();
    for (size_t k = 0; k < results; ++k) outputs[k * n + i] = computed[k];
  }
  return outputs;
}

double rate(const OpCall& call) { return double_value(call.tensor("R"), "R"); }
int64_t count(const OpCall& call) {
  const int64_t t = int64_value(call.tensor("T"), "T");
  // It enters the formulas as a double.
  constexpr int64_t kMost = int64_t{1} << 53;
  if (t > kMost || t < -kMost) fail_limit("update-count", "T is " + std::to_string(t), "must be within 2^53");
  return t;
}

Outputs adagrad_1(const OpCall& call) {
  return updated(call, {kAdagradFormula,
                        {rate(call), static_cast<double>(count(call)), call.real("decay_factor"), call.real("epsilon"),
                         call.real("norm_coefficient")},
                        {}});
}

Outputs adam_1(const OpCall& call) {
  const int64_t t = count(call);
  return updated(call, {kAdamFormula,
                        {rate(call), static_cast<double>(t), call.real("alpha"), call.real("beta"), call.real("epsilon"),
                         call.real("norm_coefficient"), call.real("norm_coefficient_post")},
                        {t > 0 ? 1 : 0}});
}

Outputs momentum_1(const OpCall& call) {
  const std::string& mode = call.text("mode");
  if (mode != "nesterov" && mode != "standard") {
    fail_schema("attribute-value", "mode is \"" + mode + "\"", "must be nesterov or standard");
  }
  const double beta = count(call) > 0 ? call.real("beta") : 1.0;
  return updated(call, {kMomentumFormula,
                        {rate(call), call.real("alpha"), beta, call.real("norm_coefficient")},
                        {mode == "nesterov" ? 1 : 0}});
}

}  // namespace

extern const Operator kAdagrad, kAdam, kMomentum;
const Operator kAdagrad{"ai.onnx.preview.training", "Adagrad", {{.since = 1, .run = adagrad_1}}};
const Operator kAdam{"ai.onnx.preview.training", "Adam", {{.since = 1, .run = adam_1}}};
const Operator kMomentum{"ai.onnx.preview.training", "Momentum", {{.since = 1, .run = momentum_1}}};

}  // namespace onnxv
#endif
