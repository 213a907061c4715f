#include "conformance/trial.h"

#include <map>
#include <new>
#include <optional>
#include <variant>

#include "conformance/backend/reference.h"
#include "conformance/node_directory.h"
#include "conformance/report/json.h"
#include "src/base/error.h"

namespace onnxv {
std::string kind_text(const Type& type) {
  switch (type.kind) {
    case Type::Kind::kSequence: return "sequence";
    case Type::Kind::kOptional: return "optional";
    case Type::Kind::kMap: return "map";
    case Type::Kind::kSparseTensor: return "sparse_tensor";
    case Type::Kind::kTensor:
    case Type::Kind::kUnknown: return "tensor";
  }
  return "tensor";
}

Trial read_trial(const Case& test) {
  Trial trial;
  trial.name = test.name;
  trial.path = test.directory;
  trial.model_path = test.model_path;
  trial.model = std::make_shared<const Model>(read_model(test.model_path));
  if (!trial.model->graph) fail_model("no-graph", test.model_path, "wanted a model with a graph");
  trial.required = required_inputs(*trial.model->graph);
  if (!test.tolerance_path.empty()) {
    trial.beside =
        DirectoryTolerance::parse(read_text_file(test.tolerance_path), test.tolerance_path);
  }
  for (const DataSetFiles& files : test.data_sets) {
    TrialData& data = trial.data.emplace_back();
    data.number = static_cast<int>(files.number);
    data.files = read_data_set(files, *trial.model);
  }
  if (trial.data.empty() && trial.required.empty()) {
    trial.data.emplace_back().files.outputs.resize(trial.model->graph->outputs.size());
  }
  if (trial.data.empty()) fail_model("no-data", test.directory, "wanted a test_data_set_0");
  return trial;
}

std::map<std::string, Value> inputs_by_name(const Trial& trial, const TrialData& data) {
  std::map<std::string, Value> inputs = data.files.overridden;
  for (size_t i = 0; i < trial.required.size() && i < data.files.inputs.size(); ++i) {
    if (data.files.inputs[i].exists()) inputs[trial.required[i]->name] = data.files.inputs[i];
  }
  return inputs;
}

bool has_subgraph(const Node& node) {
  for (const Attribute& attribute : node.attributes) {
    if (std::holds_alternative<std::shared_ptr<const Graph>>(attribute.value)) return true;
    if (std::holds_alternative<std::vector<std::shared_ptr<const Graph>>>(attribute.value)) return true;
  }
  return false;
}

bool is_single_node(const Model& model) {
  return model.graph->nodes.size() == 1 && model.functions.empty() && !has_subgraph(model.graph->nodes.front());
}

void evaluate_exactly(Trial& trial, uint64_t seed, const ToleranceModel* assumptions) {
  const auto fail = [](TrialData& data, const Error& error) {
    data.exact_status = status_of(error);
    data.exact_message = error.what();
    data.exact_error = error;
  };
  try {
    const PreparedModel prepared(trial.model);
    EvaluateOptions options;
    options.seed = seed;
    std::optional<ToleranceScope> scope;
    if (assumptions != nullptr && is_single_node(*trial.model)) scope.emplace(*assumptions);
    for (TrialData& data : trial.data) {
      try {
        data.exact = prepared.evaluate(inputs_by_name(trial, data), options);
      } catch (const Error& error) {
        fail(data, error);
      } catch (const std::bad_alloc&) {
        fail(data, Error(ErrorKind::kLimit, "memory", "not enough memory for the exact result"));
      }
    }
  } catch (const Error& error) {
    for (TrialData& data : trial.data) fail(data, error);
  }
}

}  // namespace onnxv
