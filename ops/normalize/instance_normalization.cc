// InstanceNormalization (1, 6, 22), GroupNormalization (18, 21), MeanVarianceNormalization (1, 9, 13), LpNormalization (1, 22).
#include "src/number/formula.h"
#include "src/number/ladder.h"

namespace onnxv {
namespace {

// One instance and channel. parameters: scale, bias; constants: count, epsilon.
constexpr auto instance_normalization = []<class Real>(In<Real> x, In<Real> parameters, In<Real> constants, Out<Real> y) {
  const Real mean = sum(x) / constants[0];
  for (size_t i = 0; i < x.size(); ++i) y[i] = x[i] - mean;
  const Real deviation = sqrt(dot(y, y) / constants[0] + constants[1]);
  for (Real& d : y) d = parameters[0] * (d / deviation) + parameters[1];
};

// One instance and group: scale and bias per element. options: [format of the stash type, format of X], kNoFormat: no rounding.
// Spec: rounds X to the stash type, the normalized value to the stash type and to X's type (21).
constexpr auto group = []<class Real>(Options formats, In<Real> given, In<Real> scale, In<Real> bias,
                                                    In<Real> constants, Out<Real> y) {
  std::vector<Real> x(given.size());
  const bool rounds = formats[0] != kNoFormat;
  for (size_t i = 0; i < x.size(); ++i) x[i] = rounds ? round_to(formats[0], given[i]) : given[i];
  const Real mean = sum(In<Real>{x.data(), x.size()}) / constants[0];
  for (Real& xi : x) xi = xi - mean;
  const In<Real> d{x.data(), x.size()};
  const Real deviation = sqrt(dot(d, d) / constants[0] + constants[1]);
  for (size_t i = 0; i < d.size(); ++i) {
    const Real exact = d[i] / deviation;
    const Real normalized = rounds ? round_to(formats[1], round_to(formats[0], exact)) : exact;
    y[i] = scale[i] * normalized + bias[i];
  }
};

// Spec: no epsilon stands in the text; a variance of 0 gives 0/0. options: [1: divide by the deviation].
constexpr auto standardize = []<class Real>(Options divide, In<Real> x, In<Real> constants, Out<Real> y) {
  const Real mean = sum(x) / constants[0];
  for (size_t i = 0; i < x.size(); ++i) y[i] = x[i] - mean;
  if (divide[0] == 0) return;
  const Real deviation = sqrt(dot(y, y) / constants[0]);
  for (Real& d : y) d = d / deviation;
};

// Spec: where the norm is 0 the result is 0.
constexpr auto lp_normalization = []<class Real>(Options p, In<Real> x, Out<Real> y) {
  for (size_t i = 0; i < x.size(); ++i) y[i] = abs(x[i]);
  const Real norm = p[0] == 1 ? sum(y) : sqrt(dot(y, y));
  for (size_t i = 0; i < x.size(); ++i) y[i] = select(norm == Real(0.0), Real(0.0), x[i] / norm);
};

// ---- the variance as E[x^2] - E[x]^2, as the function bodies have it ----

[[maybe_unused]] constexpr auto instance_normalization_body = []<class Real>(In<Real> x, In<Real> parameters, In<Real> constants,
                                                                             Out<Real> y) {
  const Real mean = sum(x) / constants[0];
  const Real deviation = sqrt(dot(x, x) / constants[0] - mean * mean + constants[1]);
  for (size_t i = 0; i < x.size(); ++i) y[i] = parameters[0] * ((x[i] - mean) / deviation) + parameters[1];
};
[[maybe_unused]] constexpr auto group_body = []<class Real>(Options formats, In<Real> given, In<Real> scale, In<Real> bias,
                                                            In<Real> constants, Out<Real> y) {
  std::vector<Real> x(given.size());
  const bool rounds = formats[0] != kNoFormat;
  for (size_t i = 0; i < x.size(); ++i) x[i] = rounds ? round_to(formats[0], given[i]) : given[i];
  const In<Real> line{x.data(), x.size()};
  const Real mean = sum(line) / constants[0];
  const Real deviation = sqrt(dot(line, line) / constants[0] - mean * mean + constants[1]);
  for (size_t i = 0; i < x.size(); ++i) {
    const Real exact = (x[i] - mean) / deviation;
    const Real normalized = rounds ? round_to(formats[1], round_to(formats[0], exact)) : exact;
    const Real scaled = scale[i] * normalized;
    y[i] = rounds ? round_to(formats[1], round_to(formats[1], scaled) + bias[i]) : scaled + bias[i];
  }
};
[[maybe_unused]] constexpr auto standardize_body = []<class Real>(Options divide, In<Real> x, In<Real> constants, Out<Real> y) {
  const Real mean = sum(x) / constants[0];
  const Real deviation = sqrt(dot(x, x) / constants[0] - mean * mean);
  for (size_t i = 0; i < x.size(); ++i) y[i] = divide[0] == 0 ? x[i] - mean : (x[i] - mean) / deviation;
};

}  // namespace
LINE_FORMULA(kInstanceNormalizationFormula, instance_normalization, 3, 1, instance_normalization_body)
LINE_FORMULA(kGroupNormalizationFormula, group, 4, 1, group_body)
LINE_FORMULA(kMeanVarianceFormula, standardize, 2, 1, standardize_body)
LINE_FORMULA(kLpNormalizationFormula, lp_normalization, 1, 1)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include <set>

#include "ops/normalize/moved_lines.h"
#include "ops/operator.h"
#include "src/number/float_lines.h"
#include "src/number/settled_lines.h"
#include "src/tensor/index.h"
#include "src/tensor/lines.h"
#include "src/tensor/some_lines.h"

namespace onnxv {
namespace {

void check_length(const Tensor& tensor, int64_t length, std::string_view port) {
  if (tensor.rank() != 1 || tensor.shape()[0] != length) {
    fail_schema("shape-mismatch", std::string(port) + " is " + tensor.shape().text(),
                "must be [" + std::to_string(length) + "]");
  }
}

// Lines of float32 by one bound each where `job` fits them; those that it leaves open, or all, by
// by_formula(lines, what number each has among all, result).
template <class ByFormula>
Tensor normalized(const Tensor& x, const Tensor& scale, const Tensor& bias, LineNormalization job, bool in_float, const ByFormula& by_formula) {
  Tensor y(x.dtype(), x.shape());
  if (y.size() == 0) return y;
  job.length = x.size() / job.lines;
  const bool fits = job.length >= kShortLine && (job.run == 1 || job.run >= kShortLine);
  const bool plain = in_float && x.dtype() == DType::kFloat && scale.dtype() == DType::kFloat && bias.dtype() == DType::kFloat;
  if (!plain || !fits || !lanes_suffice()) {
    by_formula(x, [](size_t line) { return line; }, &y);
    return y;
  }
  job.x = x.as<float>().data();
  job.scale = scale.as<float>().data();
  job.bias = bias.as<float>().data();
  job.y = y.mutable_as<float>().data();
  const std::vector<size_t> open = normalize_lines(job);
  count_settled((job.lines - open.size()) * job.length, job.lines - open.size());
  if (open.empty()) return y;
  const Tensor lines = lines_at(x, job.length, open);
  Tensor rest(lines.dtype(), lines.shape());
  by_formula(lines, [&](size_t line) { return open[line]; }, &rest);
  put_lines(rest, open, &y);
  return y;
}

Tensor instance_normalization_1(const OpCall& call) {
  const Tensor& x = call.tensor("input");
  const Tensor& scale = call.tensor("scale");
  const Tensor& bias = call.tensor("B");
  if (x.rank() < 3) fail_schema("rank", "input is " + x.shape().text(), "must have rank 3 or more");
  const int64_t channels = x.shape()[1];
  check_length(scale, channels, "scale");
  check_length(bias, channels, "B");
  const LineLayout whole = LineLayout::from(x.shape(), 2);
  std::vector<double> scales(scale.size() + 1), biases(bias.size() + 1);
  decode_elements(scale, 0, scale.size(), scales.data());
  decode_elements(bias, 0, bias.size(), biases.data());
  const auto by_formula = [&](const Tensor& lines, const auto& number, Tensor* y) {
    const LineLayout layout{lines.size() / whole.length, whole.length, 1};
    LineJob(kInstanceNormalizationFormula, layout.lines())
        .lines_of(lines, layout)
        .computed(2, [&](size_t line, double* values) {
          values[0] = scales[number(line) % scale.size()];
          values[1] = biases[number(line) % bias.size()];
        })
        .constants({static_cast<double>(layout.length), call.real("epsilon")})
        .lines_to(y, layout)
        .run();
  };
  const LineNormalization job{.lines = whole.lines(), .run = whole.length, .groups = scale.size(), .epsilon = call.real("epsilon"),
                              .centered = true, .rounds_quotient = false};
  return normalized(x, scale, bias, job, true, by_formula);
}

// `per_group`: scale and bias have one element per group (18), else one per channel (21).
Tensor group_normalization(const OpCall& call, bool per_group) {
  const Tensor& x = call.tensor("X");
  const Tensor& scale = call.tensor("scale");
  const Tensor& bias = call.tensor("bias");
  const int64_t groups = call.integer("num_groups");
  if (x.rank() < 2) fail_schema("rank", "X is " + x.shape().text(), "must have rank 2 or more");
  const int64_t channels = x.shape()[1];
  if (groups <= 0 || channels % groups != 0) {
    fail_schema("attribute-value", "num_groups is " + std::to_string(groups) + " for " + std::to_string(channels) + " channels",
                "must divide them");
  }
  check_length(scale, per_group ? groups : channels, "scale");
  check_length(bias, per_group ? groups : channels, "bias");
  if (x.size() == 0) return Tensor(x.dtype(), x.shape());
  const size_t count = static_cast<size_t>(x.shape()[0] * groups), length = x.size() / count;
  const size_t spatial = static_cast<size_t>(x.shape().elements(2, x.rank()));
  const bool rounds = !per_group;
  const DType computed = rounds ? call.float_type("stash_type") : x.dtype();
  const auto by_formula = [&](const Tensor& lines, const auto& number, Tensor* y) {
    // Position of the parameter of element i of a line.
    const auto positions = [&](size_t line, int64_t* at) {
      const size_t group = number(line) % static_cast<size_t>(groups);
      const size_t in_group = static_cast<size_t>(channels / groups);
      for (size_t i = 0; i < length; ++i) {
        at[i] = static_cast<int64_t>(per_group ? group : group * in_group + i / spatial);
      }
    };
    const LineLayout layout{lines.size() / length, length, 1};
    LineJob(kGroupNormalizationFormula, layout.lines())
        .computed_in(computed)
        .lines_of(lines, layout)
        .gathered(scale, length, positions)
        .gathered(bias, length, positions)
        .constants({static_cast<double>(length), call.real("epsilon")})
        .option(rounds ? format_number(float_format(computed)) : kNoFormat)
        .option(format_number(float_format(x.dtype())))
        .lines_to(y, layout)
        .run();
  };
  const LineNormalization job{.lines = count, .run = per_group ? length : spatial, .groups = static_cast<size_t>(groups),
                              .epsilon = call.real("epsilon"), .centered = true, .rounds_quotient = rounds};
  return normalized(x, scale, bias, job, computed == DType::kFloat, by_formula);
}

Tensor group_normalization_18(const OpCall& call) { return group_normalization(call, true); }
Tensor group_normalization_21(const OpCall& call) { return group_normalization(call, false); }

Tensor mean_variance(const Tensor& x, const std::vector<int64_t>& axes, bool divide) {
  const Reduction view = reduced_view(x, axes, false);
  Tensor y(x.dtype(), view.moved.shape());
  const LineLayout layout{view.lines(), view.length(), 1};
  LineJob(kMeanVarianceFormula, y.size() == 0 ? 0 : view.lines())
      .lines_of(view.moved, layout)
      .constants({static_cast<double>(view.length())})
      .option(divide ? 1 : 0)
      .lines_to(&y, layout)
      .run();
  return moved_back(y, x.shape(), axes);
}

// Choice: rank 4, statistics over the batch too (as version 9's default axes), 0 variance gives NaN.
Tensor mean_variance_normalization_1(const OpCall& call) {
  const Tensor& x = call.inputs()[0].tensor();
  if (x.rank() != 4) fail_schema("rank", "the input is " + x.shape().text(), "must have rank 4");
  const bool across = call.integer_or("across_channels", 0) != 0;
  const std::vector<int64_t> axes = across ? std::vector<int64_t>{0, 1, 2, 3} : std::vector<int64_t>{0, 2, 3};
  return mean_variance(x, axes, call.integer_or("normalize_variance", 1) != 0);
}

Tensor mean_variance_normalization_9(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  std::vector<int64_t> axes = call.integers("axes");
  for (int64_t& axis : axes) axis = normalized_axis(axis, x.rank(), "axes");
  if (std::set<int64_t>(axes.begin(), axes.end()).size() != axes.size()) {
    fail_schema("attribute-value", "axes names an axis twice", "must name each axis once");
  }
  return mean_variance(x, axes, true);
}

Tensor lp_normalization_1(const OpCall& call) {
  const Tensor& x = call.tensor("input");
  const int64_t p = call.integer("p");
  if (p != 1 && p != 2) fail_schema("attribute-value", "p is " + std::to_string(p), "must be 1 or 2");
  return map_lines(kLpNormalizationFormula, x, LineLayout::along(x.shape(), call.axis(x.rank())), x.dtype(), {}, {p});
}

}  // namespace

extern const Operator kInstanceNormalization, kGroupNormalization, kMeanVarianceNormalization, kLpNormalization;
const Operator kInstanceNormalization{"ai.onnx", "InstanceNormalization",
                                      {{.since = 1, .also = {6, 22}, .run = instance_normalization_1}}};
const Operator kGroupNormalization{"ai.onnx", "GroupNormalization",
                                   {{.since = 18, .run = group_normalization_18},
                                    {.since = 21, .run = group_normalization_21}}};
const Operator kMeanVarianceNormalization{"ai.onnx", "MeanVarianceNormalization",
                                          {{.since = 1, .run = mean_variance_normalization_1},
                                           {.since = 9, .also = {13}, .run = mean_variance_normalization_9}}};
const Operator kLpNormalization{"ai.onnx", "LpNormalization", {{.since = 1, .also = {22}, .run = lp_normalization_1}}};

}  // namespace onnxv
#endif
