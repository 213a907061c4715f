// The tolerance.json of a generated directory.
#pragma once

#include <map>
#include <string>

#include "conformance/generate/case_model.h"
#include "src/run/evaluate.h"

namespace onnxv::generate {

// A generated model with its exact outputs. Where the model is a single node they carry their bounds: evaluated under a ToleranceScope.
struct EvaluatedCase {
  const CaseModel& made;
  const PreparedModel& prepared;
  const std::map<std::string, Value>& inputs;
  const std::vector<Value>& outputs;
};

// A rule per output, derived for these very inputs: the same bits where the operator leaves no freedom; the bound of each element
// (`derived`, with an rtol and an atol that cover all bounds, for runners that know no more); for an output below several nodes,
// how far it moves when each of them does (conformance/movement.h); a distribution where it is drawn; the official tolerance where
// nothing can be derived.
std::string case_tolerance(const EvaluatedCase& evaluated);

}  // namespace onnxv::generate
