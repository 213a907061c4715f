// Max, Min, Mean, Sum: any number of inputs, one rounding.
//   since 1   equal shapes (6: no consumed_inputs)
//   since 8   NumPy's broadcasting (12: integers, 13: bfloat16)
#include "src/number/formula.h"

namespace onnxv {
namespace {

// Two at a time: choices are exact, and so is a choice among choices.
constexpr auto greater = []<class Real>(Real a, Real b) -> Real { return max(a, b); };
constexpr auto less = []<class Real>(Real a, Real b) -> Real { return min(a, b); };
// Of two terms; of more a sum of partial sums would round twice.
constexpr auto total_of_two = []<class Real>(Real a, Real b) -> Real { return a + b; };
constexpr auto average = []<class Real>(In<Real> x, In<Real> count, Out<Real> y) { y[0] = sum(x) / count[0]; };
constexpr auto total = []<class Real>(In<Real> x, In<Real>, Out<Real> y) { y[0] = sum(x); };

}  // namespace
EXACT_FORMULA(kMaxFormula, greater, 2)
EXACT_FORMULA(kMinFormula, less, 2)
IEEE_FORMULA(kSumOfTwoFormula, total_of_two, 2)
LINE_FORMULA(kMeanFormula, average, 2, 1)
LINE_FORMULA(kSumFormula, total, 2, 1)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include <algorithm>

#include "ops/elementwise/integers.h"
#include "ops/elementwise/loops.h"
#include "ops/operator.h"
#include "src/tensor/index.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

// The same element of every input: [elements][inputs].
std::vector<double> side_by_side(const std::vector<Tensor>& inputs) {
  const size_t count = inputs.size(), elements = inputs[0].size();
  std::vector<double> values(elements * count + 1), one(elements + 1);
  for (size_t k = 0; k < count; ++k) {
    decode_elements(inputs[k], 0, elements, one.data());
    for (size_t i = 0; i < elements; ++i) values[i * count + k] = one[i];
  }
  return values;
}

Tensor folded(const std::vector<Tensor>& inputs, bool wants_most) {
  Tensor result = inputs[0];
  for (size_t k = 1; k < inputs.size(); ++k) {
    if (combined(result, inputs[k], wants_most ? Combine::kMax : Combine::kMin, &result)) continue;
    result = map_integers(result, inputs[k], result.dtype(), [=](int128 a, int128 b) {
      return wants_most ? std::max(a, b) : std::min(a, b);
    });
  }
  return result;
}

// Choice: of Max and Min the text says neither what NaN gives (it propagates) nor the sign where both zeros meet; marked.
void mark_open(const OpCall& call, const std::vector<Tensor>& inputs, const Tensor& result) {
  constexpr size_t kBlock = 1024;
  double values[kBlock];
  std::vector<uint8_t> nans(result.size(), 0), zeros(result.size(), 0);
  const Format& format = float_format(result.dtype());
  for (size_t first = 0; first < result.size(); first += kBlock) {
    const size_t count = std::min(kBlock, result.size() - first);
    decode_elements(result, first, count, values);
    bool ordered = true;  // nearly always
    for (size_t i = 0; i < count; ++i) ordered &= (values[i] > 0) | (values[i] < 0);
    if (ordered) continue;
    for (size_t i = 0; i < count; ++i) {
      nans[first + i] = values[i] != values[i] ? 1 : 0;
      if (values[i] != 0) continue;
      bool plus = false, minus = false;
      for (const Tensor& input : inputs) {
        const double v = decode(format, input.code(first + i));
        if (v == 0) (__builtin_signbit(v) ? minus : plus) = true;
      }
      zeros[first + i] = plus && minus ? 1 : 0;
    }
  }
  call.mark_unspecified(0, "maximum-nan", std::move(nans));
  call.mark_unspecified(0, "zero-of-both-signs", std::move(zeros));
}

Tensor picked(const OpCall& call, const Formula& formula, const std::vector<Tensor>& inputs) {
  Tensor result = inputs[0];
  for (size_t k = 1; k < inputs.size(); ++k) {
    const Tensor two[] = {result, inputs[k]};
    result = map_elements(formula, result.dtype(), two);
  }
  mark_open(call, inputs, result);
  return result;
}

Tensor variadic(const OpCall& call, const Formula& formula, const std::vector<Tensor>& given) {
  std::vector<Shape> shapes;
  for (const Tensor& input : given) shapes.push_back(input.shape());
  const Shape shape = broadcast_shape(shapes);
  std::vector<Tensor> inputs;
  for (const Tensor& input : given) inputs.push_back(broadcast_to(input, shape));
  if (inputs.size() == 1) return inputs[0];
  if (is_integer(inputs[0].dtype())) return folded(inputs, &formula == &kMaxFormula);
  if (&formula == &kMaxFormula || &formula == &kMinFormula) return picked(call, formula, inputs);
  if (&formula == &kSumFormula && inputs.size() == 2) return map_elements(kSumOfTwoFormula, inputs[0].dtype(), inputs);
  const size_t count = inputs.size();
  const std::vector<double> values = side_by_side(inputs);
  Tensor result(inputs[0].dtype(), shape);
  LineJob(formula, result.size())
      .computed(count, [&](size_t line, double* out) { std::copy_n(values.data() + line * count, count, out); })
      .constants({static_cast<double>(count)})
      .lines_to(&result, LineLayout::elements(result.size()))
      .run();
  return result;
}

template <const Formula& formula>
Tensor variadic_1(const OpCall& call) {
  const std::vector<Tensor> inputs = call.variadic_tensors("data_0");
  for (const Tensor& input : inputs) {
    if (input.shape() != inputs[0].shape()) {
      fail_schema("shape-mismatch", "shapes are " + inputs[0].shape().text() + " and " + input.shape().text(),
                  "must be equal");
    }
  }
  return variadic(call, formula, inputs);
}
template <const Formula& formula>
Tensor variadic_8(const OpCall& call) {
  return variadic(call, formula, call.variadic_tensors("data_0"));
}

template <const Formula& formula>
std::vector<Behaviour> behaviours(std::vector<int> also) {
  return {{.since = 1, .also = {6}, .run = variadic_1<formula>},
          {.since = 8, .also = std::move(also), .run = variadic_8<formula>}};
}

}  // namespace

extern const Operator kMax, kMin, kMean, kSum;
const Operator kMax{"ai.onnx", "Max", behaviours<kMaxFormula>({12, 13})};
const Operator kMin{"ai.onnx", "Min", behaviours<kMinFormula>({12, 13})};
const Operator kMean{"ai.onnx", "Mean", behaviours<kMeanFormula>({13})};
const Operator kSum{"ai.onnx", "Sum", behaviours<kSumFormula>({13})};

}  // namespace onnxv
#endif
