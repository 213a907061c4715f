#include "conformance/golden.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "conformance/compare/compare.h"
#include "conformance/movement.h"
#include "conformance/node_directory.h"
#include "conformance/origin.h"
#include "conformance/report/json.h"
#include "src/base/error.h"
#include "src/model/model_io.h"
#include "src/run/evaluate.h"

namespace onnxv {
namespace {

namespace fs = std::filesystem;

// A rule per output.
std::string tolerance_json(const Model& model, const std::vector<Movement>& movements) {
  DirectoryTolerance beside;
  const std::vector<Origin> origins = output_origins(model, false);
  for (size_t i = 0; i < origins.size(); ++i) {
    beside.outputs.push_back({model.graph->outputs[i].name,
                              origins[i].random ? origins[i].distribution : tolerance_of(movements[i])});
  }
  return beside.json();
}

CaseContents::Values evaluated(const PreparedModel& prepared, const InputSources& sources,
                               const std::string& set, GoldenReport& report, std::vector<Movement>& largest) {
  const ModelInputs inputs = gather_inputs(prepared.model(), sources);
  for (const std::string& how : inputs.generated) report.generated.push_back(set + ": " + how);
  CaseContents::Values values;
  for (const ValueInfo* input : prepared.required_inputs())
    values.inputs.push_back(inputs.values.at(input->name));
  if (inputs.values.size() != values.inputs.size()) {
    fail_usage("initializer-input", "an input is given that is an initializer",
               "a test directory cannot hold it");
  }
  Evaluation evaluation = prepared.evaluate(inputs.values, {.seed = sources.seed});
  values.outputs = std::move(evaluation.outputs);
  const std::vector<Movement> moved = movements(prepared, inputs.values, sources.seed, values.outputs);
  largest.resize(moved.size());
  for (size_t i = 0; i < moved.size(); ++i) {
    largest[i].largest = std::max(largest[i].largest, moved[i].largest);
    largest[i].differs = largest[i].differs || moved[i].differs;
  }
  report.warnings.insert(report.warnings.end(), evaluation.warnings.begin(),
                         evaluation.warnings.end());
  return values;
}

std::map<std::string, Value> named_inputs(const Model& model, const DataSet& data) {
  std::map<std::string, Value> inputs = data.overridden;
  const auto required = required_inputs(*model.graph);
  for (size_t i = 0; i < required.size(); ++i) {
    if (data.inputs[i].exists()) inputs[required[i]->name] = data.inputs[i];
  }
  return inputs;
}

void check_data_set(const PreparedModel& prepared, const DataSetFiles& files, uint64_t seed,
                    std::vector<std::string>& broken) {
  const Graph& graph = *prepared.model().graph;
  DataSet data;
  try {
    data = read_data_set(files, prepared.model());
  } catch (const Error& error) {
    broken.push_back(error.what());
    return;
  }
  const Evaluation evaluation = prepared.evaluate(
      named_inputs(prepared.model(), data), {.seed = seed + static_cast<uint64_t>(files.number)});
  for (size_t i = 0; i < graph.outputs.size(); ++i) {
    const std::string place = files.directory + ": output \"" + graph.outputs[i].name + "\" ";
    if (data.outputs[i].exists() != evaluation.outputs[i].exists()) {
      broken.push_back(place + (data.outputs[i].exists() ? "is empty now" : "has no file"));
      continue;
    }
    CompareRequest exactly;
    exactly.tolerance.kind = Tolerance::Kind::kExact;
    if (!data.outputs[i].exists() ||
        compare(evaluation.outputs[i], data.outputs[i], exactly).matches)
      continue;
    broken.push_back(place + "is another one now");
  }
}

}  // namespace

GoldenReport write_golden(const std::string& model_path, const std::string& directory,
                          const GoldenOptions& options) {
  const PreparedModel prepared(std::make_shared<const Model>(read_model(model_path)));
  GoldenReport report;
  CaseContents contents;
  contents.model = &prepared.model();
  contents.model_source = model_path;
  InputSources sources = options.inputs;
  std::vector<Movement> largest;
  for (int set = 0; set < options.sets; ++set, ++sources.seed) {
    contents.data_sets.push_back(
        evaluated(prepared, sources, "set " + std::to_string(set), report, largest));
  }
  contents.tolerance_json = tolerance_json(prepared.model(), largest);
  write_case(contents, directory);
  return report;
}

std::vector<std::string> check_golden(const std::string& model_path, const std::string& directory,
                                      uint64_t seed) {
  if (!fs::exists(fs::path(directory) / "model.onnx")) return {directory + ": there is no test"};
  const Case test = case_at(directory);
  std::vector<std::string> broken;
  if (read_text_file(model_path) != read_text_file(test.model_path)) {
    broken.push_back(test.model_path + ": is not the model " + model_path);
  }
  if (test.data_sets.empty()) broken.push_back(directory + ": there is no data set");
  const PreparedModel prepared(std::make_shared<const Model>(read_model(model_path)));
  for (const DataSetFiles& files : test.data_sets) check_data_set(prepared, files, seed, broken);
  return broken;
}

}  // namespace onnxv
