// What RNN, GRU and LSTM share: shapes, directions, sequence lengths, states that are carried from
// step to step.
//
// Spec: rounds H_t (and LSTM's C_t) to the tensors' type at each step, since they are tensors of
// that type (Y stacks the one, Y_c and initial_c carry the other). Within a step nothing is
// rounded.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "ops/operator.h"
#include "src/kernel/step_sums.h"
#include "src/kernel/vectors.h"
#include "src/number/ladder.h"

namespace onnxv {

// The terms of a gate's sum: x_t W^T, h_(t-1) R^T and the two biases. Biases that the node has not
// are left out.
enum GateTerm : unsigned { kFromX = 1, kFromH = 2, kBiasOfW = 4, kBiasOfR = 8 };
inline constexpr unsigned kAllTerms = kFromX | kFromH | kBiasOfW | kBiasOfR;

inline constexpr size_t kRegisterPadding = 8;  // doubles that lanes may read behind the last one

// One step over the sequences that have not ended.
struct Step {
  size_t number, hidden;
  std::vector<size_t> running;              // their indices in the batch
  std::vector<std::vector<double>> states;  // h and, in LSTM, c: [running][hidden] each, and padding
  std::vector<std::vector<Bound>> bounds;   // within a ToleranceScope: of the states
};

using Units = std::vector<size_t>;  // hidden units, ascending

// One state of a step: a line for each of some units of each running sequence, or the whole state of each. Step and units must
// outlive it.
std::unique_ptr<LineSource> unit_lines(const Step& step, size_t state, const Units& units);
std::unique_ptr<LineSource> state_lines(const Step& step, size_t state);

// What one operator is, beside its formula.
struct CellKind {
  size_t gates;
  std::vector<const char*> activations;  // the default functions of one direction
  std::vector<const char*> states;       // the inputs that hold the initial states
};

class Recurrence {
 public:
  Recurrence(const OpCall& call, const CellKind& kind);

  size_t hidden() const { return hidden_; }
  const Units& all_units() const { return all_units_; }
  size_t batch() const { return batch_; }
  size_t input() const { return input_; }
  size_t steps() const;  // of the longest sequence
  DType dtype() const { return dtype_; }

  // The vectors of one gate, one for each of some hidden units, and of a step, one for each running
  // sequence. Same `terms`: their dot products are the gate's sum.
  StoredVectors weights(size_t direction, size_t gate, unsigned terms, const Units& units) const;
  StoredVectors operands(size_t direction, const Step& step, unsigned terms) const;
  // The same sums for lanes; and the inputs of some steps, [steps][batch][input], zeros where a sequence has ended.
  StepSums step_sums(size_t direction, size_t gate, unsigned terms) const;
  std::vector<double> inputs_of(size_t direction, size_t first, size_t steps) const;

  // For CellFunctions (activations.h).
  std::vector<int64_t> options(size_t direction) const;
  std::vector<double> parameters(size_t direction) const;

  // The new states of some units of the running sequences, a tensor [running, units] each.
  using Cell = std::function<std::vector<Tensor>(const Step&)>;
  // Those of all units on lanes alone, into tensors of that shape. Returns the elements that stay open, running sequence times
  // hidden() plus unit: they are the cell's.
  class LaneCell {
   public:
    virtual ~LaneCell() = default;
    virtual std::vector<size_t> step(const Step& step, std::vector<Tensor>* states) = 0;
  };
  // Both of one direction. `units` outlives the cell.
  using CellOf = std::function<Cell(size_t direction, const Units& units)>;
  using LaneCellOf = std::function<std::unique_ptr<LaneCell>(size_t direction)>;
  // Y, then the last value of each state.
  Outputs run(const CellOf& cell_of, const LaneCellOf& lane_cell_of) const;

 private:
  struct Function {
    int64_t kind;
    double alpha, beta;
  };
  void read_shapes();
  void read_directions();
  void read_lengths();
  void read_functions();
  void check_shape(const Tensor* tensor, const char* port, const Shape& wanted) const;
  Shape state_shape() const;
  // What goes from step to step: [batch][hidden] of each state.
  struct States {
    std::vector<std::vector<double>> values;
    std::vector<std::vector<Bound>> bounds;  // empty outside of a ToleranceScope
    void take(size_t state, const Tensor& from, size_t first, size_t count, size_t to);
  };
  Step next_step(size_t number, const States& states) const;
  Step part_of(const Step& step, const std::vector<size_t>& rows) const;
  bool lanes_suffice_here() const;
  class ExactCells;
  States first_states(size_t direction, const std::vector<Tensor>& last) const;
  void run_direction(size_t direction, const CellOf& cell_of, const LaneCellOf& lane_cell_of, Tensor* y, std::vector<Tensor>* last) const;
  void keep(size_t direction, const Step& step, const std::vector<Tensor>& results, States* states, Tensor* y, std::vector<Tensor>* last) const;
  size_t time_of(size_t direction, size_t number, size_t sequence) const;
  size_t row_of_x(size_t time, size_t sequence) const;
  size_t row_of_y(size_t time, size_t direction, size_t sequence) const;
  size_t row_of_state(size_t direction, size_t sequence) const;
  void mark_unspecified(const Tensor& y) const;

  const OpCall& call_;
  const CellKind& kind_;
  const Tensor& x_;
  const Tensor& w_;
  const Tensor& r_;
  const Tensor* b_;
  DType dtype_;
  size_t directions_ = 1, sequence_ = 0, batch_ = 0, input_ = 0, hidden_ = 0;
  bool first_is_reverse_ = false, batch_first_ = false;
  std::vector<size_t> lengths_;
  Units all_units_;
  std::vector<Function> functions_;  // [direction][function]
};

}  // namespace onnxv
