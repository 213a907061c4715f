// GRU:
//   z = f(X_t Wz^T + H_(t-1) Rz^T + Wbz + Rbz)                      r likewise
//   h = g(X_t Wh^T + (r * H_(t-1)) Rh^T + Rbh + Wbh)                linear_before_reset = 0
//   h = g(X_t Wh^T + r * (H_(t-1) Rh^T + Rbh) + Wbh)                else
//   H_t = (1 - z) * h + z * H_(t-1)
//   since 1   3 adds linear_before_reset, 7 writes the transpositions that 1 means, 14 adds layout,
//   22 bfloat16.
//
// Erratum: versions 1 and 3 write H_(t-1) R without its transposition; R's shape and every
// implementation transpose.
#include "ops/recurrent/activations.h"

#include <vector>

namespace onnxv {
namespace {

// One unit: nothing but its own sums is needed.
constexpr auto gru_reset_last = []<class Real>(Options options, In<Real> update, In<Real> reset,
                                               In<Real> from_x, In<Real> from_h, In<Real> before,
                                               In<Real> parameters, Out<Real> h) {
  const CellFunctions<Real> f{options, parameters};
  const Real candidate = f(1, from_x[0] + f(0, reset[0]) * from_h[0]);
  h[0] = f.complement(0, update[0]) * candidate + f(0, update[0]) * before[0];
};

// All units of a sequence: each needs the reset gates of all. `rh` is [hidden][hidden].
constexpr auto gru_reset_first = []<class Real>(Options options, In<Real> update, In<Real> reset,
                                                In<Real> from_x, In<Real> before, In<Real> rh,
                                                In<Real> parameters, Out<Real> h) {
  const CellFunctions<Real> f{options, parameters};
  const size_t hidden = before.size();
  std::vector<Real> kept(hidden);
  for (size_t k = 0; k < hidden; ++k) kept[k] = f(0, reset[k]) * before[k];
  for (size_t j = 0; j < hidden; ++j) {
    const Real from_h = dot(rh.part(j * hidden, hidden), In<Real>{kept.data(), hidden});
    const Real candidate = f(1, from_x[j] + from_h);
    h[j] = f.complement(0, update[j]) * candidate + f(0, update[j]) * before[j];
  }
};

}  // namespace
LINE_FORMULA(kGruResetLastFormula, gru_reset_last, 6, 1)
LINE_FORMULA(kGruResetFirstFormula, gru_reset_first, 6, 1)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include <algorithm>

#include "ops/recurrent/recurrence.h"
#include "src/kernel/product.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

const CellKind kKind{3, {"Sigmoid", "Tanh"}, {"initial_h"}};
enum Gate : size_t { kUpdate, kReset, kHidden };

Tensor states_of(const Recurrence& node, const StoredVectors& operands) {
  return {node.dtype(),
          {static_cast<int64_t>(operands.count()), static_cast<int64_t>(node.hidden())}};
}

// One direction with linear_before_reset.
struct ResetLast {
  const Recurrence& node;
  size_t direction;
  StoredVectors update, reset, from_x, from_h;

  std::vector<Tensor> operator()(const Step& step) const {
    const StoredVectors all = node.operands(step, kAllTerms);
    const StoredVectors x = node.operands(step, kFromX | kBiasOfW),
                        h = node.operands(step, kFromH | kBiasOfR);
    Tensor now = states_of(node, all);
    LineJob(kGruResetLastFormula, now.size())
        .source(product_lines(all, update))
        .source(product_lines(all, reset))
        .source(product_lines(x, from_x))
        .source(product_lines(h, from_h))
        .source(state_lines(step, 0, 1))
        .constants(node.parameters(direction))
        .options(node.options(direction))
        .lines_to(&now, LineLayout::elements(now.size()))
        .run();
    return {now};
  }
};

// One direction without it.
struct ResetFirst {
  const Recurrence& node;
  size_t direction;
  StoredVectors update, reset, from_x;
  std::vector<double> rh;

  std::vector<Tensor> operator()(const Step& step) const {
    const StoredVectors all = node.operands(step, kAllTerms);
    const StoredVectors x = node.operands(step, kFromX | kBiasOfW | kBiasOfR);
    const size_t hidden = node.hidden();
    Tensor now = states_of(node, all);
    LineJob(kGruResetFirstFormula, all.count())
        .source(product_rows(all, update))
        .source(product_rows(all, reset))
        .source(product_rows(x, from_x))
        .source(state_lines(step, 0, hidden))
        .constants(rh)
        .constants(node.parameters(direction))
        .options(node.options(direction))
        .lines_to(&now, {all.count(), hidden, 1})
        .run();
    return {now};
  }
};

std::vector<double> stored_matrix(const StoredVectors& vectors) {
  const size_t count = vectors.count(), length = vectors.length();
  std::vector<double> values(count * length + 1);
  for (size_t v = 0; v < count; ++v) vectors.read(v, 1, 0, length, values.data() + v * length);
  values.resize(count * length);
  return values;
}

Outputs gru_1(const OpCall& call) {
  const Recurrence node(call, kKind);
  const bool reset_last =
      call.integer_or("linear_before_reset", 0) != 0;  // the attribute came with version 3
  return node.run([&](size_t direction) -> Recurrence::Cell {
    const auto gate = [&](Gate which, unsigned terms) {
      return node.weights(direction, which, terms);
    };
    if (reset_last) {
      return ResetLast{node,
                       direction,
                       gate(kUpdate, kAllTerms),
                       gate(kReset, kAllTerms),
                       gate(kHidden, kFromX | kBiasOfW),
                       gate(kHidden, kFromH | kBiasOfR)};
    }
    return ResetFirst{node,
                      direction,
                      gate(kUpdate, kAllTerms),
                      gate(kReset, kAllTerms),
                      gate(kHidden, kFromX | kBiasOfW | kBiasOfR),
                      stored_matrix(gate(kHidden, kFromH))};
  });
}

}  // namespace

extern const Operator kGRU;
const Operator kGRU{"ai.onnx", "GRU", {{.since = 1, .also = {3, 7, 14, 22}, .run = gru_1}}};

}  // namespace onnxv
#endif
