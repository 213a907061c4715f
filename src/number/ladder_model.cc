// The Model reading of a ladder call, and the scope that asks for it.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>

#include "src/base/parallel.h"
#include "src/number/formula.h"
#include "src/number/ladder.h"
#include "src/number/model_rounding.h"

namespace onnxv {
namespace {

std::atomic<ToleranceModel*> g_tolerance{nullptr};

constexpr std::string_view kFunctionNames[kFunctions] = {
    "exp",  "expm1", "log",   "log1p", "sin",   "cos",   "tan", "asin", "acos",   "atan",
    "sinh", "cosh",  "tanh",  "asinh", "acosh", "atanh", "erf", "erfc", "erfinv", "pow"};

}  // namespace

ToleranceScope::ToleranceScope(const ToleranceModel& model) : model_(model), outer_(g_tolerance) { g_tolerance = &model_; }
ToleranceScope::~ToleranceScope() { g_tolerance = outer_; }
const ToleranceModel* ToleranceScope::current() { return g_tolerance.load(std::memory_order_relaxed); }
void ToleranceScope::set_own(std::optional<ComputeType> type) {
  if (ToleranceModel* model = g_tolerance) model->own = type;
}

std::string_view function_name(LibraryFunction function) { return kFunctionNames[static_cast<size_t>(function)]; }

ComputeType compute_type(const Format& format) { return {format.name, format.mantissa_bits + 1, &format}; }

std::optional<ComputeType> compute_type(std::string_view name) {
  if (name == "tf32") return ComputeType{"tf32", 11, &kFloat32};
  for (const Format* format : {&kFloat16, &kBfloat16, &kFloat32, &kFloat64}) {
    if (format->name == name) return compute_type(*format);
  }
  return std::nullopt;
}

void LineSource::read_models(size_t line, ModelReal* elements) const {
  std::vector<double> values(count() + 1), radii(count() + 1);
  read(line, 1, values.data());
  if (!exact()) read_radii(line, 1, radii.data());
  for (size_t i = 0; i < count(); ++i) {
    const double m = values[i], r = radii[i];
    elements[i] = r > 0 ? rounded(ModelReal::between(m, m - r, m + r, 0)) : ModelReal::operand(m);
  }
}

ComputeType compute_type_of(const ToleranceModel& tolerance, std::span<const Target> targets) {
  if (tolerance.compute) return *tolerance.compute;
  const Format* narrowest = nullptr;
  for (const Target& target : targets) {
    const Format* format = target.format;
    if (format == nullptr || format->bits < 16) continue;
    if (narrowest == nullptr || format->mantissa_bits < narrowest->mantissa_bits) narrowest = format;
  }
  if (narrowest != nullptr) return compute_type(*narrowest);
  return tolerance.own.value_or(compute_type(kFloat32));
}

namespace {

ComputeType type_of(const LadderCall& call, const ToleranceModel& tolerance) {
  if (call.compute != nullptr && !tolerance.compute) return compute_type(*call.compute);
  std::vector<Target> targets;
  for (const LineSink* sink : call.outputs) targets.push_back(sink->target());
  return compute_type_of(tolerance, targets);
}

// Operands and results of one line.
class ModelLine {
 public:
  explicit ModelLine(const LadderCall& call)
      : call_(call), in_(call.inputs.size()), out_(call.outputs.size()), shared_(std::make_unique<bool[]>(call.inputs.size() + 1)) {
    for (size_t k = 0; k < in_.size(); ++k) {
      in_[k].resize(call.inputs[k]->count() + 1);
      in_data_.push_back(in_[k].data());
      in_count_.push_back(call.inputs[k]->count());
      shared_[k] = call.inputs[k]->shared();
      if (shared_[k]) call.inputs[k]->read_models(0, in_[k].data());
    }
    for (size_t k = 0; k < out_.size(); ++k) {
      out_[k].resize(call.outputs[k]->count() + 1);
      out_data_.push_back(out_[k].data());
      out_count_.push_back(call.outputs[k]->count());
    }
  }
  void bound(size_t line) {
    for (size_t k = 0; k < in_.size(); ++k) {
      if (!shared_[k]) call_.inputs[k]->read_models(line, in_[k].data());
    }
    call_.formula->model({in_data_.data(), in_count_.data(), shared_.get(), out_data_.data(), out_count_.data(),
                          Options{call_.options.data()}, 1});
    for (size_t k = 0; k < out_.size(); ++k) {
      const Target target = call_.outputs[k]->target();
      bounds_.clear();
      for (size_t i = 0; i < out_count_[k]; ++i) bounds_.push_back(written(target, out_[k][i]));
      bounds_.emplace_back();  // never empty: data() is no null pointer
      call_.outputs[k]->write_bounds(line, bounds_.data());
    }
  }

 private:
  const LadderCall& call_;
  std::vector<std::vector<ModelReal>> in_, out_;
  std::vector<const void*> in_data_;
  std::vector<void*> out_data_;
  std::vector<size_t> in_count_, out_count_;
  std::unique_ptr<bool[]> shared_;
  std::vector<Bound> bounds_;
};

}  // namespace

void bound_lines(const LadderCall& call) {
  const ToleranceModel& tolerance = *ToleranceScope::current();
  const ComputeType type = type_of(call, tolerance);
  parallel_for(call.lines, 256, [&](size_t begin, size_t end) {
    const ArithmeticScope arithmetic(tolerance, type);
    ModelLine line(call);
    for (size_t i = begin; i < end; ++i) line.bound(i);
  });
}

}  // namespace onnxv
