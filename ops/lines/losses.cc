// NegativeLogLikelihoodLoss (12, 13, 22) and SoftmaxCrossEntropyLoss (12, 13): exact from end to end, one rounding.
#include "src/number/formula.h"

namespace onnxv {
namespace {

// The samples of one result, the label's element first in each. options: [classes, 1: the elements are scores, 1: divide by the
// weights, 1: samples were ignored]. weights: one per sample.
constexpr auto loss = []<class Real>(Options options, In<Real> elements, In<Real> weights, Out<Real> y) {
  const size_t classes = static_cast<size_t>(options[0]);
  std::vector<Real> losses(weights.size());
  for (size_t n = 0; n < weights.size(); ++n) {
    const In<Real> x = elements.part(n * classes, classes);
    Real log_probability = x[0];
    if (options[1] != 0) {
      // As LogSoftmax: (x - c) - (ln(m) + ln(1 + rest / m)).
      const Real c = shift_of(x);
      Real m(0.0);
      std::vector<Real> terms(classes);
      for (size_t i = 0; i < classes; ++i) {
        m = m + select(x[i] == c, Real(1.0), Real(0.0));
        terms[i] = select(x[i] == c, Real(0.0), exp(x[i] - c));
      }
      const Real rest = sum(In<Real>{terms.data(), classes});
      const Real log_total = log(m) + log1p(rest / m);
      log_probability = (x[0] - c) - select(rest == Real(__builtin_inf()), Real(__builtin_nan("")), log_total);
      if constexpr (reads_every_form<Real>) {  // the text's Log(Softmax(x)), and x - max - Log(ReduceSum(Exp(x - max)))
        for (size_t i = 0; i < classes; ++i) terms[i] = exp(x[i] - c);
        const Real total = sum(In<Real>{terms.data(), classes});
        join(&log_probability, log(terms[0] / total));
        join(&log_probability, (x[0] - c) - log(total));
      }
    }
    losses[n] = -log_probability * weights[n];
  }
  // Spec: the loss of an ignored sample is 0, a term of the sum: beside it no sum is -0.
  if (options[3] != 0) losses.push_back(Real(0.0));
  const Real total = sum(In<Real>{losses.data(), losses.size()});
  y[0] = options[2] != 0 ? total / sum(weights) : total;
};

}  // namespace
LINE_FORMULA(kLossFormula, loss, 2, 1)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include <algorithm>

#include "ops/operator.h"
#include "src/tensor/index.h"
#include "src/tensor/lines.h"

namespace onnxv {

extern const Formula kLogSoftmaxFormula;  // softmax.cc

namespace {

struct Samples {
  const Tensor& input;
  std::vector<int64_t> labels;  // one per sample
  std::vector<double> weights;  // one per class
  std::vector<bool> ignored;    // one per sample
  int64_t classes = 0, inner = 1;
  // Position of class `c` of a sample.
  int64_t at(size_t sample, int64_t c) const {
    const int64_t n = static_cast<int64_t>(sample);
    return (n / inner * classes + c) * inner + n % inner;
  }
};

Samples samples_of(const OpCall& call, const Tensor& input, const Tensor& target, const Tensor* weight) {
  if (input.rank() < 2) fail_schema("rank", "the input is " + input.shape().text(), "must have rank 2 or more");
  Shape expected = input.shape();
  expected.erase(1);
  if (target.shape() != expected) {
    fail_schema("shape-mismatch", "the labels are " + target.shape().text(), "must be " + expected.text());
  }
  Samples samples{input, int64_values(target), {}, {}, input.shape()[1], input.shape().elements(2, input.rank())};
  samples.weights.assign(static_cast<size_t>(samples.classes), 1.0);
  if (weight != nullptr) {
    if (weight->rank() != 1 || weight->shape()[0] != samples.classes) {
      fail_schema("shape-mismatch", "the weights are " + weight->shape().text(), "must be [" + std::to_string(samples.classes) + "]");
    }
    decode_elements(*weight, 0, weight->size(), samples.weights.data());
  }
  const bool ignores = call.has_attribute("ignore_index");
  const int64_t ignore_index = call.integer_or("ignore_index", 0);
  for (size_t n = 0; n < samples.labels.size(); ++n) {
    const int64_t label = samples.labels[n];
    samples.ignored.push_back(ignores && label == ignore_index);
    if (!samples.ignored[n] && (label < 0 || label >= samples.classes)) {
      fail_undefined("label-range", "label " + std::to_string(n) + " is " + std::to_string(label),
                     "must be in [0, " + std::to_string(samples.classes - 1) + "]");
    }
  }
  return samples;
}

// The classes of some samples, the label first.
LineJob::Positions label_first(const Samples& samples, std::vector<size_t> of_line, size_t per_line) {
  return [&samples, of_line = std::move(of_line), per_line](size_t line, int64_t* at) {
    for (size_t k = 0; k < per_line; ++k) {
      const size_t n = of_line[line * per_line + k];
      const int64_t label = samples.ignored[n] ? 0 : samples.labels[n];
      *at++ = samples.at(n, label);
      for (int64_t c = 0; c < samples.classes; ++c) {
        if (c != label) *at++ = samples.at(n, c);
      }
    }
  };
}

Tensor each_loss(const Samples& samples, const Shape& shape, bool scores) {
  Tensor y(samples.input.dtype(), shape);
  std::vector<size_t> all(y.size());
  for (size_t n = 0; n < all.size(); ++n) all[n] = n;
  LineJob(kLossFormula, samples.classes == 0 ? 0 : y.size())
      .gathered(samples.input, static_cast<size_t>(samples.classes), label_first(samples, all, 1))
      .computed(1, [&](size_t n, double* w) { *w = samples.ignored[n] ? 0.0 : samples.weights[static_cast<size_t>(samples.labels[n])]; })
      .option(samples.classes)
      .option(scores ? 1 : 0)
      .option(0)
      .option(0)
      .lines_to(&y, LineLayout::elements(y.size()))
      .run();
  // Spec: an ignored sample's loss is 0, whatever its input holds.
  for (size_t n = 0; n < y.size(); ++n) {
    if (samples.ignored[n]) y.set_code(n, 0);
  }
  return y;
}

Tensor one_loss(const OpCall& call, const Samples& samples, bool scores, bool mean) {
  std::vector<size_t> kept;
  std::vector<double> weights;
  for (size_t n = 0; n < samples.labels.size(); ++n) {
    if (samples.ignored[n]) continue;
    kept.push_back(n);
    weights.push_back(samples.weights[static_cast<size_t>(samples.labels[n])]);
  }
  const size_t count = kept.size();
  Tensor y(samples.input.dtype(), {});
  LineJob(kLossFormula, 1)
      .gathered(samples.input, count * static_cast<size_t>(samples.classes), label_first(samples, kept, count))
      .computed(count, [&](size_t, double* w) { std::copy(weights.begin(), weights.end(), w); })
      .option(samples.classes)
      .option(scores ? 1 : 0)
      .option(mean ? 1 : 0)
      .option(count < samples.labels.size() ? 1 : 0)
      .lines_to(&y, LineLayout::elements(1))
      .run();
  const bool no_weight = std::all_of(weights.begin(), weights.end(), [](double w) { return w == 0; });
  if (mean && no_weight) call.mark_unspecified(0, "loss-without-weight");
  return y;
}

Tensor loss_of(const OpCall& call, const Samples& samples, const Shape& shape, bool scores) {
  const std::string& reduction = call.text("reduction");
  if (reduction == "none") return each_loss(samples, shape, scores);
  if (reduction == "sum" || reduction == "mean") return one_loss(call, samples, scores, reduction == "mean");
  fail_schema("attribute-value", "reduction is \"" + reduction + "\"", "must be none, sum or mean");
}

Tensor negative_log_likelihood_loss_12(const OpCall& call) {
  const Tensor& target = call.tensor("target");
  const Samples samples = samples_of(call, call.tensor("input"), target, call.optional_tensor("weight"));
  return loss_of(call, samples, target.shape(), false);
}

Outputs softmax_cross_entropy_loss_12(const OpCall& call) {
  const Tensor& scores = call.tensor("scores");
  const Tensor& labels = call.tensor("labels");
  const Samples samples = samples_of(call, scores, labels, call.optional_tensor("weights"));
  Outputs outputs{loss_of(call, samples, labels.shape(), true)};
  if (call.wants(size_t{1})) {
    outputs.emplace_back(map_lines(kLogSoftmaxFormula, scores, LineLayout::along(scores.shape(), 1), scores.dtype()));
  }
  return outputs;
}

}  // namespace

extern const Operator kNegativeLogLikelihoodLoss, kSoftmaxCrossEntropyLoss;
const Operator kNegativeLogLikelihoodLoss{"ai.onnx", "NegativeLogLikelihoodLoss",
                                          {{.since = 12, .also = {13, 22}, .run = negative_log_likelihood_loss_12}}};
const Operator kSoftmaxCrossEntropyLoss{"ai.onnx", "SoftmaxCrossEntropyLoss",
                                        {{.since = 12, .also = {13}, .run = softmax_cross_entropy_loss_12}}};

}  // namespace onnxv
#endif
