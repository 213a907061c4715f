// BatchNormalization: Y = (X - mean) / sqrt(var + epsilon) * scale + B per channel (axis 1).
//   since 1   is_test and spatial choose (6: the same); is_test 0 is the default and uses the batch's statistics
//   since 7   one output: the given statistics; more: the batch's (9: spatial is gone)
//   since 14  training_mode chooses; outputs Y, running_mean, running_var (15: three types)
#include "src/number/formula.h"

namespace onnxv {
namespace {

constexpr auto normalize_by = []<class Real>(Real x, Real scale, Real bias, Real mean, Real variance, Real epsilon) -> Real {
  return (x - mean) / sqrt(variance + epsilon) * scale + bias;
};

// One product and one sum, the two factors made once for each channel.
[[maybe_unused]] constexpr auto normalize_folded = []<class Real>(Real x, Real scale, Real bias, Real mean, Real variance,
                                                                  Real epsilon) -> Real {
  const Real factor = scale / sqrt(variance + epsilon);
  return x * factor + (bias - mean * factor);
};

// One channel: statistics of the batch. constants: count, epsilon, momentum; parameters: scale, bias, old mean, old variance.
constexpr auto train = []<class Real>(In<Real> x, In<Real> parameters, In<Real> constants, Out<Real> y, Out<Real> running_mean,
                                      Out<Real> running_variance, Out<Real> saved_mean, Out<Real> saved_variance) {
  const Real count = constants[0], epsilon = constants[1], momentum = constants[2];
  const Real mean = sum(x) / count;
  for (size_t i = 0; i < x.size(); ++i) y[i] = x[i] - mean;
  const Real variance = dot(y, y) / count;
  const Real deviation = sqrt(variance + epsilon);
  for (Real& d : y) d = d / deviation * parameters[0] + parameters[1];
  const Real rest = Real(1.0) - momentum;
  running_mean[0] = parameters[2] * momentum + mean * rest;
  running_variance[0] = parameters[3] * momentum + variance * rest;
  saved_mean[0] = mean;
  saved_variance[0] = variance;
};

}  // namespace
ELEMENTWISE_FORMULA(kBatchNormalizationFormula, normalize_by, 6, normalize_folded)
LINE_FORMULA(kBatchTrainingFormula, train, 3, 5)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include <algorithm>
#include <mutex>
#include <optional>

#include "ops/normalize/moved_lines.h"
#include "ops/operator.h"
#include "src/base/parallel.h"
#include "src/number/float_arithmetic.h"
#include "src/number/format.h"
#include "src/number/over_root.h"
#include "src/number/settled_lines.h"
#include "src/tensor/index.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

// Where statistics are shared: per channel, or (spatial = 0) per feature: all axes but the batch.
struct Channels {
  Shape parameters;  // what scale, B, mean and var must have elements for
  Shape aligned;     // the same, broadcasting to X
  std::vector<int64_t> axes;  // reduced
};

Channels channels_of(const Tensor& x, bool spatial) {
  const int64_t rank = x.rank();
  if (rank == 0) fail_schema("rank", "X is a scalar", "must have rank 1 or more");
  Channels channels;
  const int64_t features_end = spatial ? std::min<int64_t>(2, rank) : rank;
  channels.aligned = Shape(std::vector<int64_t>(static_cast<size_t>(rank), 1));
  for (int64_t axis = 0; axis < rank; ++axis) {
    if (axis >= 1 && axis < features_end) {
      channels.parameters.push_back(x.shape()[axis]);
      channels.aligned[axis] = x.shape()[axis];
    } else {
      channels.axes.push_back(axis);
    }
  }
  if (rank == 1) channels.parameters = Shape{1};  // (N): one channel
  return channels;
}

Tensor parameter(const OpCall& call, size_t input, const Channels& channels, std::string_view port) {
  const Tensor& given = call.inputs()[input].tensor();
  if (given.shape() == channels.parameters) return given.reshaped(channels.aligned);
  // Choice: with spatial = 0 a parameter per channel is broadcast over the other features.
  if (given.rank() == 1 && channels.aligned.rank() > 2 && given.shape()[0] == channels.aligned[1]) {
    Shape per_channel = channels.aligned;
    for (int64_t axis = 2; axis < per_channel.rank(); ++axis) per_channel[axis] = 1;
    return broadcast_to(given.reshaped(per_channel), channels.aligned);
  }
  fail_schema("shape-mismatch", std::string(port) + " is " + given.shape().text(),
              "must be " + channels.parameters.text());
}

// One float32 X, scale, B, mean and var per channel.
class FloatChannels {
 public:
  FloatChannels(std::span<const Tensor> operands, double epsilon)
      : x_(operands[0]), channels_(operands[1].size()), inner_(static_cast<size_t>(x_.shape().elements(2, x_.rank()))) {
    std::vector<double> columns[4];
    for (size_t k = 0; k < 4; ++k) {
      columns[k].resize(channels_);
      decode_elements(operands[k + 1], 0, channels_, columns[k].data());
    }
    for (size_t c = 0; c < channels_; ++c) {
      const Enclosed factor = over_root(columns[0][c], columns[3][c], epsilon);
      enclosed_ = enclosed_ && double_is_finite(factor.radius);
      affine_.push_back({columns[2][c], factor.midpoint, columns[1][c]});
    }
  }
  // False: of some factor the machine's operations say nothing.
  bool enclosed() const { return enclosed_; }
  size_t channel_of(size_t element) const { return element / inner_ % channels_; }

  // Fills y but for the elements, ascending, that are returned.
  std::vector<size_t> fill(Tensor& y) const {
    const float* from = x_.as<float>().data();
    float* to = y.mutable_as<float>().data();
    std::vector<size_t> open;
    std::mutex mutex;
    constexpr size_t kGrain = size_t{1} << 15;
    parallel_for(x_.size() / inner_, std::max<size_t>(1, kGrain / inner_), [&](size_t begin, size_t end) {
      for (size_t first = begin * inner_; first < end * inner_; first += inner_) {
        const std::vector<size_t> left = affine_floats(from + first, inner_, affine_[channel_of(first)], to + first);
        if (left.empty()) continue;
        const std::lock_guard lock(mutex);
        for (const size_t i : left) open.push_back(first + i);
      }
    });
    std::sort(open.begin(), open.end());
    return open;
  }

 private:
  const Tensor& x_;
  size_t channels_, inner_;
  std::vector<Affine> affine_;
  bool enclosed_ = true;
};

// Nothing where X is not float32, the parameters are not one for each channel, or some factor is at the ends of what a double
// holds.
std::optional<Tensor> by_floats(const Channels& channels, std::span<const Tensor> operands, double epsilon) {
  const Tensor& x = operands[0];
  const bool fits = x.dtype() == DType::kFloat && x.size() != 0 && x.rank() >= 2 && channels.parameters == Shape{x.shape()[1]};
  if (!fits || !lanes_suffice()) return {};
  const FloatChannels floats(operands, epsilon);
  if (!floats.enclosed()) return {};
  Tensor y = Tensor::unfilled(x.dtype(), x.shape());
  const std::vector<size_t> open = floats.fill(y);
  count_settled(y.size() - open.size(), y.size() - open.size());
  if (open.empty()) return y;
  std::vector<int64_t> elements(open.begin(), open.end()), of_channels;
  for (const size_t element : open) of_channels.push_back(static_cast<int64_t>(floats.channel_of(element)));
  const Shape list{static_cast<int64_t>(open.size())};
  std::vector<Tensor> rest{gather_elements(x, list, elements)};
  for (const Tensor& parameter : operands.subspan(1)) rest.push_back(gather_elements(parameter, list, of_channels));
  const Tensor exact = map_elements(kBatchNormalizationFormula, x.dtype(), rest, {epsilon});
  for (size_t i = 0; i < open.size(); ++i) y.mutable_as<float>()[open[i]] = exact.as<float>()[i];
  return y;
}

Tensor inference(const OpCall& call, bool spatial) {
  const Tensor& x = call.tensor("X");
  const Channels channels = channels_of(x, spatial);
  const Tensor operands[] = {x, parameter(call, 1, channels, "scale"), parameter(call, 2, channels, "B"),
                             parameter(call, 3, channels, "mean"), parameter(call, 4, channels, "var")};
  if (const auto y = by_floats(channels, operands, call.real("epsilon"))) return *y;
  return map_elements(kBatchNormalizationFormula, x.dtype(), operands, {call.real("epsilon")});
}

// Y, running mean and variance, batch mean and variance.
Outputs training(const OpCall& call, bool spatial) {
  const Tensor& x = call.tensor("X");
  const Channels channels = channels_of(x, spatial);
  const Tensor scale = parameter(call, 1, channels, "scale"), bias = parameter(call, 2, channels, "B");
  const Tensor mean = parameter(call, 3, channels, "mean"), variance = parameter(call, 4, channels, "var");
  const Reduction view = reduced_view(x, channels.axes, false);
  const size_t lines = view.lines();
  const LineLayout layout{lines, view.length(), 1};
  std::vector<double> parameters(4 * lines);
  const Tensor* const columns[] = {&scale, &bias, &mean, &variance};
  for (size_t k = 0; k < 4; ++k) {
    std::vector<double> values(lines + 1);
    decode_elements(*columns[k], 0, lines, values.data());
    for (size_t line = 0; line < lines; ++line) parameters[4 * line + k] = values[line];
  }
  const Shape& out = call.inputs()[3].tensor().shape();
  Tensor y(x.dtype(), view.moved.shape());
  Tensor running_mean(mean.dtype(), out), running_variance(variance.dtype(), out);
  Tensor saved_mean(mean.dtype(), out), saved_variance(variance.dtype(), out);
  const LineLayout each = LineLayout::elements(lines);
  LineJob(kBatchTrainingFormula, lines)
      .lines_of(view.moved, layout)
      .computed(4, [&](size_t line, double* values) { std::copy_n(parameters.data() + 4 * line, 4, values); })
      .constants({static_cast<double>(view.length()), call.real("epsilon"), call.real("momentum")})
      .lines_to(&y, layout)
      .lines_to(&running_mean, each)
      .lines_to(&running_variance, each)
      .lines_to(&saved_mean, each)
      .lines_to(&saved_variance, each)
      .run();
  return {moved_back(y, x.shape(), channels.axes), running_mean, running_variance, saved_mean, saved_variance};
}

Outputs batch_normalization_1(const OpCall& call) {
  const bool spatial = call.integer("spatial") != 0;
  if (call.integer("is_test") != 0) return {inference(call, spatial)};
  return training(call, spatial);
}

Outputs batch_normalization_7(const OpCall& call) {
  const bool spatial = call.integer_or("spatial", 1) != 0;
  size_t wanted = 0;
  for (size_t output = 0; output < call.output_count(); ++output) wanted += call.wants(output) ? 1 : 0;
  if (wanted <= 1 && call.output_count() <= 1) return {inference(call, spatial)};
  return training(call, spatial);
}

Outputs batch_normalization_14(const OpCall& call) {
  if (call.integer("training_mode") != 0) {
    Outputs outputs = training(call, true);
    outputs.resize(3);
    return outputs;
  }
  for (size_t output = 1; output < call.output_count(); ++output) {
    if (call.wants(output)) {
      fail_schema("output-invalid", "an output beside Y is wanted with training_mode 0", "only Y exists then");
    }
  }
  return {inference(call, true)};
}

}  // namespace

extern const Operator kBatchNormalization;
const Operator kBatchNormalization{"ai.onnx", "BatchNormalization",
                                   {{.since = 1, .also = {6}, .run = batch_normalization_1},
                                    {.since = 7, .also = {9}, .run = batch_normalization_7},
                                    {.since = 14, .also = {15}, .run = batch_normalization_14}}};

}  // namespace onnxv
#endif
