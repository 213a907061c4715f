// ReduceL1 … ReduceSumSquare: a line to one element, rounded once.
//   since 1         `axes` is an attribute (11: negative axes; absent or empty: all axes)
//   since 13 or 18  `axes` is an input; absent or empty means all axes, or with noop_with_empty_axes none
// Integers: sums and products wrap; Mean, L2, LogSum and LogSumExp are the real value, truncated.
#include "src/number/formula.h"

namespace onnxv {
namespace {

constexpr auto reduce_l1 = []<class Real>(In<Real> x, In<Real>, Out<Real> y) {
  std::vector<Real> sizes(x.size());
  for (size_t i = 0; i < x.size(); ++i) sizes[i] = abs(x[i]);
  y[0] = sum(In<Real>{sizes.data(), sizes.size()});
};
constexpr auto reduce_l2 = []<class Real>(In<Real> x, In<Real>, Out<Real> y) { y[0] = sqrt(dot(x, x)); };
constexpr auto reduce_log_sum = []<class Real>(In<Real> x, In<Real>, Out<Real> y) { y[0] = log(sum(x)); };
// Shifted by its largest finite element, so that nothing overflows: ln(sum e^x) = c + ln(sum e^(x - c)).
constexpr auto reduce_log_sum_exp = []<class Real>(In<Real> x, In<Real>, Out<Real> y) {
  const Real c = shift_of(x);
  std::vector<Real> terms(x.size());
  for (size_t i = 0; i < x.size(); ++i) terms[i] = exp(x[i] - c);
  y[0] = c + log(sum(In<Real>{terms.data(), terms.size()}));
};
[[maybe_unused]] constexpr auto reduce_log_sum_exp_text = []<class Real>(In<Real> x, In<Real>, Out<Real> y) {
  std::vector<Real> terms(x.size());
  for (size_t i = 0; i < x.size(); ++i) terms[i] = exp(x[i]);
  y[0] = log(sum(In<Real>{terms.data(), terms.size()}));
};
constexpr auto reduce_max = []<class Real>(In<Real> x, In<Real>, Out<Real> y) {
  Real most = x[0];
  for (size_t i = 1; i < x.size(); ++i) most = max(most, x[i]);
  y[0] = most;
};
constexpr auto reduce_min = []<class Real>(In<Real> x, In<Real>, Out<Real> y) {
  Real least = x[0];
  for (size_t i = 1; i < x.size(); ++i) least = min(least, x[i]);
  y[0] = least;
};
constexpr auto reduce_mean = []<class Real>(In<Real> x, In<Real> count, Out<Real> y) { y[0] = sum(x) / count[0]; };
constexpr auto reduce_prod = []<class Real>(In<Real> x, In<Real>, Out<Real> y) {
  Real product(1.0);
  for (size_t i = 0; i < x.size(); ++i) product *= x[i];
  y[0] = product;
};
constexpr auto reduce_sum = []<class Real>(In<Real> x, In<Real>, Out<Real> y) { y[0] = sum(x); };
constexpr auto reduce_sum_square = []<class Real>(In<Real> x, In<Real>, Out<Real> y) { y[0] = dot(x, x); };

}  // namespace
LINE_FORMULA(kReduceL1Formula, reduce_l1, 2, 1)
LINE_FORMULA(kReduceL2Formula, reduce_l2, 2, 1)
LINE_FORMULA(kReduceLogSumFormula, reduce_log_sum, 2, 1)
LINE_FORMULA(kReduceLogSumExpFormula, reduce_log_sum_exp, 2, 1, reduce_log_sum_exp_text)
LINE_FORMULA(kReduceMaxFormula, reduce_max, 2, 1)
LINE_FORMULA(kReduceMinFormula, reduce_min, 2, 1)
LINE_FORMULA(kReduceMeanFormula, reduce_mean, 2, 1)
LINE_FORMULA(kReduceProdFormula, reduce_prod, 2, 1)
LINE_FORMULA(kReduceSumFormula, reduce_sum, 2, 1)
LINE_FORMULA(kReduceSumSquareFormula, reduce_sum_square, 2, 1)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include <algorithm>
#include <optional>

#include "ops/operator.h"
#include "ops/reduce/folds.h"
#include "src/kernel/line_extremes.h"
#include "src/kernel/line_sums.h"
#include "src/number/format.h"
#include "src/tensor/floats.h"
#include "src/tensor/index.h"
#include "src/tensor/input_axis.h"
#include "src/tensor/lines.h"
#include "src/tensor/order.h"

namespace onnxv {
namespace {

struct ReduceOperator {
  const Formula& formula;
  // Integers that wrap, and extremes of integers. None: by the formula.
  std::optional<Fold> fold = std::nullopt;
  // Max and Min pick an element: +1, -1; else 0.
  int extreme = 0;
  // What kernel/line_sums.h knows it as.
  std::optional<LineSum> sum = std::nullopt;
};

const ReduceOperator kL1{kReduceL1Formula, Fold::kMagnitudes, 0, LineSum::kMagnitudes};
const ReduceOperator kL2{kReduceL2Formula, std::nullopt, 0, LineSum::kNorm};
const ReduceOperator kLogSum{kReduceLogSumFormula};
const ReduceOperator kLogSumExp{kReduceLogSumExpFormula};
const ReduceOperator kMaximum{kReduceMaxFormula, Fold::kMax, +1};
const ReduceOperator kMinimum{kReduceMinFormula, Fold::kMin, -1};
const ReduceOperator kMeanOf{kReduceMeanFormula, std::nullopt, 0, LineSum::kMean};
const ReduceOperator kProduct{kReduceProdFormula, Fold::kProduct};
const ReduceOperator kTotal{kReduceSumFormula, Fold::kSum, 0, LineSum::kSum};
const ReduceOperator kSquares{kReduceSumSquareFormula, Fold::kSquares, 0, LineSum::kSquares};

bool sorts_without_repeats(std::vector<int64_t>& axes) {
  std::sort(axes.begin(), axes.end());
  return std::adjacent_find(axes.begin(), axes.end()) == axes.end();
}
std::vector<int64_t> attribute_axes(std::vector<int64_t> axes, int64_t rank) {
  for (int64_t& axis : axes) axis = normalized_axis(axis, rank, "axes");
  if (!sorts_without_repeats(axes)) fail_schema("attribute-value", "axes names an axis twice", "must name each axis once");
  return axes;
}
std::vector<int64_t> input_axes(const Tensor& input, int64_t rank) {
  if (input.rank() != 1 && input.size() != 1) fail_schema("rank", "axes is " + input.shape().text(), "must have rank 1");
  std::vector<int64_t> axes = int64_values(input);
  for (int64_t& axis : axes) axis = normalized_input_axis(axis, rank, "axes");
  if (!sorts_without_repeats(axes)) fail_undefined("input-range", "axes names an axis twice", "must name each axis once");
  return axes;
}
std::vector<int64_t> all_axes(int64_t rank) {
  std::vector<int64_t> axes(static_cast<size_t>(rank));
  for (int64_t i = 0; i < rank; ++i) axes[static_cast<size_t>(i)] = i;
  return axes;
}

// Max and Min of Bool, the empty set included.
Tensor extreme_of_bools(const ReduceOperator& op, const Reduction& view) {
  Tensor y(DType::kBool, view.kept_shape);
  const std::span<const uint8_t> values = view.moved.as<uint8_t>();
  for (size_t line = 0; line < view.lines(); ++line) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(line * view.length()), end = begin + static_cast<std::ptrdiff_t>(view.length());
    const bool any = std::any_of(begin, end, [](uint8_t v) { return v != 0; });
    const bool all = std::all_of(begin, end, [](uint8_t v) { return v != 0; });
    y.set_code(line, (op.extreme > 0 ? any : all) ? 1 : 0);
  }
  return y;
}

Tensor filled(DType dtype, const Shape& shape, double value) {
  Tensor y(dtype, shape);
  const uint64_t code = settle_exact(target_of(dtype), value);
  for (size_t i = 0; i < y.size(); ++i) y.set_code(i, code);
  return y;
}

// ln of 0 or of a negative sum is no number that an integer could hold.
void check_logarithms(const Reduction& view) {
  const Tensor logarithms = reduce_lines(kReduceLogSumFormula, view, DType::kDouble, {0.0});
  for (size_t line = 0; line < logarithms.size(); ++line) {
    if (double_is_finite(logarithms.as<double>()[line])) continue;
    fail_undefined("integer-logarithm", "the sum of element " + std::to_string(line) + " is not above 0", "has no logarithm that is an integer");
  }
}

// Choice: a maximum or minimum that is 0 where zeros of both signs stand has no sign by the text; marked.
void mark_mixed_zeros(const OpCall& call, const Tensor& x, LineLayout layout, const Tensor& y) {
  const int64_t zero = order_key(y.dtype(), 0);
  std::vector<uint8_t> marks(y.size(), 0);
  for (size_t line = 0; line < y.size(); ++line) {
    if (order_key(y.dtype(), y.code(line)) != zero) continue;
    bool plus = false, minus = false;
    const size_t start = line / layout.inner * layout.length * layout.inner + line % layout.inner;
    for (size_t i = 0; i < layout.length && !(plus && minus); ++i) {
      const uint64_t code = x.code(start + i * layout.inner);
      if (order_key(y.dtype(), code) == zero) (code == 0 ? plus : minus) = true;
    }
    marks[line] = plus && minus ? 1 : 0;
  }
  call.mark_unspecified(0, "zero-of-both-signs", std::move(marks));
}

// The axes, where they stand side by side (those of length 1 aside), as the length of lines; nothing else is moved then.
std::optional<LineLayout> adjacent_axes(const Shape& shape, const std::vector<int64_t>& axes) {
  std::vector<bool> is_reduced(static_cast<size_t>(shape.rank()), false);
  for (const int64_t axis : axes) is_reduced[static_cast<size_t>(axis)] = true;
  LineLayout layout;
  enum class Place { kOuter, kLength, kInner } place = Place::kOuter;
  for (int64_t axis = 0; axis < shape.rank(); ++axis) {
    const auto dim = static_cast<size_t>(shape[axis]);
    if (dim == 1) continue;
    if (is_reduced[static_cast<size_t>(axis)]) {
      if (place == Place::kInner) return std::nullopt;
      place = Place::kLength;
      layout.length *= dim;
    } else {
      if (place == Place::kLength) place = Place::kInner;
      (place == Place::kOuter ? layout.outer : layout.inner) *= dim;
    }
  }
  return layout;
}

// Most lines by plain sums with a bound; the formula settles those that it leaves open.
Tensor summed(const ReduceOperator& op, const Tensor& x, LineLayout layout, const Shape& kept) {
  Tensor y(x.dtype(), kept);
  const std::vector<size_t> open = settle_lines(line_sums(*op.sum, x, layout), &y);
  if (open.empty()) return y;
  Tensor rest(x.dtype(), Shape{static_cast<int64_t>(open.size())});
  LineJob(op.formula, open.size())
      .gathered(x, layout.length, [&](size_t i, int64_t* positions) {
        const size_t line = open[i], start = line / layout.inner * layout.length * layout.inner + line % layout.inner;
        for (size_t k = 0; k < layout.length; ++k) positions[k] = static_cast<int64_t>(start + k * layout.inner);
      })
      .constants({static_cast<double>(layout.length)})
      .lines_to(&rest, LineLayout::elements(open.size()))
      .run();
  for (size_t i = 0; i < open.size(); ++i) y.set_code(open[i], rest.code(i));
  return y;
}

Shape kept_shape(const Shape& shape, const std::vector<int64_t>& axes, bool keepdims) {
  Shape kept;
  for (int64_t axis = 0; axis < shape.rank(); ++axis) {
    if (std::find(axes.begin(), axes.end(), axis) == axes.end()) {
      kept.push_back(shape[axis]);
    } else if (keepdims) {
      kept.push_back(1);
    }
  }
  return kept;
}

// Below this a line is not worth an account of its own, and short sums are often ties. Squares seldom are.
constexpr size_t kLongLine = 8, kLongSquares = 2;

// What needs no formula: lines of a tensor whose axes stand side by side. Within a ToleranceScope a float's formula is wanted, for
// its bounds; the values are the same.
bool goes_by_lines(const ReduceOperator& op, DType dtype, size_t length) {
  if (is_integer(dtype)) return op.fold.has_value();
  if (!is_float(dtype) || !fits_float32(dtype) || ToleranceScope::current() != nullptr) return false;
  if (op.extreme != 0) return length > 0;
  return op.sum && length >= (op.sum == LineSum::kSquares ? kLongSquares : kLongLine);
}
Tensor by_lines(const OpCall& call, const ReduceOperator& op, const Tensor& x, LineLayout layout, const Shape& kept) {
  if (is_integer(x.dtype())) {
    Tensor y = Tensor::unfilled(x.dtype(), kept);
    fold_lines(x, layout, *op.fold, &y);
    return y;
  }
  if (op.extreme == 0) return summed(op, x, layout, kept);
  Tensor y = line_extremes(op.extreme > 0, x, layout, kept);
  mark_mixed_zeros(call, x, layout, y);
  return y;
}

Tensor reduced(const OpCall& call, const ReduceOperator& op, const Tensor& x, const std::vector<int64_t>& axes, bool keepdims) {
  const std::optional<LineLayout> layout = adjacent_axes(x.shape(), axes);
  if (layout && goes_by_lines(op, x.dtype(), layout->length)) {
    return by_lines(call, op, x, *layout, kept_shape(x.shape(), axes, keepdims));
  }
  const Reduction view = reduced_view(x, axes, keepdims);
  const LineLayout moved{view.lines(), view.length(), 1};
  if (goes_by_lines(op, x.dtype(), moved.length)) return by_lines(call, op, view.moved, moved, view.kept_shape);
  const bool integer = is_integer(x.dtype());
  if (x.dtype() == DType::kBool) return extreme_of_bools(op, view);
  if (view.length() == 0 && op.extreme != 0) {
    return filled(x.dtype(), view.kept_shape, op.extreme > 0 ? -__builtin_inf() : __builtin_inf());
  }
  if (view.length() == 0 && integer && view.lines() != 0 && (&op == &kMeanOf || &op == &kLogSum || &op == &kLogSumExp)) {
    fail_undefined("empty-reduction", "an integer value of an empty set has no definition", "needs an element");
  }
  if (integer && &op == &kLogSum) check_logarithms(view);
  Tensor y = reduce_lines(op.formula, view, x.dtype(), {static_cast<double>(view.length())});
  if (op.extreme != 0) mark_mixed_zeros(call, view.moved, moved, y);
  return y;
}

template <const ReduceOperator& op>
Tensor reduce_1(const OpCall& call) {
  const Tensor& x = call.tensor("data");
  const std::vector<int64_t> given = call.integers("axes");
  const auto axes = given.empty() ? all_axes(x.rank()) : attribute_axes(given, x.rank());
  return reduced(call, op, x, axes, call.integer("keepdims") != 0);
}

// With no axes to reduce the pointwise part is still applied: |x|, x², log(x) …
template <const ReduceOperator& op>
Tensor reduce_13(const OpCall& call) {
  const Tensor& x = call.tensor("data");
  const Tensor* input = call.optional_tensor("axes");
  std::vector<int64_t> axes;
  if (input != nullptr && input->size() != 0) {
    axes = input_axes(*input, x.rank());
  } else if (call.integer("noop_with_empty_axes") == 0) {
    axes = all_axes(x.rank());
  }
  return reduced(call, op, x, axes, call.integer("keepdims") != 0);
}

template <const ReduceOperator& op>
std::vector<Behaviour> behaviours(std::vector<int> attribute_also, int input_since, std::vector<int> input_also) {
  return {{.since = 1, .also = std::move(attribute_also), .run = reduce_1<op>},
          {.since = input_since, .also = std::move(input_also), .run = reduce_13<op>}};
}

}  // namespace

extern const Operator kReduceL1, kReduceL2, kReduceLogSum, kReduceLogSumExp, kReduceMax, kReduceMean, kReduceMin,
    kReduceProd, kReduceSum, kReduceSumSquare;
const Operator kReduceL1{"ai.onnx", "ReduceL1", behaviours<kL1>({11, 13}, 18, {})};
const Operator kReduceL2{"ai.onnx", "ReduceL2", behaviours<kL2>({11, 13}, 18, {})};
const Operator kReduceLogSum{"ai.onnx", "ReduceLogSum", behaviours<kLogSum>({11, 13}, 18, {28})};
const Operator kReduceLogSumExp{"ai.onnx", "ReduceLogSumExp", behaviours<kLogSumExp>({11, 13}, 18, {28})};
const Operator kReduceMax{"ai.onnx", "ReduceMax", behaviours<kMaximum>({11, 12, 13}, 18, {20})};
const Operator kReduceMean{"ai.onnx", "ReduceMean", behaviours<kMeanOf>({11, 13}, 18, {})};
const Operator kReduceMin{"ai.onnx", "ReduceMin", behaviours<kMinimum>({11, 12, 13}, 18, {20})};
const Operator kReduceProd{"ai.onnx", "ReduceProd", behaviours<kProduct>({11, 13}, 18, {})};
const Operator kReduceSum{"ai.onnx", "ReduceSum", behaviours<kTotal>({11}, 13, {})};
const Operator kReduceSumSquare{"ai.onnx", "ReduceSumSquare", behaviours<kSquares>({11, 13}, 18, {})};

}  // namespace onnxv
#endif
