#include "conformance/golden.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "conformance/compare/compare.h"
#include "conformance/node_directory.h"
#include "conformance/origin.h"
#include "conformance/report/json.h"
#include "src/base/error.h"
#include "src/model/model_io.h"
#include "src/number/disturb.h"
#include "src/number/philox.h"
#include "src/run/evaluate.h"

namespace onnxv {
namespace {

namespace fs = std::filesystem;

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

// How far the outputs move over seeded runs in which every node's output moves within its expected deviation. Index: output.
struct Movement {
  double largest = 0;
  bool differs = false;  // something else than a finite float: an integer, a shape, a NaN
};
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
    const Evaluation moved = prepared.evaluate(inputs, options);
    for (size_t i = 0; i < exact.size(); ++i) {
      if (!exact[i].exists() || !moved.outputs[i].exists()) continue;
      CompareRequest exactly;
      exactly.tolerance.kind = Tolerance::Kind::kExact;
      const Comparison comparison = compare(exact[i], moved.outputs[i], exactly);
      all[i].largest = std::max(all[i].largest, comparison.max_abs);
      const bool floating = exact[i].is_tensor() && is_float(exact[i].tensor().dtype());
      all[i].differs = all[i].differs || (!comparison.matches && (!floating || !comparison.problem.empty()));
    }
  }
  return all;
}

// An output that moves gets 16 times its largest movement; one that does not, the same bits; one that changes in another way than a
// float may (an index that flips), the official tolerance.
Tolerance tolerance_of(const Movement& movement) {
  Tolerance tolerance;
  if (movement.differs || !std::isfinite(movement.largest)) return tolerance;
  tolerance.kind = movement.largest > 0 ? Tolerance::Kind::kOfficial : Tolerance::Kind::kExact;
  tolerance.rtol = 0;
  tolerance.atol = 16 * movement.largest;
  return tolerance;
}

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
