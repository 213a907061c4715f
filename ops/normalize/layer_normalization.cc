// LayerNormalization (17) and RMSNormalization (23): a line is everything from `axis` on.
//
// Spec: rounds X to the stash type, the normalized value to the stash type and then to X's type; then scale and bias
// are applied and the result is rounded once. Mean and InvStdDev are rounded once to the stash type.
#include "src/number/formula.h"
#include "src/number/ladder.h"

namespace onnxv {
namespace {

// options: [format of the stash type, format of X].
constexpr auto rounded = []<class Real>(Options formats, const Real& normalized) -> Real {
  return round_to(formats[1], round_to(formats[0], normalized));
};

constexpr auto layer_normalization = []<class Real>(Options formats, In<Real> x, In<Real> scale, In<Real> bias,
                                                    In<Real> constants, Out<Real> y, Out<Real> mean_out,
                                                    Out<Real> inverse_out) {
  const Real count = constants[0], epsilon = constants[1];
  for (size_t i = 0; i < x.size(); ++i) y[i] = round_to(formats[0], x[i]);
  const Real mean = sum(y) / count;
  for (Real& yi : y) yi = yi - mean;
  const Real deviation = sqrt(dot(y, y) / count + epsilon);
  for (size_t i = 0; i < y.size(); ++i) y[i] = rounded(formats, y[i] / deviation) * scale[i] + bias[i];
  mean_out[0] = mean;
  inverse_out[0] = Real(1.0) / deviation;
};

constexpr auto rms_normalization = []<class Real>(Options formats, In<Real> x, In<Real> scale, In<Real> constants,
                                                  Out<Real> y) {
  for (size_t i = 0; i < x.size(); ++i) y[i] = round_to(formats[0], x[i]);
  const Real size = sqrt(dot(y, y) / constants[0] + constants[1]);
  for (size_t i = 0; i < y.size(); ++i) y[i] = rounded(formats, y[i] / size) * scale[i];
};

// The function body: the variance as E[x^2] - E[x]^2, and scale and bias applied in X's type.
[[maybe_unused]] constexpr auto layer_normalization_body = []<class Real>(Options formats, In<Real> given, In<Real> scale,
                                                                          In<Real> bias, In<Real> constants, Out<Real> y,
                                                                          Out<Real> mean_out, Out<Real> inverse_out) {
  std::vector<Real> x(given.size());
  for (size_t i = 0; i < x.size(); ++i) x[i] = round_to(formats[0], given[i]);
  const In<Real> line{x.data(), x.size()};
  const Real count = constants[0], epsilon = constants[1];
  const Real mean = sum(line) / count;
  const Real deviation = sqrt(dot(line, line) / count - mean * mean + epsilon);
  for (size_t i = 0; i < x.size(); ++i) {
    const Real normalized = round_to(formats[1], round_to(formats[0], (x[i] - mean) / deviation));
    y[i] = round_to(formats[1], round_to(formats[1], normalized * scale[i]) + bias[i]);
  }
  mean_out[0] = mean;
  inverse_out[0] = Real(1.0) / deviation;
};
[[maybe_unused]] constexpr auto layer_normalization_by_reciprocal =
    []<class Real>(Options formats, In<Real> given, In<Real> scale, In<Real> bias, In<Real> constants, Out<Real> y,
                   Out<Real> mean_out, Out<Real> inverse_out) {
      layer_normalization(formats, given, scale, bias, constants, y, mean_out, inverse_out);
      for (size_t i = 0; i < given.size(); ++i) {
        const Real normalized = round_to(formats[1], round_to(formats[0], (given[i] - mean_out[0]) * inverse_out[0]));
        y[i] = round_to(formats[1], round_to(formats[1], normalized * scale[i]) + bias[i]);
      }
    };

}  // namespace
LINE_FORMULA(kLayerNormalizationFormula, layer_normalization, 4, 3, layer_normalization_body, layer_normalization_by_reciprocal)
LINE_FORMULA(kRmsNormalizationFormula, rms_normalization, 3, 1)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include <algorithm>

#include "ops/operator.h"
#include "src/number/float_lines.h"
#include "src/number/ladder.h"
#include "src/number/settled_lines.h"
#include "src/tensor/index.h"
#include "src/tensor/lines.h"
#include "src/tensor/some_lines.h"

namespace onnxv {
namespace {

void check_broadcasts(const Tensor& tensor, const Tensor& x, std::string_view port) {
  if (broadcasts_to(tensor.shape(), x.shape())) return;
  fail_schema("shape-mismatch", std::string(port) + " is " + tensor.shape().text() + " for X " + x.shape().text(),
              "must broadcast to X");
}

// Whether a tensor that broadcasts to X varies along the normalized axes alone: it is one line for all.
bool is_one_line(const Tensor& tensor, const Tensor& x, int64_t axis) {
  const int64_t before = std::max<int64_t>(0, tensor.rank() - (x.rank() - axis));
  return tensor.size() == LineLayout::from(x.shape(), axis).length && tensor.shape().elements(0, before) == 1;
}

Tensor negative_zeros(DType dtype, const Shape& shape) {
  Tensor zeros(dtype, shape);
  const uint64_t code = settle_exact(target_of(dtype), -0.0);
  for (size_t i = 0; i < zeros.size(); ++i) zeros.set_code(i, code);
  return zeros;
}

// Scale or bias as one more operand.
void add_operand(LineJob& job, const Tensor& tensor, const Tensor& x, int64_t axis, Tensor* whole) {
  if (is_one_line(tensor, x, axis)) {
    job.shared(tensor);
  } else {
    *whole = broadcast_to(tensor, x.shape());
    job.lines_of(*whole, LineLayout::from(x.shape(), axis));
  }
}

struct Normalization {
  const Tensor &x, &scale;
  const Tensor* bias;
  int64_t axis;
  DType stash;
  double epsilon;
  LineLayout layout() const { return LineLayout::from(x.shape(), axis); }
};

// Y, and in `statistics`, where it is not null, Mean and InvStdDev, all of their shapes: by the formulas.
void normalize_by_formula(const Normalization& node, Tensor* y, Tensor* statistics) {
  const LineLayout layout = node.layout();
  LineJob job(statistics != nullptr ? kLayerNormalizationFormula : kRmsNormalizationFormula,
              statistics == nullptr && y->size() == 0 ? 0 : layout.lines());
  // Adding an absent bias is adding -0: it changes no sum, the sign of a zero included.
  const Tensor no_bias = negative_zeros(node.x.dtype(), Shape{static_cast<int64_t>(layout.length)});
  Tensor whole_scale, whole_bias;
  job.computed_in(node.stash).lines_of(node.x, layout);
  add_operand(job, node.scale, node.x, node.axis, &whole_scale);
  if (statistics != nullptr && node.bias == nullptr) job.shared(no_bias);
  if (statistics != nullptr && node.bias != nullptr) add_operand(job, *node.bias, node.x, node.axis, &whole_bias);
  job.constants({static_cast<double>(layout.length), node.epsilon})
      .option(format_number(float_format(node.stash)))
      .option(format_number(float_format(node.x.dtype())))
      .lines_to(y, layout);
  for (int i = 0; statistics != nullptr && i < 2; ++i) {
    job.lines_to(&statistics[i], LineLayout::elements(statistics[i].size()));
  }
  job.run();
}

bool is_float_line(const Tensor* tensor, const Normalization& node) {
  return tensor == nullptr || (tensor->dtype() == DType::kFloat && is_one_line(*tensor, node.x, node.axis));
}

// Lines of float32 by one bound each; those that it leaves open by the formulas.
void normalize(const Normalization& node, Tensor* y, Tensor* statistics) {
  const LineLayout layout = node.layout();
  const bool plain = node.x.dtype() == DType::kFloat && node.stash == DType::kFloat && lanes_suffice() &&
                     is_float_line(&node.scale, node) && is_float_line(node.bias, node);
  if (!plain || layout.length < kShortLine) return normalize_by_formula(node, y, statistics);
  const auto floats = [](Tensor* tensor) { return tensor->mutable_as<float>().data(); };
  const auto open = normalize_lines({.x = node.x.as<float>().data(),
                                     .lines = layout.lines(),
                                     .length = layout.length,
                                     .scale = node.scale.as<float>().data(),
                                     .bias = node.bias == nullptr ? nullptr : node.bias->as<float>().data(),
                                     .epsilon = node.epsilon,
                                     .centered = statistics != nullptr,
                                     .y = floats(y),
                                     .mean = statistics == nullptr ? nullptr : floats(&statistics[0]),
                                     .inverse = statistics == nullptr ? nullptr : floats(&statistics[1])});
  const size_t settled = layout.lines() - open.size();
  count_settled(settled * (layout.length + (statistics == nullptr ? 0 : 2)), settled);
  if (open.empty()) return;
  const Tensor x = lines_at(node.x, layout.length, open);
  const Tensor scale = node.scale.reshaped({static_cast<int64_t>(layout.length)});
  const Tensor bias = node.bias == nullptr ? Tensor() : node.bias->reshaped({static_cast<int64_t>(layout.length)});
  const Shape per_line{static_cast<int64_t>(open.size()), 1};
  Tensor rest(x.dtype(), x.shape()), rest_statistics[] = {{DType::kFloat, per_line}, {DType::kFloat, per_line}};
  normalize_by_formula({x, scale, node.bias == nullptr ? nullptr : &bias, 1, node.stash, node.epsilon}, &rest,
                       statistics == nullptr ? nullptr : rest_statistics);
  put_lines(rest, open, y);
  for (int i = 0; statistics != nullptr && i < 2; ++i) put_lines(rest_statistics[i], open, &statistics[i]);
}

Outputs layer_normalization_17(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  const int64_t axis = call.axis(x.rank());
  const Normalization node{x, call.tensor("Scale"), call.optional_tensor("B"), axis, call.float_type("stash_type"), call.real("epsilon")};
  check_broadcasts(node.scale, x, "Scale");
  if (node.bias != nullptr) check_broadcasts(*node.bias, x, "B");
  Shape per_line = x.shape();
  for (int64_t i = axis; i < x.rank(); ++i) per_line[i] = 1;
  Tensor y = Tensor::unfilled(x.dtype(), x.shape()), statistics[] = {{node.stash, per_line}, {node.stash, per_line}};
  normalize(node, &y, statistics);
  return {y, statistics[0], statistics[1]};
}

Tensor rms_normalization_23(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  const Normalization node{x, call.tensor("scale"), nullptr, call.axis(x.rank()), call.float_type("stash_type"), call.real("epsilon")};
  check_broadcasts(node.scale, x, "scale");
  Tensor y = Tensor::unfilled(node.scale.dtype(), x.shape());
  normalize(node, &y, nullptr);
  return y;
}

}  // namespace

extern const Operator kLayerNormalization, kRMSNormalization;
const Operator kLayerNormalization{"ai.onnx", "LayerNormalization", {{.since = 17, .run = layer_normalization_17}}};
const Operator kRMSNormalization{"ai.onnx", "RMSNormalization", {{.since = 23, .run = rms_normalization_23}}};

}  // namespace onnxv
#endif
