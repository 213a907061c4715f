#include "ops/recurrent/recurrence.h"

#include <algorithm>
#include <numeric>

#include "ops/recurrent/function_names.h"
#include "src/number/settled_lines.h"
#include "src/tensor/index.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

size_t dim(const Tensor& tensor, int64_t axis) { return static_cast<size_t>(tensor.shape()[axis]); }

void require_rank_3(const Tensor& tensor, const char* port) {
  if (tensor.rank() == 3) return;
  fail_schema("rank", std::string(port) + " is " + tensor.shape().text(),
              "must have three dimensions");
}

}  // namespace

Recurrence::Recurrence(const OpCall& call, const CellKind& kind)
    : call_(call),
      kind_(kind),
      x_(call.tensor("X")),
      w_(call.tensor("W")),
      r_(call.tensor("R")),
      b_(call.optional_tensor("B")),
      dtype_(x_.dtype()) {
  read_directions();
  read_shapes();
  read_lengths();
  read_functions();
}

void Recurrence::read_directions() {
  const std::string& direction = call_.text("direction");
  // Erratum: the default of GRU-1 is spelled "foward".
  const bool misspelled =
      call_.op() == "GRU" && call_.since_version() == 1 && direction == "foward";
  if (direction == "bidirectional") {
    directions_ = 2;
  } else if (direction == "reverse") {
    first_is_reverse_ = true;
  } else if (direction != "forward" && !misspelled) {
    fail_schema("attribute-value", "direction is \"" + direction + "\"",
                "must be forward, reverse or bidirectional");
  }
}

void Recurrence::check_shape(const Tensor* tensor, const char* port, const Shape& wanted) const {
  if (tensor == nullptr || tensor->shape() == wanted) return;
  fail_schema("shape-mismatch", std::string(port) + " is " + tensor->shape().text(),
              "must be " + wanted.text());
}

void Recurrence::read_shapes() {
  const int64_t layout = call_.integer_or("layout", 0);
  if (layout != 0 && layout != 1) {
    fail_schema("attribute-value", "layout is " + std::to_string(layout), "must be 0 or 1");
  }
  batch_first_ = layout == 1;
  require_rank_3(x_, "X");
  require_rank_3(r_, "R");
  sequence_ = dim(x_, batch_first_ ? 1 : 0);
  batch_ = dim(x_, batch_first_ ? 0 : 1);
  input_ = dim(x_, 2);
  hidden_ = dim(r_, 2);
  const int64_t hidden = r_.shape()[2], directions = static_cast<int64_t>(directions_);
  const int64_t rows = static_cast<int64_t>(kind_.gates) * hidden;
  const int64_t stated = call_.integer_or("hidden_size", hidden);
  if (stated != hidden) {
    fail_schema("attribute-value", "hidden_size is " + std::to_string(stated),
                "must be " + std::to_string(hidden) + ", the last dimension of R");
  }
  check_shape(&w_, "W", {directions, rows, x_.shape()[2]});
  check_shape(&r_, "R", {directions, rows, hidden});
  check_shape(b_, "B", {directions, 2 * rows});
  for (const char* state : kind_.states)
    check_shape(call_.optional_tensor(state), state, state_shape());
  all_units_.resize(hidden_);
  std::iota(all_units_.begin(), all_units_.end(), 0);
}

Shape Recurrence::state_shape() const {
  const int64_t d = static_cast<int64_t>(directions_), b = static_cast<int64_t>(batch_);
  const int64_t h = static_cast<int64_t>(hidden_);
  return batch_first_ ? Shape{b, d, h} : Shape{d, b, h};
}

void Recurrence::read_lengths() {
  lengths_.assign(batch_, sequence_);
  const Tensor* given = call_.optional_tensor("sequence_lens");
  if (given == nullptr) return;
  check_shape(given, "sequence_lens", {static_cast<int64_t>(batch_)});
  const std::vector<int64_t> lengths = int64_values(*given);
  for (size_t b = 0; b < batch_; ++b) {
    if (lengths[b] < 0 || lengths[b] > static_cast<int64_t>(sequence_)) {
      fail_undefined("input-range", "sequence_lens hold " + std::to_string(lengths[b]),
                     "must be in [0, " + std::to_string(sequence_) + "]");
    }
    lengths_[b] = static_cast<size_t>(lengths[b]);
  }
}

void Recurrence::read_functions() {
  const size_t each = kind_.activations.size(), wanted = each * directions_;
  std::vector<std::string> names = call_.texts("activations");
  // Spec: RNN's default is a list for two directions; a node of one direction uses its first entry.
  if (names.size() > wanted && each == 1) names.resize(wanted);
  if (names.empty()) {
    for (size_t i = 0; i < wanted; ++i) names.emplace_back(kind_.activations[i % each]);
  }
  if (names.size() != wanted) {
    fail_schema("attribute-value",
                "activations name " + std::to_string(names.size()) + " functions",
                "must name " + std::to_string(wanted));
  }
  FunctionParameters alphas(call_.reals("activation_alpha"), "activation_alpha");
  FunctionParameters betas(call_.reals("activation_beta"), "activation_beta");
  for (const std::string& name : names) {
    const NamedActivation& function = named_activation(name);
    const double alpha = alphas.next(function, function.alpha),
                 beta = betas.next(function, function.beta);
    functions_.push_back({static_cast<int64_t>(function.kind), alpha, beta});
  }
  if (call_.has_attribute("clip") && !(call_.real("clip") >= 0)) {
    fail_schema("attribute-range", "clip is negative or NaN", "must be 0 or more");
  }
}

std::vector<int64_t> Recurrence::options(size_t direction) const {
  const size_t each = kind_.activations.size();
  std::vector<int64_t> options{call_.has_attribute("clip") ? 1 : 0};
  for (size_t i = 0; i < each; ++i) options.push_back(functions_[direction * each + i].kind);
  return options;
}

std::vector<double> Recurrence::parameters(size_t direction) const {
  const size_t each = kind_.activations.size();
  std::vector<double> parameters{call_.real_or("clip", 0)};
  for (size_t i = 0; i < each; ++i) {
    parameters.push_back(functions_[direction * each + i].alpha);
    parameters.push_back(functions_[direction * each + i].beta);
  }
  return parameters;
}

// ---- stepping ----

size_t Recurrence::time_of(size_t direction, size_t number, size_t sequence) const {
  const bool reverse = first_is_reverse_ || direction == 1;
  return reverse ? lengths_[sequence] - 1 - number : number;
}
size_t Recurrence::row_of_x(size_t time, size_t sequence) const {
  return batch_first_ ? sequence * sequence_ + time : time * batch_ + sequence;
}
size_t Recurrence::row_of_y(size_t time, size_t direction, size_t sequence) const {
  return batch_first_ ? (sequence * sequence_ + time) * directions_ + direction
                      : (time * directions_ + direction) * batch_ + sequence;
}
size_t Recurrence::row_of_state(size_t direction, size_t sequence) const {
  return batch_first_ ? sequence * directions_ + direction : direction * batch_ + sequence;
}

void Recurrence::States::take(size_t state, const Tensor& from, size_t first, size_t count,
                              size_t to) {
  decode_elements(from, first, count, values[state].data() + to);
  for (size_t i = 0; !bounds.empty() && i < count; ++i) {
    bounds[state][to + i] = from.bounds() == nullptr ? Bound() : (*from.bounds())[first + i];
  }
}

Step Recurrence::next_step(size_t number, const States& states) const {
  Step step{number, hidden_, {}, {}, {}};
  for (size_t b = 0; b < batch_; ++b) {
    if (number < lengths_[b]) step.running.push_back(b);
  }
  step.states.resize(states.values.size());
  step.bounds.resize(states.bounds.size());
  for (const size_t b : step.running) {
    const auto append = [&](const auto& all, auto& rows) {
      const auto from = all.begin() + static_cast<std::ptrdiff_t>(b * hidden_);
      rows.insert(rows.end(), from, from + static_cast<std::ptrdiff_t>(hidden_));
    };
    for (size_t k = 0; k < step.states.size(); ++k) append(states.values[k], step.states[k]);
    for (size_t k = 0; k < step.bounds.size(); ++k) append(states.bounds[k], step.bounds[k]);
  }
  for (std::vector<double>& rows : step.states) rows.resize(rows.size() + kRegisterPadding);
  return step;
}

// Without bounds: lanes are not read within a ToleranceScope.
Step Recurrence::part_of(const Step& step, const std::vector<size_t>& rows) const {
  Step part{step.number, hidden_, {}, {}, {}};
  part.states.resize(step.states.size());
  for (const size_t row : rows) {
    part.running.push_back(step.running[row]);
    for (size_t k = 0; k < step.states.size(); ++k) {
      const auto from = step.states[k].begin() + static_cast<std::ptrdiff_t>(row * hidden_);
      part.states[k].insert(part.states[k].end(), from, from + static_cast<std::ptrdiff_t>(hidden_));
    }
  }
  return part;
}

size_t Recurrence::steps() const { return lengths_.empty() ? 0 : *std::max_element(lengths_.begin(), lengths_.end()); }

bool Recurrence::lanes_suffice_here() const {
  return lanes_suffice() && is_float32_or_narrower(dtype_) && std::max(input_, hidden_) < (size_t{1} << 20);
}

Recurrence::States Recurrence::first_states(size_t direction, const std::vector<Tensor>& last) const {
  States states{std::vector(last.size(), std::vector<double>(batch_ * hidden_ + 1)), {}};
  if (ToleranceScope::current() != nullptr) states.bounds.assign(last.size(), std::vector<Bound>(batch_ * hidden_));
  for (size_t k = 0; k < last.size(); ++k) {
    for (size_t b = 0; b < batch_; ++b) states.take(k, last[k], row_of_state(direction, b) * hidden_, hidden_, b * hidden_);
  }
  return states;
}

void Recurrence::keep(size_t direction, const Step& step, const std::vector<Tensor>& results, States* states, Tensor* y,
                      std::vector<Tensor>* last) const {
  for (size_t i = 0; i < step.running.size(); ++i) {
    const size_t b = step.running[i];
    const size_t y_row = row_of_y(time_of(direction, step.number, b), direction, b);
    copy_elements(results[0], i * hidden_, hidden_, *y, y_row * hidden_);
    for (size_t k = 0; k < last->size(); ++k) {
      states->take(k, results[k], i * hidden_, hidden_, b * hidden_);
      copy_elements(results[k], i * hidden_, hidden_, (*last)[k], row_of_state(direction, b) * hidden_);
    }
  }
}

// The cells of what stays open on lanes: one for all units, which is kept, and one for each step that leaves few open.
class Recurrence::ExactCells {
 public:
  ExactCells(const Recurrence& node, size_t direction, const CellOf& cell_of) : node_(node), direction_(direction), cell_of_(cell_of) {}
  std::vector<Tensor> all(const Step& step) {
    if (!whole_) whole_ = cell_of_(direction_, node_.all_units());
    return whole_(step);
  }
  void settle(const Step& step, const std::vector<size_t>& open, std::vector<Tensor>* states) {
    std::vector<size_t> rows;
    Units units;
    for (const size_t element : open) {
      if (rows.empty() || rows.back() != element / node_.hidden()) rows.push_back(element / node_.hidden());
      units.push_back(element % node_.hidden());
    }
    std::sort(units.begin(), units.end());
    units.erase(std::unique(units.begin(), units.end()), units.end());
    const Step part = node_.part_of(step, rows);
    if (units.size() * kFew > node_.hidden()) return put(all(part), rows, node_.all_units(), states);
    put(cell_of_(direction_, units)(part), rows, units, states);
  }

 private:
  static constexpr size_t kFew = 4;  // times as many units are worth a cell that is kept
  void put(const std::vector<Tensor>& results, const std::vector<size_t>& rows, const Units& units, std::vector<Tensor>* states) const {
    for (size_t i = 0; i < rows.size(); ++i) {
      for (size_t j = 0; j < units.size(); ++j) {
        const size_t from = i * units.size() + j, to = rows[i] * node_.hidden() + units[j];
        for (size_t k = 0; k < results.size(); ++k) copy_elements(results[k], from, 1, (*states)[k], to);
      }
    }
  }
  const Recurrence& node_;
  const size_t direction_;
  const CellOf& cell_of_;
  Cell whole_;  // made when it is needed: it keeps the weights in a form of its own
};

void Recurrence::run_direction(size_t direction, const CellOf& cell_of, const LaneCellOf& lane_cell_of, Tensor* y,
                               std::vector<Tensor>* last) const {
  States states = first_states(direction, *last);
  const std::unique_ptr<LaneCell> lanes = lanes_suffice_here() ? lane_cell_of(direction) : nullptr;
  ExactCells exact(*this, direction, cell_of);
  std::vector<Tensor> results;
  for (size_t number = 0; number < steps(); ++number) {
    const Step step = next_step(number, states);
    if (lanes == nullptr) {
      keep(direction, step, exact.all(step), &states, y, last);
      continue;
    }
    const Shape shape{static_cast<int64_t>(step.running.size()), static_cast<int64_t>(hidden_)};
    if (results.empty() || results[0].shape() != shape) results.assign(last->size(), Tensor(dtype_, shape));
    const std::vector<size_t> open = lanes->step(step, &results);
    if (!open.empty()) exact.settle(step, open, &results);
    keep(direction, step, results, &states, y, last);
  }
}

Outputs Recurrence::run(const CellOf& cell_of, const LaneCellOf& lane_cell_of) const {
  Shape y_shape = state_shape();
  y_shape.insert(batch_first_ ? 1 : 0, static_cast<int64_t>(sequence_));
  Tensor y(dtype_, y_shape);
  std::vector<Tensor> last;
  for (const char* state : kind_.states) {
    const Tensor* initial = call_.optional_tensor(state);
    last.push_back(initial != nullptr ? *initial : Tensor(dtype_, state_shape()));
  }
  for (size_t direction = 0; direction < directions_ && y.size() != 0; ++direction) {
    run_direction(direction, cell_of, lane_cell_of, &y, &last);
  }
  mark_unspecified(y);
  Outputs outputs{y};
  for (Tensor& state : last) outputs.push_back(std::move(state));
  return outputs;
}

// Choice: the text gives sequence_lens no meaning beyond "lengths". Rows of Y behind a sequence's
// end are 0, and a sequence of no steps ends in its initial state.
void Recurrence::mark_unspecified(const Tensor& y) const {
  if (y.size() == 0) return;
  std::vector<uint8_t> rows(y.size(), 0), states(directions_ * batch_ * hidden_, 0);
  bool ended = false, empty = false;
  for (size_t b = 0; b < batch_; ++b) {
    for (size_t direction = 0; direction < directions_; ++direction) {
      for (size_t time = lengths_[b]; time < sequence_; ++time, ended = true) {
        std::fill_n(
            rows.begin() + static_cast<std::ptrdiff_t>(row_of_y(time, direction, b) * hidden_),
            hidden_, 1);
      }
      if (lengths_[b] != 0 || sequence_ == 0) continue;
      std::fill_n(
          states.begin() + static_cast<std::ptrdiff_t>(row_of_state(direction, b) * hidden_),
          hidden_, 1);
      empty = true;
    }
  }
  if (ended) call_.mark_unspecified(0, "sequence-end", std::move(rows));
  for (size_t k = 0; empty && k < kind_.states.size(); ++k) {
    if (call_.has_input(kind_.states[k])) call_.mark_unspecified(1 + k, "sequence-empty", states);
  }
}

}  // namespace onnxv
