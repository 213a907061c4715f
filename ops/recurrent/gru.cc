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

template <class Real>
Real gru_unit(const CellFunctions<Real>& f, Real update, Real candidate_sum, Real before) {
  return f.complement(0, update) * f(1, candidate_sum) + f(0, update) * before;
}

// One unit: nothing but its own sums is needed.
constexpr auto gru_reset_last = []<class Real>(Options options, In<Real> update, In<Real> reset,
                                               In<Real> from_x, In<Real> from_h, In<Real> before,
                                               In<Real> parameters, Out<Real> h) {
  const CellFunctions<Real> f{options, parameters};
  h[0] = gru_unit(f, update[0], from_x[0] + f(0, reset[0]) * from_h[0], before[0]);
};

// Some units of a sequence, whose numbers stand behind the options of CellFunctions: each needs the reset gates of all. `rh` is
// [units][hidden].
constexpr auto gru_reset_first = []<class Real>(Options options, In<Real> update, In<Real> reset,
                                                In<Real> from_x, In<Real> before, In<Real> rh,
                                                In<Real> parameters, Out<Real> h) {
  const CellFunctions<Real> f{options, parameters};
  const size_t hidden = before.size();
  std::vector<Real> kept(hidden);
  for (size_t k = 0; k < hidden; ++k) kept[k] = f(0, reset[k]) * before[k];
  for (size_t j = 0; j < h.size(); ++j) {
    const Real from_h = dot(rh.part(j * hidden, hidden), In<Real>{kept.data(), hidden});
    h[j] = gru_unit(f, update[j], from_x[j] + from_h, before[static_cast<size_t>(options[3 + j])]);
  }
};

// One unit of the same, where the candidate's whole sum is known.
constexpr auto gru_candidate_known = []<class Real>(Options options, In<Real> update, In<Real> candidate_sum, In<Real> before,
                                                    In<Real> parameters, Out<Real> h) {
  const CellFunctions<Real> f{options, parameters};
  h[0] = gru_unit(f, update[0], candidate_sum[0], before[0]);
};

}  // namespace
LINE_FORMULA(kGruResetLastFormula, gru_reset_last, 6, 1)
LINE_FORMULA(kGruResetFirstFormula, gru_reset_first, 6, 1)
LINE_FORMULA(kGruCandidateKnownFormula, gru_candidate_known, 4, 1)

// r * H_(t-1) of many units as lanes read it; all arrays are padded to whole registers.
struct GruKeptStates {
  Options options;
  const double* parameters;  // five: [clip, alpha and beta of two functions]
  const double *reset, *reset_radii, *before;
  size_t units;
  double *kept, *radii;
};

void gru_kept_none(const GruKeptStates& job);
void gru_kept_avx2(const GruKeptStates& job);
void gru_kept_avx512(const GruKeptStates& job);
#ifdef ONNXV_LANES
void ONNXV_JOIN(gru_kept_, ONNXV_LANES)(const GruKeptStates& job) {
  Ball parameters[5];
  for (size_t i = 0; i < 5; ++i) parameters[i] = Ball(job.parameters[i]);
  const CellFunctions<Ball> f{job.options, {parameters, 5}};
  for (size_t unit = 0; unit < job.units; unit += kLanes) {
    const Ball reset{load(job.reset + unit), load(job.reset_radii + unit)};
    const Ball kept = f(0, reset) * Ball{load(job.before + unit), broadcast(0.0)};
    store(job.kept + unit, kept.m);
    store(job.radii + unit, kept.r);
  }
}
#endif
}  // namespace onnxv

#ifndef ONNXV_LANES
#include <algorithm>
#include <memory>

#include "ops/recurrent/lane_gates.h"
#include "src/kernel/product.h"
#include "src/number/instruction_sets.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

const CellKind kKind{3, {"Sigmoid", "Tanh"}, {"initial_h"}};
enum Gate : size_t { kUpdate, kReset, kHidden };

Tensor states_of(const Recurrence& node, const StoredVectors& operands, const Units& units) {
  return {node.dtype(),
          {static_cast<int64_t>(operands.count()), static_cast<int64_t>(units.size())}};
}

// Some units of one direction with linear_before_reset.
struct ResetLast {
  const Recurrence& node;
  size_t direction;
  const Units& units;
  StoredVectors update, reset, from_x, from_h;

  std::vector<Tensor> operator()(const Step& step) const {
    const StoredVectors all = node.operands(direction, step, kAllTerms);
    const StoredVectors x = node.operands(direction, step, kFromX | kBiasOfW),
                        h = node.operands(direction, step, kFromH | kBiasOfR);
    Tensor now = states_of(node, all, units);
    LineJob(kGruResetLastFormula, now.size())
        .source(product_lines(all, update))
        .source(product_lines(all, reset))
        .source(product_lines(x, from_x))
        .source(product_lines(h, from_h))
        .source(unit_lines(step, 0, units))
        .constants(node.parameters(direction))
        .options(node.options(direction))
        .lines_to(&now, LineLayout::elements(now.size()))
        .run();
    return {now};
  }
};

// Some units of one direction without it.
struct ResetFirst {
  const Recurrence& node;
  size_t direction;
  const Units& units;
  StoredVectors update, from_x;
  std::vector<double> rh;
  std::shared_ptr<const StoredVectors> reset;  // of all units

  std::vector<Tensor> operator()(const Step& step) const {
    const StoredVectors all = node.operands(direction, step, kAllTerms);
    const StoredVectors x = node.operands(direction, step, kFromX | kBiasOfW | kBiasOfR);
    std::vector<int64_t> options = node.options(direction);
    for (const size_t unit : units) options.push_back(static_cast<int64_t>(unit));
    Tensor now = states_of(node, all, units);
    LineJob(kGruResetFirstFormula, all.count())
        .source(product_rows(all, update))
        .source(product_rows(all, *reset))
        .source(product_rows(x, from_x))
        .source(state_lines(step, 0))
        .constants(rh)
        .constants(node.parameters(direction))
        .options(options)
        .lines_to(&now, {all.count(), units.size(), 1})
        .run();
    return {now};
  }
};

// ---- on lanes ----

class ResetLastLanes : public Recurrence::LaneCell {
 public:
  ResetLastLanes(const Recurrence& node, size_t direction)
      : gates_(node, direction,
               {{kUpdate, kAllTerms}, {kReset, kAllTerms}, {kHidden, kFromX | kBiasOfW}, {kHidden, kFromH | kBiasOfR}}),
        units_(kGruResetLastFormula, node, direction) {}
  std::vector<size_t> step(const Step& step, std::vector<Tensor>* states) override {
    std::vector<LaneBlock::Input> operands;
    for (size_t sum = 0; sum < 4; ++sum) {
      gates_.read(step, sum);
      operands.push_back(gates_.operand(sum));
    }
    operands.push_back(state_operand(step, 0));
    constexpr size_t kH[] = {0};
    return units_.settle(std::move(operands), kH, states);
  }

 private:
  LaneGates gates_;
  LaneUnits units_;
};

class ResetFirstLanes : public Recurrence::LaneCell {
 public:
  ResetFirstLanes(const Recurrence& node, size_t direction)
      : gates_(node, direction, {{kUpdate, kAllTerms}, {kReset, kAllTerms}, {kHidden, kAllTerms}}),
        units_(kGruCandidateKnownFormula, node, direction), kept_(node.batch() * node.hidden() + kRegisterPadding), radii_(kept_) {}
  std::vector<size_t> step(const Step& step, std::vector<Tensor>* states) override {
    gates_.read(step, kUpdate);
    gates_.read(step, kReset);
    const LaneBlock::Input reset = gates_.operand(kReset);
    keep({Options{units_.options().data()}, units_.parameters().data(), reset.m, reset.r, step.states[0].data(),
          (*states)[0].size(), kept_.data(), radii_.data()});
    gates_.read(step, kHidden, kept_.data(), radii_.data());
    constexpr size_t kH[] = {0};
    return units_.settle({gates_.operand(kUpdate), gates_.operand(kHidden), state_operand(step, 0)}, kH, states);
  }

 private:
  static void keep(const GruKeptStates& job) {
    static const auto function = ONNXV_OF_SET(gru_kept);
    function(job);
  }
  LaneGates gates_;
  LaneUnits units_;
  std::vector<double> kept_, radii_;  // r * h of all running units
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
  std::shared_ptr<const StoredVectors> resets[2];  // of each direction, where a cell needs them
  const auto cell_of = [&](size_t direction, const Units& units) -> Recurrence::Cell {
    const auto gate = [&](Gate which, unsigned terms) {
      return node.weights(direction, which, terms, units);
    };
    if (reset_last) {
      return ResetLast{node,
                       direction,
                       units,
                       gate(kUpdate, kAllTerms),
                       gate(kReset, kAllTerms),
                       gate(kHidden, kFromX | kBiasOfW),
                       gate(kHidden, kFromH | kBiasOfR)};
    }
    std::shared_ptr<const StoredVectors>& reset = resets[direction];
    if (reset == nullptr) reset = std::make_shared<const StoredVectors>(node.weights(direction, kReset, kAllTerms, node.all_units()));
    return ResetFirst{node,
                      direction,
                      units,
                      gate(kUpdate, kAllTerms),
                      gate(kHidden, kFromX | kBiasOfW | kBiasOfR),
                      stored_matrix(gate(kHidden, kFromH)),
                      reset};
  };
  return node.run(cell_of, [&](size_t direction) -> std::unique_ptr<Recurrence::LaneCell> {
    if (reset_last) return std::make_unique<ResetLastLanes>(node, direction);
    return std::make_unique<ResetFirstLanes>(node, direction);
  });
}

}  // namespace

extern const Operator kGRU;
const Operator kGRU{"ai.onnx", "GRU", {{.since = 1, .also = {3, 7, 14, 22}, .run = gru_1}}};

}  // namespace onnxv
#endif
