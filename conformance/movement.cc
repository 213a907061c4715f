#include "conformance/movement.h"

#include <algorithm>
#include <cmath>

#include "conformance/compare/compare.h"
#include "src/base/error.h"
#include "src/number/disturb.h"
#include "src/number/philox.h"

namespace onnxv {
namespace {

// Moves every float that a node computes within its expected deviation, by numbers drawn from a seed.
class Mover : public Disturber {
 public:
  explicit Mover(uint32_t seed) : seed_(seed) {}
  void move(std::vector<Value>* outputs) override {
    for (Value& output : *outputs) {
      ++tensor_;
      if (!output.is_tensor() || output.tensor().bounds() == nullptr || !is_float(output.tensor().dtype())) continue;
      Tensor& tensor = output.mutable_tensor();
      const Format& format = float_format(tensor.dtype());
      for (size_t i = 0; i < tensor.size(); ++i) {
        const auto words = philox({static_cast<uint32_t>(i), static_cast<uint32_t>(uint64_t{i} >> 32), tensor_, 0}, {seed_, 0});
        tensor.set_code(i, disturbed(format, tensor.code(i), (*tensor.bounds())[i], words[0]));
      }
    }
  }

 private:
  uint32_t seed_, tensor_ = 0;
};

void take(const Value& exact, const Value& moved, Movement* movement) {
  CompareRequest exactly;
  exactly.tolerance.kind = Tolerance::Kind::kExact;
  const Comparison comparison = compare(exact, moved, exactly);
  movement->largest = std::max(movement->largest, comparison.max_abs);
  movement->differs = movement->differs || (!comparison.matches && (!holds_floats(exact.type()) || !comparison.problem.empty()));
}

}  // namespace

bool holds_floats(const Type& type) { return type.element ? holds_floats(*type.element) : is_float(type.dtype) || is_complex(type.dtype); }

std::vector<Movement> movements(const PreparedModel& prepared, const std::map<std::string, Value>& inputs, uint64_t seed,
                                const std::vector<Value>& exact) {
  constexpr uint32_t kRuns = 32;
  const ToleranceScope scope(tolerance_model("", "", {}));
  std::vector<Movement> all(exact.size());
  for (uint32_t run = 0; run < kRuns; ++run) {
    Mover mover(run);
    EvaluateOptions options;
    options.seed = seed;
    options.disturber = &mover;
    try {
      const Evaluation moved = prepared.evaluate(inputs, options);
      for (size_t i = 0; i < exact.size(); ++i) {
        if (exact[i].exists() && moved.outputs[i].exists()) take(exact[i], moved.outputs[i], &all[i]);
      }
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kUndefined) throw;
      for (Movement& movement : all) movement.differs = true;  // an index that moved out of its range
    }
  }
  return all;
}

Tolerance tolerance_of(const Movement& movement) {
  Tolerance tolerance;
  if (movement.differs || !std::isfinite(movement.largest)) return tolerance;
  tolerance.kind = movement.largest > 0 ? Tolerance::Kind::kOfficial : Tolerance::Kind::kExact;
  tolerance.rtol = 0;
  tolerance.atol = 16 * movement.largest;
  return tolerance;
}

}  // namespace onnxv
