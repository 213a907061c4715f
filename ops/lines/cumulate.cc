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
#include "ops/operator.h"
#include "src/base/int128.h"
#include "src/number/format.h"
#include "src/tensor/index.h"
#include "src/tensor/input_axis.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

int64_t axis_input(const OpCall& call, int64_t rank) {
  if (rank == 0) fail_schema("rank", "x is a scalar", "must have an axis");
  return normalized_input_axis(int64_value(call.tensor("axis"), "axis"), rank, "axis");
}

// Integers modulo 2^n.
Tensor wrapped(const Tensor& x, LineLayout layout, bool exclusive, bool reverse, bool multiplies) {
  Tensor y(x.dtype(), x.shape());
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

Tensor cumulated(const OpCall& call, const Formula& formula) {
  const Tensor& x = call.tensor("x");
  const LineLayout layout = LineLayout::along(x.shape(), axis_input(call, x.rank()));
  const bool exclusive = call.integer("exclusive") != 0, reverse = call.integer("reverse") != 0;
  if (is_integer(x.dtype())) return wrapped(x, layout, exclusive, reverse, &formula == &kCumProdFormula);
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
