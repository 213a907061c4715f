// RNN: H_t = f(X_t W^T + H_(t-1) R^T + Wb + Rb).
//   since 1   7 writes the transpositions that 1 means, 14 adds layout, 22 bfloat16.
//
// Erratum: version 1 writes H_(t-1) R without its transposition; R's shape and every implementation
// transpose.
#include "ops/recurrent/activations.h"

namespace onnxv {
namespace {

constexpr auto rnn_cell = []<class Real>(Options options, In<Real> gate, In<Real> parameters,
                                         Out<Real> h) {
  const CellFunctions<Real> f{options, parameters};
  h[0] = f(0, gate[0]);
};

}  // namespace
LINE_FORMULA(kRnnFormula, rnn_cell, 2, 1)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include "ops/recurrent/lane_gates.h"
#include "src/kernel/product.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

const CellKind kKind{1, {"Tanh"}, {"initial_h"}};

class RnnLanes : public Recurrence::LaneCell {
 public:
  RnnLanes(const Recurrence& node, size_t direction)
      : gates_(node, direction, {{0, kAllTerms}}), units_(kRnnFormula, node, direction) {}
  std::vector<size_t> step(const Step& step, std::vector<Tensor>* states) override {
    gates_.read(step, 0);
    constexpr size_t kHidden[] = {0};
    return units_.settle({gates_.operand(0)}, kHidden, states);
  }

 private:
  LaneGates gates_;
  LaneUnits units_;
};

Outputs rnn_1(const OpCall& call) {
  const Recurrence node(call, kKind);
  const auto cell_of = [&](size_t direction, const Units& units) -> Recurrence::Cell {
    return [&node, direction, weights = node.weights(direction, 0, kAllTerms, units)](const Step& step) {
      const StoredVectors operands = node.operands(direction, step, kAllTerms);
      Tensor h(node.dtype(),
               {static_cast<int64_t>(operands.count()), static_cast<int64_t>(weights.count())});
      LineJob(kRnnFormula, h.size())
          .source(product_lines(operands, weights))
          .constants(node.parameters(direction))
          .options(node.options(direction))
          .lines_to(&h, LineLayout::elements(h.size()))
          .run();
      return std::vector<Tensor>{h};
    };
  };
  return node.run(cell_of, [&](size_t direction) { return std::make_unique<RnnLanes>(node, direction); });
}

}  // namespace

extern const Operator kRNN;
const Operator kRNN{"ai.onnx", "RNN", {{.since = 1, .also = {7, 14, 22}, .run = rnn_1}}};

}  // namespace onnxv
#endif
