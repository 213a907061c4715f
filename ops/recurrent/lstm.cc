// LSTM:
//   i = f(X_t Wi^T + H_(t-1) Ri^T + Pi * C_(t-1) + Wbi + Rbi)      f likewise
//   c = g(X_t Wc^T + H_(t-1) Rc^T + Wbc + Rbc)
//   C_t = f * C_(t-1) + i * c
//   o = f(X_t Wo^T + H_(t-1) Ro^T + Po * C_t + Wbo + Rbo)
//   H_t = o * h(C_t)
//   since 1   7 writes the transpositions that 1 means, 14 adds layout, 22 bfloat16.
//
// Erratum: version 1 writes H_(t-1) R without its transposition; R's shape and every implementation
// transpose.
#include "ops/recurrent/activations.h"

namespace onnxv {
namespace {

// options: those of CellFunctions (three functions), then [input_forget, has peepholes, format of
// the states]. Spec: clip bounds the input of every activation, h(C_t) included; the stored C_t is
// not clipped.
constexpr auto lstm_cell = []<class Real>(Options options, In<Real> input, In<Real> output,
                                          In<Real> forget, In<Real> cell, In<Real> c_before,
                                          In<Real> peepholes, In<Real> parameters, Out<Real> c,
                                          Out<Real> h) {
  const CellFunctions<Real> f{options, parameters};
  const bool coupled = options[4] != 0, peeps = options[5] != 0;
  const auto seeing = [&](Real gate, size_t peephole, const Real& state) {
    return peeps ? gate + peepholes[peephole] * state : gate;
  };
  const Real before = c_before[0], i_sum = seeing(input[0], 0, before);
  // Spec: input_forget couples the gates; the literature's coupling, and ONNX Runtime's, is f = 1 -
  // i.
  const Real kept = coupled ? f.complement(0, i_sum) : f(0, seeing(forget[0], 2, before));
  // Spec: rounds C_t, and the rounded C_t is what o and h see.
  const Real now = round_to(options[6], kept * before + f(0, i_sum) * f(1, cell[0]));
  c[0] = now;
  h[0] = f(0, seeing(output[0], 1, now)) * f(2, now);
};

}  // namespace
LINE_FORMULA(kLstmFormula, lstm_cell, 7, 2)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include <algorithm>

#include "ops/recurrent/lane_gates.h"
#include "src/kernel/product.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

const CellKind kKind{4, {"Sigmoid", "Tanh", "Tanh"}, {"initial_h", "initial_c"}};
enum Gate : size_t { kInput, kOutput, kForget, kCell };

// Some units of one direction of a node.
struct LstmCell {
  const OpCall& call;
  const Recurrence& node;
  size_t direction;
  const Units& units;
  StoredVectors input, output, forget, cell;
  std::vector<double> peepholes;  // [hidden][i, o, f]; empty where the node has none

  std::vector<Tensor> operator()(const Step& step) const;
};

// Choice: peepholes that are "assumed to be 0" add no term: an infinite C_t makes no NaN of 0 *
// C_t.
std::vector<double> peepholes_of(const OpCall& call, const Recurrence& node, size_t direction) {
  const Tensor* p = call.optional_tensor("P");
  if (p == nullptr) return {};
  const size_t hidden = node.hidden();
  std::vector<double> given(3 * hidden + 1), by_unit(3 * hidden);
  decode_elements(*p, direction * 3 * hidden, 3 * hidden, given.data());
  for (size_t unit = 0; unit < hidden; ++unit) {
    for (size_t gate = 0; gate < 3; ++gate) by_unit[unit * 3 + gate] = given[gate * hidden + unit];
  }
  return by_unit;
}

std::vector<int64_t> further_options(const OpCall& call, const Recurrence& node, bool has_peepholes) {
  return {call.integer("input_forget"), has_peepholes ? 1 : 0, format_number(float_format(node.dtype()))};
}

std::vector<Tensor> LstmCell::operator()(const Step& step) const {
  const StoredVectors operands = node.operands(direction, step, kAllTerms);
  const Shape shape{static_cast<int64_t>(operands.count()), static_cast<int64_t>(units.size())};
  Tensor h(node.dtype(), shape), c(node.dtype(), shape);
  const auto peepholes_of_line = [this](size_t line, double* values) {
    if (!peepholes.empty()) std::copy_n(peepholes.data() + units[line % units.size()] * 3, 3, values);
  };
  std::vector<int64_t> options = node.options(direction);
  for (const int64_t option : further_options(call, node, !peepholes.empty())) options.push_back(option);
  LineJob(kLstmFormula, h.size())
      .source(product_lines(operands, input))
      .source(product_lines(operands, output))
      .source(product_lines(operands, forget))
      .source(product_lines(operands, cell))
      .source(unit_lines(step, 1, units))
      .computed(peepholes.empty() ? 0 : 3, peepholes_of_line)
      .constants(node.parameters(direction))
      .options(options)
      .lines_to(&c, LineLayout::elements(c.size()))
      .lines_to(&h, LineLayout::elements(h.size()))
      .run();
  return {h, c};
}

class LstmLanes : public Recurrence::LaneCell {
 public:
  LstmLanes(const OpCall& call, const Recurrence& node, size_t direction)
      : gates_(node, direction, {{kInput, kAllTerms}, {kOutput, kAllTerms}, {kForget, kAllTerms}, {kCell, kAllTerms}}),
        units_(kLstmFormula, node, direction) {
    const std::vector<double> given = peepholes_of(call, node, direction);
    for (size_t b = 0; b < node.batch(); ++b) peepholes_.insert(peepholes_.end(), given.begin(), given.end());
    for (const int64_t option : further_options(call, node, !given.empty())) units_.add_option(option);
  }
  std::vector<size_t> step(const Step& step, std::vector<Tensor>* states) override {
    std::vector<LaneBlock::Input> operands;
    for (const size_t gate : {kInput, kOutput, kForget, kCell}) {
      gates_.read(step, gate);
      operands.push_back(gates_.operand(gate));
    }
    operands.push_back(state_operand(step, 1));
    operands.push_back({peepholes_.data(), nullptr, peepholes_.empty() ? size_t{0} : 3, false});
    constexpr size_t kCellThenHidden[] = {1, 0};
    return units_.settle(std::move(operands), kCellThenHidden, states);
  }

 private:
  LaneGates gates_;
  LaneUnits units_;
  std::vector<double> peepholes_;  // [batch][hidden][i, o, f]
};

Outputs lstm_1(const OpCall& call) {
  const Recurrence node(call, kKind);
  const Tensor* p = call.optional_tensor("P");
  const Shape wanted{call.tensor("R").shape()[0], 3 * static_cast<int64_t>(node.hidden())};
  if (p != nullptr && p->shape() != wanted) {
    fail_schema("shape-mismatch", "P is " + p->shape().text(), "must be " + wanted.text());
  }
  const auto cell_of = [&](size_t direction, const Units& units) -> Recurrence::Cell {
    const auto gate = [&](Gate which) { return node.weights(direction, which, kAllTerms, units); };
    return LstmCell{call,          node,          direction,   units, gate(kInput),
                    gate(kOutput), gate(kForget), gate(kCell), peepholes_of(call, node, direction)};
  };
  return node.run(cell_of, [&](size_t direction) { return std::make_unique<LstmLanes>(call, node, direction); });
}

}  // namespace

extern const Operator kLSTM;
const Operator kLSTM{"ai.onnx", "LSTM", {{.since = 1, .also = {7, 14, 22}, .run = lstm_1}}};

}  // namespace onnxv
#endif
