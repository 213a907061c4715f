// CausalConvWithState: a depthwise convolution over past_state and input, one after the other.
//   y[b, c, t] = bias[c] + sum over j of P[b, c, t + j] · W[c, 0, j], P = past_state (or k - 1 zeros) then input
//   present_state = the last k - 1 columns of P
//   since 27
// silu and swish: y · sigmoid(y), one rounding for the whole composition.
#include "src/number/sigmoid.h"

namespace onnxv {
namespace {

// options: 1 when there is an activation. The bias is one more element of both operands.
constexpr auto causal = []<class Real>(Options options, In<Real> p, In<Real> w, Out<Real> y) {
  const Real total = dot(p, w);
  y[0] = options[0] == 0 ? total : total * sigmoid(total);
};
// The function body's silu: y * Sigmoid(y).
[[maybe_unused]] constexpr auto causal_text = []<class Real>(Options options, In<Real> p, In<Real> w, Out<Real> y) {
  const Real total = dot(p, w);
  y[0] = options[0] == 0 ? total : total * (Real(1.0) / (Real(1.0) + exp(-total)));
};

}  // namespace
LINE_FORMULA(kCausalConvFormula, causal, 2, 1, causal_text)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include <algorithm>

#include "ops/convolution/weights.h"
#include "ops/operator.h"
#include "src/base/checked.h"
#include "src/tensor/index.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

struct Sizes {
  int64_t batch, channels, length, kernel;
};

void check_shape(std::string_view port, const Tensor& tensor, const Shape& wanted) {
  if (tensor.shape() == wanted) return;
  fail_schema("shape-mismatch", std::string(port) + " is " + tensor.shape().text(), "must be " + wanted.text());
}

Sizes sizes_of(const OpCall& call) {
  const Shape& x = call.tensor("input").shape();
  const Shape& w = call.tensor("weight").shape();
  if (x.rank() != 3) fail_schema("rank", "input is " + x.text(), "must have rank 3");
  if (w.rank() != 3) fail_schema("rank", "weight is " + w.text(), "must have rank 3");
  const Sizes sizes{x[0], x[1], x[2], w[2]};
  check_shape("weight", call.tensor("weight"), {sizes.channels, 1, sizes.kernel});
  if (sizes.kernel < 1) fail_schema("empty-window", "the kernel is empty", "must have one tap or more");
  if (const Tensor* bias = call.optional_tensor("bias")) check_shape("bias", *bias, {sizes.channels});
  if (const Tensor* past = call.optional_tensor("past_state")) {
    check_shape("past_state", *past, {sizes.batch, sizes.channels, sizes.kernel - 1});
  }
  return sizes;
}

// past_state, else zeros, and input behind it along the last axis.
Tensor joined(const OpCall& call, const Sizes& sizes) {
  const Tensor& x = call.tensor("input");
  const Tensor* past = call.optional_tensor("past_state");
  const auto state = static_cast<size_t>(sizes.kernel - 1), length = static_cast<size_t>(sizes.length);
  Tensor all(x.dtype(), {sizes.batch, sizes.channels, checked_add(sizes.kernel - 1, sizes.length)});
  for (size_t row = 0; row < static_cast<size_t>(Shape{sizes.batch, sizes.channels}.elements()); ++row) {
    if (past != nullptr && state > 0) copy_elements(*past, row * state, state, all, row * (state + length));
    if (length > 0) copy_elements(x, row * length, length, all, row * (state + length) + state);
  }
  return all;
}

bool has_activation(const std::string& name) {
  if (name == "silu" || name == "swish") return true;
  if (name == "none" || name.empty()) return false;
  fail_schema("attribute-value", "activation is \"" + name + "\"", "must be silu, swish or none");
}

Outputs causal_conv_27(const OpCall& call) {
  const Sizes sizes = sizes_of(call);
  const bool activated = has_activation(call.text_or("activation", "none"));
  const Tensor all = joined(call, sizes);
  const Tensor& w = call.tensor("weight");
  const Tensor* bias = call.optional_tensor("bias");
  const auto kernel = static_cast<size_t>(sizes.kernel), length = static_cast<size_t>(sizes.length);
  const auto channels = static_cast<size_t>(sizes.channels);
  const size_t columns = kernel - 1 + length, terms = kernel + (bias != nullptr ? 1 : 0);
  const Tensor p = exact_doubles(all, 0, all.size()), weights = exact_doubles(w, 0, w.size());
  const Tensor biases = bias == nullptr ? Tensor() : exact_doubles(*bias, 0, bias->size());
  const auto from_p = [&](size_t line, double* out) {
    std::copy_n(p.as<double>().data() + line / length * columns + line % length, kernel, out);
    if (bias != nullptr) out[kernel] = 1;
  };
  const auto from_w = [&](size_t line, double* out) {
    const size_t channel = line / length % channels;
    std::copy_n(weights.as<double>().data() + channel * kernel, kernel, out);
    if (bias != nullptr) out[kernel] = biases.as<double>()[channel];
  };
  Tensor y(w.dtype(), call.tensor("input").shape());
  LineJob(kCausalConvFormula, y.size())
      .computed(terms, from_p)
      .computed(terms, from_w)
      .option(activated ? 1 : 0)
      .lines_to(&y, LineLayout::elements(y.size()))
      .run();
  const std::vector<int64_t> strides = strides_of(all.shape());
  Tensor state = strided_copy(all, {sizes.batch, sizes.channels, sizes.kernel - 1}, sizes.length, strides);
  return {y, state};
}

}  // namespace

extern const Operator kCausalConvWithState;
const Operator kCausalConvWithState{"ai.onnx", "CausalConvWithState", {{.since = 27, .run = causal_conv_27}}};

}  // namespace onnxv
#endif
