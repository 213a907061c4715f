// Scalars and how they come from each other: what a gradient is differentiated on, and then evaluated from.
//
// Reverse differentiation writes its own steps behind those it differentiates, so that they can be differentiated again. A value
// that was rounded to its tensor's type keeps that value and lets derivatives pass unchanged: every local derivative
// is exact at the rounded operands of its step.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "src/base/error.h"
#include "src/number/interval.h"
#include "src/number/ladder.h"
#include "src/number/model.h"

namespace onnxv {

class Tape {
 public:
  using Id = int32_t;
  static constexpr Id kNone = -1;

  Tape();
  Tape(const Tape&) = delete;
  Tape& operator=(const Tape&) = delete;

  Id constant(double value);
  // What can be differentiated by; `of` where it stands for an earlier scalar in a gradient of a gradient.
  Id variable(double value, Id of = kNone);
  // `of` as it was rounded to a format; a constant where `of` depends on no variable.
  Id rounded(Id of, double value, const Format& format);
  Id add(Id a, Id b);
  Id subtract(Id a, Id b) { return add(a, negate(b)); }
  Id negate(Id a);
  Id multiply(Id a, Id b);
  Id divide(Id a, Id b);
  Id exp(Id a);
  Id log(Id a);
  Id sqrt(Id a);
  Id pow(Id a, Id b);
  Id tanh(Id a);
  Id sigmoid(Id a);

  Id size() const { return static_cast<Id>(entries_.size()); }
  bool depends(Id id) const { return entries_[static_cast<size_t>(id)].depends; }
  // The derivatives of the sum of `targets` by `variables`, which are among the scalars before `first`; kNone stands for 0.
  std::vector<Id> gradients(std::span<const Id> targets, std::span<const Id> variables, Id first);

  // One line per id, of one element each; kNone is +0. The tape must not grow any more, and must outlive it.
  std::unique_ptr<LineSource> source(std::vector<Id> ids) const;

 private:
  enum class Step : uint8_t { kValue, kAdd, kNegate, kMultiply, kDivide, kExp, kLog, kSqrt, kPow, kTanh, kSigmoid };
  struct Entry {
    Step step = Step::kValue;
    bool depends = false;
    Id a = kNone, b = kNone;
    double value = 0;  // of kValue
    const Format* format = nullptr;  // of a kValue that was rounded
  };
  class Source;
  using Values = std::vector<Interval>;

  // A step of what came before, in any arithmetic. A value is no such step, and a sigmoid's Model has a second form.
  template <class Real>
  static Real combined(Step step, const Real& a, const Real& b) {
    switch (step) {
      case Step::kAdd: return a + b;
      case Step::kNegate: return -a;
      case Step::kMultiply: return a * b;
      case Step::kDivide: return a / b;
      case Step::kExp: return onnxv::exp(a);
      case Step::kLog: return onnxv::log(a);
      case Step::kSqrt: return onnxv::sqrt(a);
      case Step::kPow: return onnxv::pow(a, b);
      case Step::kTanh: return onnxv::tanh(a);
      case Step::kValue:
      case Step::kSigmoid: break;
    }
    fail_internal("tape", "a step that combines nothing");
  }
  template <class Real>
  static Real logistic(const Real& x) {
    return Real(1.0) / (Real(1.0) + onnxv::exp(-x));
  }

  Id push(const Entry& entry);
  Id step(Step step, Id a, Id b = kNone);
  // Adds to `adjoints` what `id`, whose adjoint is g, hands to its operands.
  void hand_on(Id id, Id g, std::vector<Id>& adjoints);
  void hand_on_power(Id id, Id g, std::vector<Id>& adjoints);
  void hand_to(Id operand, Id g, std::vector<Id>& adjoints);
  Interval evaluated(const Entry& entry, const Values& values) const;
  // Enclosures of all scalars at the current precision.
  std::shared_ptr<const Values> values() const;

  // The Tolerance reading (tape_model.cc): what a backend may have of these scalars in the current compute type.
  std::vector<ModelReal> models(std::span<const Id> wanted) const;
  std::vector<Id> operands_of(Id id) const;
  ModelReal modelled(const Entry& entry, std::span<const ModelReal> values) const;
  ModelReal modelled_sigmoid(const Entry& entry, std::span<const ModelReal> values) const;

  std::vector<Entry> entries_;
  Id one_ = kNone;
  mutable std::mutex mutex_;
  mutable std::map<long, std::shared_ptr<const Values>> by_precision_;
};

}  // namespace onnxv
