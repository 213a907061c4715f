#include "conformance/generate/case_tolerance.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "conformance/compare/tolerance.h"
#include "conformance/origin.h"

namespace onnxv::generate {
namespace {

using Json = nlohmann::ordered_json;

bool holds_floats(const Type& type) {
  if (type.element) return holds_floats(*type.element);
  return is_float(type.dtype) || is_complex(type.dtype);
}

Json rule_of(const Tolerance& tolerance) {
  Json rule{{"kind", std::string(kind_name(tolerance.kind))}};
  if (tolerance.minimum) rule["minimum"] = *tolerance.minimum;
  if (tolerance.maximum) rule["maximum"] = *tolerance.maximum;
  if (!tolerance.identical) rule["per_element"] = true;
  return rule;
}

}  // namespace

std::string case_tolerance(const CaseModel& made, const PlannedCase& planned) {
  const Graph& graph = *made.model.graph;
  const auto is_float_input = [](const ValueInfo& input) { return holds_floats(input.type); };
  const bool from_floats = std::any_of(graph.inputs.begin(), graph.inputs.end(), is_float_input);
  const std::vector<Origin> origins = output_origins(made.model, false);
  const Tolerance official;
  Json text{{"rtol", official.rtol}, {"atol", official.atol}};
  for (size_t i = 0; i < graph.outputs.size(); ++i) {
    const bool computed = from_floats || holds_floats(graph.outputs[i].type);
    Tolerance tolerance = origins[i].random ? origins[i].distribution : official;
    if (!origins[i].random && (planned.recipe->exact || !computed))
      tolerance.kind = Tolerance::Kind::kExact;
    text["outputs"][graph.outputs[i].name] = rule_of(tolerance);
  }
  return text.dump(1) + "\n";
}

}  // namespace onnxv::generate
