// A recurrence's steps on lanes alone: the gates' sums as midpoints and radii, the units of all running sequences as lines of the
// cell's formula. Elements that stay open are left to the exact cell.
#pragma once

#include <vector>

#include "ops/recurrent/recurrence.h"
#include "src/kernel/step_sums.h"

namespace onnxv {

// One sum of each unit: terms (GateTerm) of a gate.
struct GateSum {
  size_t gate;
  unsigned terms;
};

class LaneGates {
 public:
  LaneGates(const Recurrence& node, size_t direction, const std::vector<GateSum>& sums);
  // Computes sum number `sum` of all units, with the step's h, or with other states in its place (balls).
  void read(const Step& step, size_t sum);
  void read(const Step& step, size_t sum, const double* states, const double* radii);
  // What was read: a line for each unit.
  LaneBlock::Input operand(size_t sum) const { return {midpoints_[sum].data(), radii_[sum].data(), 1, false}; }

 private:
  void prepare(size_t number);
  const Recurrence& node_;
  const size_t direction_, steps_;      // steps whose inputs are multiplied at a time
  size_t first_ = 0, prepared_ = 0;     // the steps that are
  std::vector<StepSums> sums_;
  std::vector<size_t> inputs_;          // of the running sequences
  std::vector<std::vector<double>> midpoints_, radii_;
};

// The formula of a cell whose lines are units. Results in the order of `states`.
class LaneUnits {
 public:
  LaneUnits(const Formula& formula, const Recurrence& node, size_t direction);
  void add_option(int64_t option) { options_.push_back(option); }
  // Runs it over the operands, behind which the parameters come; `order`: which state each result is. Returns the elements
  // that stay open.
  std::vector<size_t> settle(std::vector<LaneBlock::Input> operands, std::span<const size_t> order, std::vector<Tensor>* states) const;
  const std::vector<int64_t>& options() const { return options_; }
  const std::vector<double>& parameters() const { return parameters_; }

 private:
  const Formula& formula_;
  Target target_;
  std::vector<int64_t> options_;
  std::vector<double> parameters_;
};

// A state of the step as an operand.
inline LaneBlock::Input state_operand(const Step& step, size_t state) { return {step.states[state].data(), nullptr, 1, false}; }

}  // namespace onnxv
