// LRN: y = x / (bias + alpha / size * sum of squares over neighbouring channels) ^ beta.
//   since 1   float types; 13 adds bfloat16
#include "src/number/formula.h"

namespace onnxv {
namespace {

// neighbours: the squares' arguments, +0 outside; constants: alpha, beta, bias, size.
constexpr auto lrn = []<class Real>(In<Real> x, In<Real> neighbours, In<Real> constants, Out<Real> y) {
  const Real base = constants[2] + constants[0] * dot(neighbours, neighbours) / constants[3];
  y[0] = x[0] / pow(base, constants[1]);
};

}  // namespace
LINE_FORMULA(kLrnFormula, lrn, 3, 1)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include <algorithm>

#include "ops/operator.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

Tensor lrn_1(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  if (x.rank() < 2) fail_schema("rank", "X is " + x.shape().text(), "must have rank 2 or more");
  const int64_t size = call.integer("size");
  if (size <= 0) fail_schema("attribute-value", "size is " + std::to_string(size), "must be positive");
  const int64_t channels = x.shape()[1], inner = x.shape().elements(2, x.rank());
  // Spec: channels c - floor((size-1)/2) to c + ceil((size-1)/2): an even size leans to the higher ones.
  const int64_t before = (size - 1) / 2;
  const size_t window = static_cast<size_t>(std::min(size, 2 * channels));
  const int64_t first = std::max(-before, -channels);
  Tensor y(x.dtype(), x.shape());
  LineJob(kLrnFormula, y.size())
      .lines_of(x, LineLayout::elements(x.size()))
      .gathered(x, window, [=](size_t line, int64_t* at) {
        const int64_t channel = static_cast<int64_t>(line) / inner % channels;
        for (size_t i = 0; i < window; ++i) {
          const int64_t offset = first + static_cast<int64_t>(i), other = channel + offset;
          const bool inside = other >= 0 && other < channels && offset >= -before && offset < size - before;
          at[i] = inside ? static_cast<int64_t>(line) + offset * inner : -1;
        }
      })
      .constants({call.real("alpha"), call.real("beta"), call.real("bias"), static_cast<double>(size)})
      .lines_to(&y, LineLayout::elements(y.size()))
      .run();
  return y;
}

}  // namespace

extern const Operator kLRN;
const Operator kLRN{"ai.onnx", "LRN", {{.since = 1, .also = {13}, .run = lrn_1}}};

}  // namespace onnxv
#endif
