// LayerNormalization (17) and RMSNormalization (23): a line is everything from `axis` on.
//
// Spec: rounds X to the stash type, the normalized value to the stash type and then to X's type; then scale and bias
// are applied and the result is rounded once. Mean and InvStdDev are rounded once to the stash type.
#include "src/number/formula.h"
#include "src/number/ladder.h"

namespace onnxv {
namespace {

// options: [format of the stash type, format of X].
constexpr auto layer_normalization = []<class Real>(Options formats, In<Real> given, In<Real> scale, In<Real> bias,
                                                    In<Real> constants, Out<Real> y, Out<Real> mean_out,
                                                    Out<Real> inverse_out) {
  std::vector<Real> x(given.size());
  for (size_t i = 0; i < x.size(); ++i) x[i] = round_to(formats[0], given[i]);
  const Real count = constants[0], epsilon = constants[1];
  const Real mean = sum(In<Real>{x.data(), x.size()}) / count;
  for (Real& xi : x) xi = xi - mean;
  const In<Real> d{x.data(), x.size()};
  const Real deviation = sqrt(dot(d, d) / count + epsilon);
  for (size_t i = 0; i < d.size(); ++i) {
    const Real normalized = round_to(formats[1], round_to(formats[0], d[i] / deviation));
    y[i] = normalized * scale[i] + bias[i];
  }
  mean_out[0] = mean;
  inverse_out[0] = Real(1.0) / deviation;
};

constexpr auto rms_normalization = []<class Real>(Options formats, In<Real> given, In<Real> scale, In<Real> constants,
                                                  Out<Real> y) {
  std::vector<Real> x(given.size());
  for (size_t i = 0; i < x.size(); ++i) x[i] = round_to(formats[0], given[i]);
  const In<Real> line{x.data(), x.size()};
  const Real size = sqrt(dot(line, line) / constants[0] + constants[1]);
  for (size_t i = 0; i < line.size(); ++i) {
    y[i] = round_to(formats[1], round_to(formats[0], line[i] / size)) * scale[i];
  }
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
#include "ops/normalize/stash.h"
#include "ops/operator.h"
#include "src/tensor/index.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

Tensor broadcast_to_x(const Tensor& tensor, const Tensor& x, std::string_view port) {
  if (!broadcasts_to(tensor.shape(), x.shape())) {
    fail_schema("shape-mismatch", std::string(port) + " is " + tensor.shape().text() + " for X " + x.shape().text(),
                "must broadcast to X");
  }
  return broadcast_to(tensor, x.shape());
}

Outputs layer_normalization_17(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  const int64_t axis = call.axis(x.rank());
  const DType stash = stash_type(call);
  const LineLayout layout = LineLayout::from(x.shape(), axis);
  const Tensor scale = broadcast_to_x(call.tensor("Scale"), x, "Scale");
  // Adding an absent bias is adding -0: it changes no sum, the sign of a zero included.
  const Tensor* given_bias = call.optional_tensor("B");
  const Tensor bias = given_bias != nullptr ? broadcast_to_x(*given_bias, x, "B") : negative_zeros(x.dtype(), x.shape());
  Shape statistics = x.shape();
  for (int64_t i = axis; i < x.rank(); ++i) statistics[i] = 1;
  Tensor y(x.dtype(), x.shape()), mean(stash, statistics), inverse(stash, statistics);
  const double count = static_cast<double>(layout.length);
  LineJob(kLayerNormalizationFormula, layout.lines())
      .computed_in(stash)
      .lines_of(x, layout)
      .lines_of(scale, layout)
      .lines_of(bias, layout)
      .constants({count, call.real("epsilon")})
      .option(format_number(float_format(stash)))
      .option(format_number(float_format(x.dtype())))
      .lines_to(&y, layout)
      .lines_to(&mean, LineLayout::elements(mean.size()))
      .lines_to(&inverse, LineLayout::elements(inverse.size()))
      .run();
  return {y, mean, inverse};
}

Tensor rms_normalization_23(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  const int64_t axis = call.axis(x.rank());
  const LineLayout layout = LineLayout::from(x.shape(), axis);
  const Tensor& given = call.tensor("scale");
  const Tensor scale = broadcast_to_x(given, x, "scale");
  Tensor y(given.dtype(), x.shape());
  LineJob(kRmsNormalizationFormula, y.size() == 0 ? 0 : layout.lines())
      .computed_in(stash_type(call))
      .lines_of(x, layout)
      .lines_of(scale, layout)
      .constants({static_cast<double>(layout.length), call.real("epsilon")})
      .option(format_number(float_format(stash_type(call))))
      .option(format_number(float_format(x.dtype())))
      .lines_to(&y, layout)
      .run();
  return y;
}

}  // namespace

extern const Operator kLayerNormalization, kRMSNormalization;
const Operator kLayerNormalization{"ai.onnx", "LayerNormalization", {{.since = 17, .run = layer_normalization_17}}};
const Operator kRMSNormalization{"ai.onnx", "RMSNormalization", {{.since = 23, .run = rms_normalization_23}}};

}  // namespace onnxv
#endif
