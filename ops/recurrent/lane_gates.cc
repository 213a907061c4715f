#include "ops/recurrent/lane_gates.h"

#include <algorithm>

#include "src/number/settled_lines.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

constexpr size_t kMostNumbers = size_t{1} << 17;  // of inputs, and of their sums, at a time

size_t steps_together(const Recurrence& node) {
  const size_t of_a_step = node.batch() * std::max(node.hidden(), node.input());
  return std::max<size_t>(1, kMostNumbers / std::max<size_t>(1, of_a_step));
}

}  // namespace

LaneGates::LaneGates(const Recurrence& node, size_t direction, const std::vector<GateSum>& sums)
    : node_(node), direction_(direction), steps_(steps_together(node)) {
  const size_t lines = node.batch() * node.hidden() + kRegisterPadding;
  midpoints_.assign(sums.size(), std::vector<double>(lines));
  radii_ = midpoints_;
  for (const GateSum& sum : sums) sums_.push_back(node.step_sums(direction, sum.gate, sum.terms));
}

void LaneGates::prepare(size_t number) {
  first_ = number;
  prepared_ = std::min(steps_, node_.steps() - number);
  const std::vector<double> x = node_.inputs_of(direction_, first_, prepared_);
  for (StepSums& sums : sums_) sums.set_inputs(x, prepared_ * node_.batch());
}

void LaneGates::read(const Step& step, size_t sum) { read(step, sum, step.states[0].data(), nullptr); }

void LaneGates::read(const Step& step, size_t sum, const double* states, const double* radii) {
  if (step.number >= first_ + prepared_) prepare(step.number);
  inputs_.clear();
  for (const size_t b : step.running) inputs_.push_back((step.number - first_) * node_.batch() + b);
  sums_[sum].balls({inputs_, states, radii}, midpoints_[sum].data(), radii_[sum].data());
}

LaneUnits::LaneUnits(const Formula& formula, const Recurrence& node, size_t direction)
    : formula_(formula), target_(target_of(node.dtype())), options_(node.options(direction)), parameters_(node.parameters(direction)) {}

std::vector<size_t> LaneUnits::settle(std::vector<LaneBlock::Input> operands, std::span<const size_t> order,
                                      std::vector<Tensor>* states) const {
  operands.push_back({parameters_.data(), nullptr, parameters_.size(), true});
  std::vector<LaneBlock::Output> outputs;
  for (const size_t state : order) outputs.push_back({target_, 1, (*states)[state].mutable_bytes().data()});
  return settle_lines_on_lanes({&formula_, (*states)[0].size(), operands, outputs, Options{options_.data()}, nullptr});
}

}  // namespace onnxv
