// Softmax: y_i = exp(x_i) / sum_j exp(x_j) along each line. LogSoftmax: its logarithm.
//   since 1   a line is everything from `axis` on, flattened (11: negative axes)
//   since 13  a line runs along `axis` alone
#include "src/number/formula.h"

namespace onnxv {
namespace {

// Multiplying both halves by exp(-c) changes nothing; with c the largest finite x nothing overflows.
constexpr auto softmax = []<class Real>(In<Real> x, Out<Real> y) {
  const Real c = shift_of(x);
  for (size_t i = 0; i < x.size(); ++i) y[i] = exp(x[i] - c);
  const Real total = sum(y);
  for (Real& yi : y) yi = yi / total;
};

// (x_i - c) - ln(total), total = m + rest: m elements are c itself and give exactly 1 each. ln(m) + ln(1 + rest / m) keeps
// the sign of a result that underflows.
constexpr auto log_softmax = []<class Real>(In<Real> x, Out<Real> y) {
  const Real c = shift_of(x);
  Real m(0.0);
  for (size_t i = 0; i < x.size(); ++i) {
    m = m + select(x[i] == c, Real(1.0), Real(0.0));
    y[i] = select(x[i] == c, Real(0.0), exp(x[i] - c));
  }
  const Real rest = sum(y);
  const Real log_total = log(m) + log1p(rest / m);
  // Choice: the text's Log(Softmax) gives NaN at +inf and -inf elsewhere; the function body makes the whole row NaN.
  const Real shifted = select(rest == Real(__builtin_inf()), Real(__builtin_nan("")), log_total);
  for (size_t i = 0; i < x.size(); ++i) y[i] = (x[i] - c) - shifted;
};

// The text's Exp(x) / ReduceSum(Exp(x)), and its logarithm; the function body's x - max - Log(ReduceSum(Exp(x - max))).
[[maybe_unused]] constexpr auto softmax_text = []<class Real>(In<Real> x, Out<Real> y) {
  for (size_t i = 0; i < x.size(); ++i) y[i] = exp(x[i]);
  const Real total = sum(y);
  for (Real& yi : y) yi = yi / total;
};
[[maybe_unused]] constexpr auto log_softmax_text = []<class Real>(In<Real> x, Out<Real> y) {
  softmax(x, y);
  for (Real& yi : y) yi = log(yi);
};
[[maybe_unused]] constexpr auto log_softmax_body = []<class Real>(In<Real> x, Out<Real> y) {
  const Real c = shift_of(x);
  for (size_t i = 0; i < x.size(); ++i) y[i] = exp(x[i] - c);
  const Real log_total = log(sum(y));
  for (size_t i = 0; i < x.size(); ++i) y[i] = (x[i] - c) - log_total;
};

}  // namespace
LINE_FORMULA(kSoftmaxFormula, softmax, 1, 1, softmax_text)
LINE_FORMULA(kLogSoftmaxFormula, log_softmax, 1, 1, log_softmax_text, log_softmax_body)
}  // namespace onnxv

#ifndef ONNXV_LANES

#include <algorithm>
#include <limits>

#include "ops/operator.h"
#include "src/number/float_lines.h"
#include "src/number/settled_lines.h"
#include "src/tensor/lines.h"
#include "src/tensor/some_lines.h"

namespace onnxv {
namespace {

const Tensor& x_of(const OpCall& call) { return call.inputs()[0].tensor(); }  // "input" or "X"

// By blocks that stay in the cache: nearly every tensor ends here.
bool holds_infinity(const Tensor& x) {
  constexpr size_t kBlock = 4096;
  double values[kBlock];
  for (size_t start = 0; start < x.size(); start += kBlock) {
    const size_t count = std::min(kBlock, x.size() - start);
    decode_elements(x, start, count, values);
    if (std::find(values, values + count, std::numeric_limits<double>::infinity()) != values + count) return true;
  }
  return false;
}

// Rows with +inf: text and function body contradict each other.
void mark_infinite_rows(const OpCall& call, LineLayout layout, const char* slug) {
  const Tensor& x = x_of(call);
  if (!holds_infinity(x)) return;
  std::vector<double> values(x.size());
  decode_elements(x, 0, x.size(), values.data());
  std::vector<uint8_t> marks(x.size(), 0);
  const auto at = [&](size_t line, size_t i) {
    return (line / layout.inner * layout.length + i) * layout.inner + line % layout.inner;
  };
  for (size_t line = 0; line < layout.lines(); ++line) {
    bool infinite = false;
    for (size_t i = 0; i < layout.length; ++i) {
      infinite = infinite || values[at(line, i)] == std::numeric_limits<double>::infinity();
    }
    for (size_t i = 0; infinite && i < layout.length; ++i) marks[at(line, i)] = 1;
  }
  call.mark_unspecified(0, slug, std::move(marks));
}

LineLayout flattened(const OpCall& call) { return LineLayout::from(x_of(call).shape(), call.axis(x_of(call).rank())); }
LineLayout along_axis(const OpCall& call) { return LineLayout::along(x_of(call).shape(), call.axis(x_of(call).rank())); }

// One of the two operators: the formula, its lines of float32 by one bound each, what its marks are called.
struct Exponentials {
  const Formula& formula;
  std::vector<size_t> (*settle)(const float* x, size_t lines, size_t length, float* y);
  const char* slug;
};
const Exponentials kShares{kSoftmaxFormula, softmax_lines, "softmax-infinity"};
const Exponentials kLogarithms{kLogSoftmaxFormula, log_softmax_lines, "log-softmax-infinity"};

// The lines that their bound leaves open, any with +inf among them, by the formula.
Tensor normalized(const OpCall& call, const Exponentials& by, LineLayout layout) {
  const Tensor& x = x_of(call);
  if (x.dtype() != DType::kFloat || layout.inner != 1 || layout.length < kShortLine || !lanes_suffice()) {
    mark_infinite_rows(call, layout, by.slug);
    return map_lines(by.formula, x, layout, x.dtype());
  }
  Tensor y = Tensor::unfilled(x.dtype(), x.shape());
  const auto open = by.settle(x.as<float>().data(), layout.outer, layout.length, y.mutable_as<float>().data());
  count_settled((layout.outer - open.size()) * layout.length, layout.outer - open.size());
  if (!open.empty()) {
    mark_infinite_rows(call, layout, by.slug);
    const Tensor rest = lines_at(x, layout.length, open);
    put_lines(map_lines(by.formula, rest, {open.size(), layout.length, 1}, x.dtype()), open, &y);
  }
  return y;
}
Tensor softmax_1(const OpCall& call) { return normalized(call, kShares, flattened(call)); }
Tensor softmax_13(const OpCall& call) { return normalized(call, kShares, along_axis(call)); }
Tensor log_softmax_1(const OpCall& call) { return normalized(call, kLogarithms, flattened(call)); }
Tensor log_softmax_13(const OpCall& call) { return normalized(call, kLogarithms, along_axis(call)); }

}  // namespace

extern const Operator kSoftmax, kLogSoftmax;
const Operator kSoftmax{"ai.onnx", "Softmax",
                        {{.since = 1, .also = {11}, .run = softmax_1}, {.since = 13, .run = softmax_13}}};
const Operator kLogSoftmax{"ai.onnx", "LogSoftmax",
                           {{.since = 1, .also = {11}, .run = log_softmax_1}, {.since = 13, .run = log_softmax_13}}};

}  // namespace onnxv
#endif
