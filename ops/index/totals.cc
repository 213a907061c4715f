#include "ops/index/totals.h"

#include "src/number/formula.h"

namespace onnxv {
namespace {

constexpr auto line_sum = []<class Real>(In<Real> x, Out<Real> y) { y[0] = sum(x); };
constexpr auto line_product = []<class Real>(In<Real> x, Out<Real> y) {
  Real product = x[0];
  for (size_t i = 1; i < x.size(); ++i) product *= x[i];
  y[0] = product;
};

}  // namespace
LINE_FORMULA(kLineSum, line_sum, 1, 1)
LINE_FORMULA(kLineProduct, line_product, 1, 1)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include "src/tensor/lines.h"

namespace onnxv {

Tensor totals(Total total, const Tensor& elements, size_t lines, size_t length,
              const std::function<void(size_t line, int64_t* positions)>& positions) {
  Tensor out(elements.dtype(), Shape{static_cast<int64_t>(lines)});
  LineJob(total == Total::kSum ? kLineSum : kLineProduct, lines)
      .gathered(elements, length, positions)
      .lines_to(&out, LineLayout::elements(lines))
      .run();
  return out;
}

}  // namespace onnxv
#endif
