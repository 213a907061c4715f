#include "ops/training/tape.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <string>
#include <utility>

#include "src/base/error.h"

namespace onnxv {
namespace {

constexpr size_t kMostEntries = size_t{1} << 21;

}  // namespace

Tape::Tape() { one_ = constant(1.0); }

Tape::Id Tape::push(const Entry& entry) {
  if (entries_.size() >= kMostEntries) {
    fail_limit("gradient-size", "the differentiated graph has more than " + std::to_string(kMostEntries) + " scalar steps");
  }
  entries_.push_back(entry);
  return size() - 1;
}

Tape::Id Tape::step(Step step, Id a, Id b) {
  return push({step, depends(a) || (b != kNone && depends(b)), a, b, 0, nullptr});
}

Tape::Id Tape::constant(double value) { return push({Step::kValue, false, kNone, kNone, value, nullptr}); }
Tape::Id Tape::variable(double value, Id of) { return push({Step::kValue, true, of, kNone, value, nullptr}); }
Tape::Id Tape::rounded(Id of, double value, const Format& format) {
  return depends(of) ? push({Step::kValue, true, of, kNone, value, &format}) : constant(value);
}
Tape::Id Tape::add(Id a, Id b) { return step(Step::kAdd, a, b); }
Tape::Id Tape::negate(Id a) { return step(Step::kNegate, a); }
Tape::Id Tape::multiply(Id a, Id b) {
  if (a == one_) return b;
  if (b == one_) return a;
  return step(Step::kMultiply, a, b);
}
Tape::Id Tape::divide(Id a, Id b) { return step(Step::kDivide, a, b); }
Tape::Id Tape::exp(Id a) { return step(Step::kExp, a); }
Tape::Id Tape::log(Id a) { return step(Step::kLog, a); }
Tape::Id Tape::sqrt(Id a) { return step(Step::kSqrt, a); }
Tape::Id Tape::pow(Id a, Id b) { return step(Step::kPow, a, b); }
Tape::Id Tape::tanh(Id a) { return step(Step::kTanh, a); }
Tape::Id Tape::sigmoid(Id a) { return step(Step::kSigmoid, a); }

void Tape::hand_to(Id operand, Id g, std::vector<Id>& adjoints) {
  Id& adjoint = adjoints[static_cast<size_t>(operand)];
  adjoint = adjoint == kNone ? g : add(adjoint, g);
}

void Tape::hand_on_power(Id id, Id g, std::vector<Id>& adjoints) {
  const Entry entry = entries_[static_cast<size_t>(id)];
  const Entry exponent = entries_[static_cast<size_t>(entry.b)];
  // x^0 is 1 everywhere: its derivative is 0, not 0 x^-1.
  const bool is_one = !exponent.depends && exponent.step == Step::kValue && exponent.value == 0;
  if (depends(entry.a) && !is_one) {
    const Id lower = pow(entry.a, subtract(entry.b, one_));
    hand_to(entry.a, multiply(g, multiply(entry.b, lower)), adjoints);
  }
  if (depends(entry.b)) hand_to(entry.b, multiply(g, multiply(id, log(entry.a))), adjoints);
}

void Tape::hand_on(Id id, Id g, std::vector<Id>& adjoints) {
  const Entry entry = entries_[static_cast<size_t>(id)];
  const Id a = entry.a, b = entry.b;
  const bool to_a = a != kNone && depends(a), to_b = b != kNone && depends(b);
  switch (entry.step) {
    case Step::kValue:
      if (to_a) hand_to(a, g, adjoints);
      return;
    case Step::kAdd:
      if (to_a) hand_to(a, g, adjoints);
      if (to_b) hand_to(b, g, adjoints);
      return;
    case Step::kNegate: return hand_to(a, negate(g), adjoints);
    case Step::kMultiply:
      if (to_a) hand_to(a, multiply(g, b), adjoints);
      if (to_b) hand_to(b, multiply(g, a), adjoints);
      return;
    case Step::kDivide:
      if (to_a) hand_to(a, divide(g, b), adjoints);
      if (to_b) hand_to(b, negate(divide(multiply(g, a), multiply(b, b))), adjoints);
      return;
    case Step::kExp: return hand_to(a, multiply(g, id), adjoints);
    case Step::kLog: return hand_to(a, divide(g, a), adjoints);
    case Step::kSqrt: return hand_to(a, divide(g, add(id, id)), adjoints);
    case Step::kPow: return hand_on_power(id, g, adjoints);
    case Step::kTanh: return hand_to(a, multiply(g, subtract(one_, multiply(id, id))), adjoints);
    case Step::kSigmoid: return hand_to(a, multiply(g, multiply(id, sigmoid(negate(a)))), adjoints);
  }
}

std::vector<Tape::Id> Tape::gradients(std::span<const Id> targets, std::span<const Id> variables, Id first) {
  std::vector<Id> adjoints(static_cast<size_t>(size()), kNone);
  for (const Id target : targets) {
    if (depends(target)) hand_to(target, one_, adjoints);
  }
  for (Id id = size() - 1; id >= first; --id) {
    if (static_cast<size_t>(id) >= adjoints.size()) continue;  // written by the seeds
    const Id g = adjoints[static_cast<size_t>(id)];
    if (g != kNone) hand_on(id, g, adjoints);
  }
  std::vector<Id> found;
  for (const Id variable : variables) found.push_back(adjoints[static_cast<size_t>(variable)]);
  return found;
}

Interval Tape::evaluated(const Entry& entry, const Values& values) const {
  if (entry.step == Step::kValue) return Interval(entry.value);
  const Interval& a = values[static_cast<size_t>(entry.a)];
  const Interval& b = values[static_cast<size_t>(entry.b == kNone ? entry.a : entry.b)];
  return entry.step == Step::kSigmoid ? logistic(a) : combined(entry.step, a, b);
}

std::shared_ptr<const Tape::Values> Tape::values() const {
  const std::scoped_lock lock(mutex_);
  // Of the precisions known the lowest serves every line; of the others one at a time is enough.
  const bool is_known = by_precision_.contains(PrecisionScope::bits());
  if (!is_known && by_precision_.size() > 1) by_precision_.erase(std::prev(by_precision_.end()));
  std::shared_ptr<const Values>& known = by_precision_[PrecisionScope::bits()];
  if (known == nullptr) {
    auto all = std::make_shared<Values>();
    all->reserve(entries_.size());
    for (const Entry& entry : entries_) all->push_back(evaluated(entry, *all));
    known = std::move(all);
  }
  return known;
}

// Lanes are told nothing: a gradient is evaluated in enclosures alone.
class Tape::Source : public LineSource {
 public:
  Source(const Tape& tape, std::vector<Id> ids) : tape_(tape), ids_(std::move(ids)) {}
  size_t count() const override { return 1; }
  bool exact() const override { return false; }
  void read(size_t, size_t lines, double* midpoints) const override { std::fill_n(midpoints, lines, 0.0); }
  void read_radii(size_t first, size_t lines, double* radii) const override {
    for (size_t i = 0; i < lines; ++i) {
      radii[i] = ids_[first + i] == kNone ? 0.0 : std::numeric_limits<double>::infinity();
    }
  }
  void read_intervals(size_t line, Interval* elements) const override {
    *elements = ids_[line] == kNone ? Interval(0.0) : (*tape_.values())[static_cast<size_t>(ids_[line])];
  }
  void read_models(size_t line, ModelReal* elements) const override {
    std::call_once(modelled_, [&] { models_ = tape_.models(ids_); });
    *elements = models_[line];
  }

 private:
  const Tape& tape_;
  std::vector<Id> ids_;
  mutable std::once_flag modelled_;
  mutable std::vector<ModelReal> models_;  // one evaluation knows one compute type
};

std::unique_ptr<LineSource> Tape::source(std::vector<Id> ids) const {
  return std::make_unique<Source>(*this, std::move(ids));
}

}  // namespace onnxv
