// A planned case as a model with its inputs.
#pragma once

#include <string>
#include <vector>

#include "conformance/generate/plan.h"
#include "src/model/graph.h"

namespace onnxv::generate {

struct CaseModel {
  Model model;                // output shapes are not declared yet, the sentence not yet written
  std::vector<Value> inputs;  // by the graph's inputs
  std::string sentence;       // what the directory tests
  std::vector<std::pair<std::string, std::string>> types;  // parameter and type, for the index
};

// `opset` is the version that is imported for the operator's domain. `name` is the directory's: its
// random values follow from it.
CaseModel case_model(const OpSchema& schema, const PlannedCase& planned, int64_t opset,
                     const std::string& name);

}  // namespace onnxv::generate
