// CumSum (11, 14) and CumProd (26): each element is the exact sum or product of its prefix, rounded once.
#include "src/number/formula.h"

namespace onnxv {
namespace {

// options: [exclusive, reverse].
constexpr auto cumulative_sum = []<class Real>(Options options, In<Real> x, Out<Real> y) {
  const size_t n = x.size(), skipped = options[0] != 0 ? 1 : 0;
  std::vector<Real> terms(n), sums(n);
  for (size_t i = 0; i < n; ++i) terms[i] = x[options[1] != 0 ? n - 1 - i : i];
  prefix_sums(In<Real>{terms.data(), n}, Out<Real>{sums.data(), n});
  for (size_t i = 0; i < n; ++i) y[options[1] != 0 ? n - 1 - i : i] = i < skipped ? Real(0.0) : sums[i - skipped];
};

constexpr auto cumulative_product = []<class Real>(Options options, In<Real> x, Out<Real> y) {
  const size_t n = x.size();
  Real product(1.0);
  for (size_t i = 0; i < n; ++i) {
    const size_t at = options[1] != 0 ? n - 1 - i : i;
    const Real inclusive = product * x[at];
    y[at] = options[0] != 0 ? product : inclusive;
    product = inclusive;
  }
};

}  // namespace
LINE_FORMULA(kCumSumFormula, cumulative_sum, 1, 1)
LINE_FORMULA(kCumProdFormula, cumulative_product, 1, 1)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include <algorithm>

#include "ops/operator.h"
#include "src/base/int128.h"
#include "src/base/parallel.h"
#include "src/number/format.h"
#include "src/number/prefix_sums.h"
#include "src/tensor/index.h"
#include "src/tensor/input_axis.h"
#include "src/tensor/lines.h"
#include "src/tensor/rows.h"

namespace onnxv {
namespace {

int64_t axis_input(const OpCall& call, int64_t rank) {
  if (rank == 0) fail_schema("rank", "x is a scalar", "must have an axis");
  return normalized_input_axis(int64_value(call.tensor("axis"), "axis"), rank, "axis");
}

// Integers modulo 2^n.
Tensor wrapped(const Tensor& x, LineLayout layout, bool exclusive, bool reverse, bool multiplies) {
  Tensor y = Tensor::unfilled(x.dtype(), x.shape());
  const IntegerFormat format{dtype_bits(x.dtype()), is_signed_integer(x.dtype())};
  for (size_t line = 0; line < layout.lines(); ++line) {
    uint64_t total = multiplies ? 1 : 0;
    for (size_t i = 0; i < layout.length; ++i) {
      const size_t element = reverse ? layout.length - 1 - i : i;
      const size_t at = (line / layout.inner * layout.length + element) * layout.inner + line % layout.inner;
      const uint64_t value = static_cast<uint64_t>(decode_integer(format, x.code(at)));
      const uint64_t inclusive = multiplies ? total * value : total + value;
      y.set_code(at, exclusive ? total : inclusive);
      total = inclusive;
    }
  }
  return y;
}

// Lines of one block of the layout, [first, first + count), by lanes; those that they leave open are marked in `open`.
void sum_on_lanes(const Tensor& x, LineLayout layout, size_t block, size_t first, size_t count, bool exclusive, bool reverse,
                  Tensor* y, uint8_t* open) {
  const bool apart = layout.inner == 1;  // blocks of one line each: they are taken together
  const size_t start = block * layout.length * layout.inner + first * (apart ? layout.length : 1);
  const size_t begin = start + (reverse ? (layout.length - 1) * layout.inner : 0);
  const ptrdiff_t step = static_cast<ptrdiff_t>(layout.inner);
  prefix_sums({x.as<float>().data() + begin, y->mutable_as<uint32_t>().data() + begin, count, layout.length,
               apart ? static_cast<ptrdiff_t>(layout.length) : 1, reverse ? -step : step, exclusive},
              open);
}

// The lines that are still open, by the formula.
void sum_by_formula(const Tensor& x, LineLayout layout, const std::vector<size_t>& lines, const std::vector<int64_t>& options, Tensor* y) {
  const auto start_of = [&](size_t i) { return lines[i] / layout.inner * layout.length * layout.inner + lines[i] % layout.inner; };
  Tensor rest(x.dtype(), Shape{static_cast<int64_t>(lines.size()), static_cast<int64_t>(layout.length)});
  LineJob(kCumSumFormula, lines.size())
      .gathered(x, layout.length, [&](size_t i, int64_t* positions) {
        for (size_t k = 0; k < layout.length; ++k) positions[k] = static_cast<int64_t>(start_of(i) + k * layout.inner);
      })
      .options(options)
      .lines_to(&rest, {lines.size(), layout.length, 1})
      .run();
  for (size_t i = 0; i < lines.size(); ++i) {
    copy_runs(rest, {i * layout.length, 1}, *y, {start_of(i), layout.inner}, 1, layout.length);
  }
}

Tensor float_sums(const Tensor& x, LineLayout layout, bool exclusive, bool reverse) {
  Tensor y = Tensor::unfilled(DType::kFloat, x.shape());
  if (x.size() == 0) return y;
  y.mutable_bytes();  // before there are threads
  std::vector<uint8_t> open(layout.lines(), 0);
  constexpr size_t kTogether = 64;
  const size_t blocks = layout.inner == 1 ? 1 : layout.outer, lines = layout.inner == 1 ? layout.outer : layout.inner;
  const size_t pieces = (lines + kTogether - 1) / kTogether;
  parallel_for(blocks * pieces, 1, [&](size_t begin, size_t end) {
    for (size_t piece = begin; piece < end; ++piece) {
      const size_t block = piece / pieces, first = piece % pieces * kTogether;
      sum_on_lanes(x, layout, block, first, std::min(kTogether, lines - first), exclusive, reverse, &y, open.data() + block * lines + first);
    }
  });
  std::vector<size_t> left;
  for (size_t line = 0; line < open.size(); ++line) {
    if (open[line] != 0) left.push_back(line);
  }
  if (!left.empty()) sum_by_formula(x, layout, left, {exclusive ? 1 : 0, reverse ? 1 : 0}, &y);
  return y;
}

Tensor cumulated(const OpCall& call, const Formula& formula) {
  const Tensor& x = call.tensor("x");
  const LineLayout layout = LineLayout::along(x.shape(), axis_input(call, x.rank()));
  const bool exclusive = call.integer("exclusive") != 0, reverse = call.integer("reverse") != 0;
  if (is_integer(x.dtype())) return wrapped(x, layout, exclusive, reverse, &formula == &kCumProdFormula);
  // Within a ToleranceScope the formula is wanted, for its bounds.
  if (&formula == &kCumSumFormula && x.dtype() == DType::kFloat && ToleranceScope::current() == nullptr) {
    return float_sums(x, layout, exclusive, reverse);
  }
  return map_lines(formula, x, layout, x.dtype(), {}, {exclusive ? 1 : 0, reverse ? 1 : 0});
}

Tensor cum_sum_11(const OpCall& call) { return cumulated(call, kCumSumFormula); }
Tensor cum_prod_26(const OpCall& call) { return cumulated(call, kCumProdFormula); }

}  // namespace

extern const Operator kCumSum, kCumProd;
const Operator kCumSum{"ai.onnx", "CumSum", {{.since = 11, .also = {14}, .run = cum_sum_11}}};
const Operator kCumProd{"ai.onnx", "CumProd", {{.since = 26, .run = cum_prod_26}}};

}  // namespace onnxv
#endif
