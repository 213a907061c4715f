// The Tolerance reading of a tape: a backend that differentiates by the same rules, its forward values as it computes them itself, its
// sums in any order.
#include <algorithm>

#include "ops/training/tape.h"

namespace onnxv {

// Of a chain of additions the terms: a sum is one step.
std::vector<Tape::Id> Tape::operands_of(Id id) const {
  std::vector<Id> operands, open{id};
  const bool sum = entries_[static_cast<size_t>(id)].step == Step::kAdd;
  while (!open.empty()) {
    const Id next = open.back();
    const Entry& entry = entries_[static_cast<size_t>(next)];
    open.pop_back();
    if (next != id && !(sum && entry.step == Step::kAdd)) {
      operands.push_back(next);
      continue;
    }
    for (const Id operand : {entry.a, entry.b}) {
      if (operand != kNone) open.push_back(operand);
    }
  }
  return operands;
}

// A factor sigmoid(-a) comes of a derivative, which may also be written with 1 - sigmoid(a).
ModelReal Tape::modelled_sigmoid(const Entry& entry, std::span<const ModelReal> values) const {
  ModelReal y = logistic(values[static_cast<size_t>(entry.a)]);
  const Entry& operand = entries_[static_cast<size_t>(entry.a)];
  if (operand.step == Step::kNegate) join(&y, ModelReal(1.0) - logistic(-values[static_cast<size_t>(entry.a)]));
  return y;
}

// `values` holds those before it. No sum: models() adds those up.
ModelReal Tape::modelled(const Entry& entry, std::span<const ModelReal> values) const {
  if (entry.step == Step::kValue && entry.a == kNone) return ModelReal::operand(entry.value);
  const ModelReal& a = values[static_cast<size_t>(entry.a)];
  const ModelReal& b = values[static_cast<size_t>(entry.b == kNone ? entry.a : entry.b)];
  if (entry.step == Step::kSigmoid) return modelled_sigmoid(entry, values);
  if (entry.step != Step::kValue) return combined(entry.step, a, b);
  ModelReal x = entry.format == nullptr ? a : round_to(format_number(*entry.format), a);
  x.m = entry.value;
  x.low = std::min(x.low, x.m);
  x.high = std::max(x.high, x.m);
  x.point = x.point && x.low == x.high;
  return x;
}

std::vector<ModelReal> Tape::models(std::span<const Id> wanted) const {
  std::vector<uint8_t> needed(entries_.size(), 0);
  for (const Id id : wanted) {
    if (id != kNone) needed[static_cast<size_t>(id)] = 1;
  }
  for (Id id = size() - 1; id >= 0; --id) {
    if (needed[static_cast<size_t>(id)] == 0) continue;
    for (const Id operand : operands_of(id)) needed[static_cast<size_t>(operand)] = 1;
  }
  std::vector<ModelReal> values(entries_.size());
  for (Id id = 0; id < size(); ++id) {
    if (needed[static_cast<size_t>(id)] == 0) continue;
    const Entry& entry = entries_[static_cast<size_t>(id)];
    if (entry.step != Step::kAdd) {
      values[static_cast<size_t>(id)] = modelled(entry, values);
      continue;
    }
    std::vector<ModelReal> terms;
    for (const Id operand : operands_of(id)) terms.push_back(values[static_cast<size_t>(operand)]);
    values[static_cast<size_t>(id)] = sum(In<ModelReal>{terms.data(), terms.size()});
  }
  std::vector<ModelReal> models;
  for (const Id id : wanted) models.push_back(id == kNone ? ModelReal(0.0) : values[static_cast<size_t>(id)]);
  return models;
}

}  // namespace onnxv
