#include "conformance/generate/case_tolerance.h"

#include <algorithm>
#include <optional>

#include "conformance/compare/cover.h"
#include "conformance/compare/tolerance.h"
#include "conformance/movement.h"
#include "conformance/origin.h"
#include "conformance/trial.h"

namespace onnxv::generate {
namespace {

Tolerance exactly() {
  Tolerance tolerance;
  tolerance.kind = Tolerance::Kind::kExact;
  tolerance.rtol = tolerance.atol = 0;
  return tolerance;
}

// Of an output of a single node.
Tolerance bounded(const Tensor& output) {
  if (output.bounds() == nullptr) return exactly();
  const Cover cover = cover_of(output);
  Tolerance tolerance;
  tolerance.kind = Tolerance::Kind::kDerived;
  tolerance.rtol = cover.rtol;
  tolerance.atol = cover.atol;
  return tolerance;
}

bool may_draw(const Origin& origin) {
  const ToleranceRule* rule = ToleranceTable::built_in().find(origin.domain, origin.op, origin.since_version, DType::kUndefined);
  return rule != nullptr && rule->tolerance.kind == Tolerance::Kind::kDistribution;
}

class Rules {
 public:
  explicit Rules(const EvaluatedCase& evaluated) : evaluated_(evaluated), single_(is_single_node(evaluated.made.model)) {}

  Tolerance of(size_t output, const Origin& origin) {
    if (origin.random) return origin.distribution;
    const Freedom* freedom = ToleranceTable::built_in().freedom(origin.domain, origin.op, origin.since_version);
    const auto is = [&](Freedom::Kind kind) { return freedom != nullptr && freedom->kind == kind; };
    // What draws, and does not here (Dropout outside training), copies.
    if (is(Freedom::Kind::kOpen)) return may_draw(origin) ? exactly() : Tolerance();
    if (!single_) return moved(output);
    const Value& value = evaluated_.outputs[output];
    const bool rounds = value.is_tensor() && !value.tensor().is_string() && (!is_integer(value.tensor().dtype()) || is(Freedom::Kind::kSteps));
    return rounds && (is(Freedom::Kind::kBound) || is(Freedom::Kind::kSteps)) ? bounded(value.tensor()) : exactly();
  }

 private:
  Tolerance moved(size_t output) {
    if (!movements_) movements_ = movements(evaluated_.prepared, evaluated_.inputs, EvaluateOptions().seed, evaluated_.outputs);
    const Tolerance tolerance = tolerance_of((*movements_)[output]);
    return tolerance.kind == Tolerance::Kind::kExact ? exactly() : tolerance;
  }

  const EvaluatedCase& evaluated_;
  bool single_;
  std::optional<std::vector<Movement>> movements_;
};

}  // namespace

std::string case_tolerance(const EvaluatedCase& evaluated) {
  const Model& model = evaluated.made.model;
  const std::vector<Origin> origins = output_origins(model, false);
  Rules rules(evaluated);
  DirectoryTolerance beside;
  for (size_t i = 0; i < origins.size(); ++i) {
    const Tolerance tolerance = rules.of(i, origins[i]);
    beside.outputs.push_back({model.graph->outputs[i].name, tolerance});
    beside.rtol = std::max(beside.rtol.value_or(0), tolerance.rtol);
    beside.atol = std::max(beside.atol.value_or(0), tolerance.atol);
  }
  return beside.json();
}

}  // namespace onnxv::generate
