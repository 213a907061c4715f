// What a recurrence multiplies: for its cells the vectors whose dot products are the gates' sums, for lanes the same sums in parts.
#include <algorithm>

#include "ops/recurrent/recurrence.h"
#include "src/number/model.h"
#include "src/tensor/lines.h"

namespace onnxv {

StoredVectors Recurrence::weights(size_t direction, size_t gate, unsigned terms, const Units& units) const {
  const size_t rows = kind_.gates * hidden_;
  std::vector<double> values;
  values.reserve(units.size() * (input_ + hidden_ + 2));
  std::vector<double> part(std::max(input_, hidden_) + 1);
  const auto append = [&](const Tensor& tensor, size_t from, size_t count) {
    decode_elements(tensor, from, count, part.data());
    values.insert(values.end(), part.begin(), part.begin() + static_cast<std::ptrdiff_t>(count));
  };
  for (const size_t unit : units) {
    const size_t row = gate * hidden_ + unit;
    if ((terms & kFromX) != 0) append(w_, (direction * rows + row) * input_, input_);
    if ((terms & kFromH) != 0) append(r_, (direction * rows + row) * hidden_, hidden_);
    // Choice: a bias that is "assumed to be 0" adds no term, which differs from adding +0 only in
    // the sign of a zero.
    if (b_ == nullptr) continue;
    if ((terms & kBiasOfW) != 0) append(*b_, direction * 2 * rows + row, 1);
    if ((terms & kBiasOfR) != 0) append(*b_, direction * 2 * rows + rows + row, 1);
  }
  const size_t length = units.empty() ? 0 : values.size() / units.size();
  StoredVectors vectors(std::move(values), units.size(), length, is_narrow(dtype_));
  // Once for all steps; for one it would cost more than its products.
  if (steps() * batch_ > 2 && units.size() == hidden_) vectors.prepare();
  return vectors;
}

std::vector<double> Recurrence::inputs_of(size_t direction, size_t first, size_t steps) const {
  std::vector<double> x(steps * batch_ * input_ + 1);
  for (size_t i = 0; i < steps * batch_; ++i) {
    const size_t number = first + i / batch_, b = i % batch_;
    if (number >= lengths_[b]) continue;
    decode_elements(x_, row_of_x(time_of(direction, number, b), b) * input_, input_, x.data() + i * input_);
  }
  return x;
}

StepSums Recurrence::step_sums(size_t direction, size_t gate, unsigned terms) const {
  const size_t rows = kind_.gates * hidden_, first = gate * hidden_;
  const auto matrix = [&](unsigned term, const Tensor& tensor, size_t length) {
    return (terms & term) == 0 ? FloatRows() : FloatRows(tensor, (direction * rows + first) * length, hidden_, length);
  };
  std::vector<std::vector<double>> biases;
  for (const unsigned term : {kBiasOfW, kBiasOfR}) {
    if (b_ == nullptr || (terms & term) == 0) continue;
    std::vector<double>& bias = biases.emplace_back(hidden_ + 1);
    decode_elements(*b_, direction * 2 * rows + (term == kBiasOfR ? rows : 0) + first, hidden_, bias.data());
  }
  return {hidden_, matrix(kFromX, w_, input_), matrix(kFromH, r_, hidden_), biases};
}

StoredVectors Recurrence::operands(size_t direction, const Step& step, unsigned terms) const {
  const size_t count = step.running.size();
  const size_t ones =
      b_ == nullptr ? 0 : ((terms & kBiasOfW) != 0 ? 1 : 0) + ((terms & kBiasOfR) != 0 ? 1 : 0);
  std::vector<double> values;
  std::vector<Bound> bounds;
  const auto append = [&](const std::vector<double>& rows, size_t row, size_t length) {
    const auto from = rows.begin() + static_cast<std::ptrdiff_t>(row * length);
    values.insert(values.end(), from, from + static_cast<std::ptrdiff_t>(length));
  };
  std::vector<double> x(input_ + 1);
  for (size_t i = 0; i < count; ++i) {
    const size_t b = step.running[i];
    if ((terms & kFromX) != 0) {
      decode_elements(x_, row_of_x(time_of(direction, step.number, b), b) * input_, input_, x.data());
      append(x, 0, input_);
    }
    if ((terms & kFromH) != 0) {
      bounds.resize(values.size());
      append(step.states[0], i, hidden_);
      if (!step.bounds.empty()) {
        const auto from = step.bounds[0].begin() + static_cast<std::ptrdiff_t>(i * hidden_);
        bounds.insert(bounds.end(), from, from + static_cast<std::ptrdiff_t>(hidden_));
      }
    }
    values.insert(values.end(), ones, 1.0);
  }
  const size_t length = count == 0 ? 0 : values.size() / count;
  bounds.resize(values.size());
  StoredVectors vectors(std::move(values), count, length, is_narrow(dtype_));
  if (!step.bounds.empty()) vectors.set_bounds(std::move(bounds));
  return vectors;
}

namespace {

class StateLines : public LineSource {
 public:
  StateLines(const Step& step, size_t state, size_t count)
      : values_(step.states[state]),
        bounds_(step.bounds.empty() ? nullptr : &step.bounds[state]),
        count_(count) {}
  size_t count() const override { return count_; }
  void read(size_t first, size_t lines, double* out) const override {
    for (size_t line = first; line < first + lines; ++line, out += count_) std::copy_n(values_.data() + place(line), count_, out);
  }
  void read_models(size_t line, ModelReal* out) const override {
    if (bounds_ == nullptr) return LineSource::read_models(line, out);
    for (size_t i = 0; i < count_; ++i) out[i] = model_of(values_[place(line) + i], (*bounds_)[place(line) + i]);
  }

 protected:
  virtual size_t place(size_t line) const { return line * count_; }

 private:
  const std::vector<double>& values_;
  const std::vector<Bound>* bounds_;
  size_t count_;
};

class UnitLines : public StateLines {
 public:
  UnitLines(const Step& step, size_t state, const Units& units) : StateLines(step, state, 1), hidden_(step.hidden), units_(units) {}

 private:
  size_t place(size_t line) const override { return line / units_.size() * hidden_ + units_[line % units_.size()]; }
  size_t hidden_;
  const Units& units_;
};

}  // namespace

std::unique_ptr<LineSource> state_lines(const Step& step, size_t state) {
  return std::make_unique<StateLines>(step, state, step.hidden);
}

std::unique_ptr<LineSource> unit_lines(const Step& step, size_t state, const Units& units) {
  return std::make_unique<UnitLines>(step, state, units);
}

}  // namespace onnxv
