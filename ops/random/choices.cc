// Bernoulli (15, 22): 1 where a uniform draw from [0, 1) is below p. Multinomial (7, 22): classes drawn by their unnormalised
// log-probabilities. Both decide exactly.
//   22  adds bfloat16
#include "src/number/formula.h"

namespace onnxv {
namespace {

constexpr auto below = []<class Real>(Real p, Real k) -> Real {
  return select(k * Real(0x1p-53) < p, Real(1.0), Real(0.0));
};

// The number of classes whose probabilities, summed from the first, do not exceed u = k / 2^53: the first class that does is
// drawn. The probabilities are exp(x - c) / total, c an x: a class at -inf adds nothing, and is never the first to exceed.
constexpr auto classes = []<class Real>(In<Real> x, In<Real> k, Out<Real> y) {
  const Real c = shift_of(x);
  Real total(0.0), reached(0.0);
  for (size_t j = 0; j < x.size(); ++j) total = total + exp(x[j] - c);
  for (Real& yi : y) yi = Real(0.0);
  for (size_t j = 0; j < x.size(); ++j) {
    reached = reached + exp(x[j] - c);
    for (size_t i = 0; i < k.size(); ++i) {
      y[i] = y[i] + select(reached <= total * (k[i] * Real(0x1p-53)), Real(1.0), Real(0.0));
    }
  }
};

}  // namespace
ELEMENTWISE_FORMULA(kBernoulliFormula, below, 2)
LINE_FORMULA(kMultinomialFormula, classes, 2, 1)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include <algorithm>
#include <limits>

#include "ops/random/draws.h"
#include "src/tensor/index.h"

namespace onnxv {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool holds_a_bit(DType dtype, int) {
  const bool number = is_integer(dtype) && dtype_bits(dtype) >= 8;
  return number || dtype == DType::kBool || dtype == DType::kFloat || dtype == DType::kFloat16 ||
         dtype == DType::kDouble || dtype == DType::kBfloat16;
}

// Erratum: the function body compares the draw the wrong way round (it gives 1 with probability 1 - p); the text wins.
Tensor bernoulli_15(const OpCall& call) {
  const Tensor& p = call.tensor("input");
  const DType dtype = drawn_type(call, p.dtype(), holds_a_bit,
                                 "float16, bfloat16, float, double, bool or an integer of 8 bits or more");
  std::vector<double> values(p.size());
  decode_elements(p, 0, p.size(), values.data());
  for (const double value : values) {
    if (value >= 0 && value <= 1) continue;
    fail_undefined("input-range", "a probability is " + std::to_string(value), "must be in [0, 1]");
  }
  const Draws draws(call);
  Tensor y(dtype, p.shape());
  LineJob(kBernoulliFormula, y.size())
      .lines_of(p, LineLayout::elements(p.size()))
      .computed(1, [&draws](size_t line, double* k) { *k = draws.uniform(line); })
      .lines_to(&y, LineLayout::elements(y.size()))
      .run();
  return y;
}

bool holds_a_class(DType dtype, int) { return dtype == DType::kInt32 || dtype == DType::kInt64; }

void check_rows(const Tensor& input) {
  if (input.rank() != 2) {
    fail_schema("rank-mismatch", "the input has shape " + input.shape().text(), "must be [batch_size, class_size]");
  }
  const auto count = static_cast<size_t>(input.shape()[1]);
  std::vector<double> row(count);
  for (size_t i = 0; i < static_cast<size_t>(input.shape()[0]); ++i) {
    decode_elements(input, i * count, count, row.data());
    bool possible = false;
    for (const double value : row) {
      if (!(value < kInfinity)) {
        fail_undefined("input-range", "a log-probability is " + std::to_string(value), "must be finite or -inf");
      }
      possible = possible || value > -kInfinity;
    }
    if (!possible) fail_undefined("input-range", "a row gives every outcome the probability 0", "one must be possible");
  }
}

// Some of the samples of every row: [batch, count].
Tensor some_samples(const Tensor& input, const Draws& draws, DType dtype, size_t first, size_t count, size_t of) {
  const auto batch = static_cast<size_t>(input.shape()[0]);
  Tensor drawn(dtype, Shape{input.shape()[0], static_cast<int64_t>(count)});
  LineJob(kMultinomialFormula, batch)
      .lines_of(input, LineLayout::along(input.shape(), 1))
      .computed(count,
                [&](size_t line, double* k) {
                  for (size_t i = 0; i < count; ++i) k[i] = draws.uniform(line * of + first + i);
                })
      .lines_to(&drawn, LineLayout::along(drawn.shape(), 1))
      .run();
  return drawn;
}

Tensor multinomial_7(const OpCall& call) {
  const Tensor& input = call.tensor("input");
  const int64_t samples = call.integer("sample_size");
  if (samples < 0) {
    fail_schema("attribute-range", "sample_size is " + std::to_string(samples), "must not be negative");
  }
  const DType dtype = drawn_type(call, DType::kInt32, holds_a_class, "int32 or int64");
  check_rows(input);
  Tensor y(dtype, Shape{input.shape()[0], samples});
  if (y.size() == 0) return y;
  const Draws draws(call);
  const auto batch = static_cast<size_t>(input.shape()[0]), count = static_cast<size_t>(samples);
  // Eight lines of both operands stand in memory at once.
  constexpr size_t kChunk = 4096;
  for (size_t first = 0; first < count; first += kChunk) {
    const size_t chunk = std::min(kChunk, count - first);
    const Tensor drawn = some_samples(input, draws, dtype, first, chunk, count);
    for (size_t row = 0; row < batch; ++row) copy_elements(drawn, row * chunk, chunk, y, row * count + first);
  }
  return y;
}

}  // namespace

extern const Operator kBernoulli, kMultinomial;
const Operator kBernoulli{"ai.onnx", "Bernoulli", {{.since = 15, .also = {22}, .run = bernoulli_15}}};
const Operator kMultinomial{"ai.onnx", "Multinomial", {{.since = 7, .also = {22}, .run = multinomial_7}}};

}  // namespace onnxv
#endif
