// One model with its inputs and with what is right for them: the files' outputs, the interpreter's,
// or both.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conformance/backend/backend.h"
#include "conformance/case.h"
#include "src/base/error.h"
#include "src/number/bound.h"
#include "src/run/evaluate.h"

namespace onnxv {

struct TrialData {
  int number = 0;
  DataSet files;  // inputs; outputs where they are recorded
  // The interpreter's: absent when it has none, and then why.
  std::optional<Evaluation> exact;
  Status exact_status = Status::kPass;
  std::string exact_message;
  std::optional<Error> exact_error;  // where it was one that the interpreter threw
};

struct Trial {
  std::string name, path, model_path;
  std::shared_ptr<const Model> model;
  std::vector<const ValueInfo*> required;  // the graph inputs that are not initializers
  std::vector<TrialData> data;
  std::optional<DirectoryTolerance> beside;
  std::vector<std::string>
      generated_inputs;  // how the inputs came to be, where they were generated
  ToleranceContext context = ToleranceContext::kTestDirectory;
};

// Reads everything. Throws Error.
Trial read_trial(const Case& test);

// Evaluates exactly; what goes wrong is written into each data set, not thrown. With assumptions, the outputs of a model of a
// single node carry bounds.
void evaluate_exactly(Trial& trial, uint64_t seed, const ToleranceModel* assumptions = nullptr);

// One node and nothing else: no subgraph, no local function. Its outputs can be judged by `derived`.
bool is_single_node(const Model& model);
bool has_subgraph(const Node& node);

// The inputs of a data set by name, for the interpreter.
std::map<std::string, Value> inputs_by_name(const Trial& trial, const TrialData& data);

// As the worker protocol spells it: "tensor", "sequence", …
std::string kind_text(const Type& type);

}  // namespace onnxv
