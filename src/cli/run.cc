// onnx-verify run: evaluates a model and prints or writes its outputs.
#include <cstdio>
#include <filesystem>

#include "conformance/compare/compare.h"
#include "conformance/node_directory.h"
#include "src/base/error.h"
#include "src/cli/commands.h"
#include "src/cli/settings.h"
#include "src/cli/timing.h"
#include "src/cli/value_text.h"
#include "src/kernel/product_counts.h"
#include "src/model/model_io.h"
#include "src/model/npy.h"
#include "src/number/ladder.h"
#include "src/run/evaluate.h"

namespace onnxv::cli {
namespace {

namespace fs = std::filesystem;

bool is_npz(const std::string& output) { return fs::path(output).extension() == ".npz"; }

const Tensor& tensor_for_numpy(const Value& value, const std::string& name) {
  if (value.is_tensor()) return value.tensor();
  fail_usage("format",
             "output \"" + name + "\" is " + (value.exists() ? value.type().text() : "empty"),
             "NumPy's files hold tensors: --format pb writes it");
}

void write_archive(const Graph& graph, const Outputs& outputs, const std::string& path) {
  std::vector<std::pair<std::string, Tensor>> tensors;
  for (size_t i = 0; i < outputs.size(); ++i) {
    tensors.emplace_back(graph.outputs[i].name,
                         tensor_for_numpy(outputs[i], graph.outputs[i].name));
  }
  write_npz(tensors, path);
}

void write_directory(const Graph& graph, const Outputs& outputs, const RunCommand& command) {
  std::error_code error;
  fs::create_directories(command.output, error);
  if (error) fail_usage("output", "\"" + command.output + "\" cannot be made: " + error.message());
  for (size_t i = 0; i < outputs.size(); ++i) {
    const std::string& name = graph.outputs[i].name;
    const std::string path = (fs::path(command.output) / ("output_" + std::to_string(i))).string();
    if (command.format == "npy") {
      write_npy(tensor_for_numpy(outputs[i], name), path + ".npy");
    } else if (outputs[i].exists()) {
      write_value(outputs[i], path + ".pb", name);
    }
  }
}

void print_outputs(const Graph& graph, const Outputs& outputs) {
  constexpr size_t kMostPrinted = 1000;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const std::string text = value_text(outputs[i], kMostPrinted);
    std::printf("%s: %s\n", graph.outputs[i].name.c_str(), text.c_str());
  }
}

void tell_unspecified(const Graph& graph, const Evaluation& evaluation,
                      const CommonOptions& common) {
  for (size_t i = 0; i < evaluation.outputs.size(); ++i) {
    const std::string name = "output \"" + graph.outputs[i].name + "\" ";
    for (const UnspecifiedMark& mark : evaluation.unspecified[i]) {
      warn(common, name + "has elements that the specification leaves open (" + mark.slug + ")");
    }
    if (evaluation.downstream_of_unspecified[i]) {
      warn(common, name + "is computed from elements that the specification leaves open");
    }
  }
}

// The data set's own outputs, where it has some: a difference is worth a word, not a failure of
// `run`.
void compare_recorded(const RunCommand& command, const Model& model, const Evaluation& evaluation) {
  if (command.inputs.data.empty()) return;
  const DataSet recorded = read_data_set(data_set_at(command.inputs.data), model);
  for (size_t i = 0; i < recorded.outputs.size(); ++i) {
    if (!recorded.outputs[i].exists() || !evaluation.outputs[i].exists()) continue;
    const Comparison comparison = compare(evaluation.outputs[i], recorded.outputs[i], {});
    if (comparison.matches) continue;
    warn(command.common, "output \"" + model.graph->outputs[i].name + "\" is not what " +
                             recorded.output_paths[i] + " holds: " +
                             (comparison.problem.empty()
                                  ? std::to_string(comparison.mismatched) + " elements differ"
                                  : comparison.problem));
  }
}

void tell_counts() {
  const LadderCounts counts = ladder_counts();
  std::fprintf(stderr,
               "computed %llu elements on %s lanes; %llu lines needed double-doubles; %llu of %llu lines needed a proof of up to "
               "%llu bits, %llu elements unproved\n",
               static_cast<unsigned long long>(counts.elements), instruction_set(),
               static_cast<unsigned long long>(counts.ball_dd_lines),
               static_cast<unsigned long long>(counts.proof_lines),
               static_cast<unsigned long long>(counts.lines),
               static_cast<unsigned long long>(counts.most_bits),
               static_cast<unsigned long long>(counts.unproved));
  const ProductCounts products = product_counts();
  std::fprintf(stderr, "multiplied %llu elements; %llu needed a compensated sum, %llu an exact one\n",
               static_cast<unsigned long long>(products.elements),
               static_cast<unsigned long long>(products.compensated),
               static_cast<unsigned long long>(products.exact));
  std::fprintf(stderr, "peak memory %llu KiB\n", static_cast<unsigned long long>(peak_memory()));
}

}  // namespace

int run_command(const RunCommand& command) {
  apply_settings_with_memory_limit(command.common);
  if (is_npz(command.output) && !command.format.empty()) {
    fail_usage("format", "--format is given for an .npz", "it is for directories");
  }
  const PreparedModel prepared(std::make_shared<const Model>(read_model(command.model)));
  const ModelInputs inputs = gather_inputs(prepared.model(), command.inputs);
  if (command.timing) {
    print_timing(prepared, inputs.values, {.seed = command.inputs.seed}, *command.timing);
    if (command.common.verbose) tell_counts();
    return 0;
  }
  const Evaluation evaluation = prepared.evaluate(inputs.values, {.seed = command.inputs.seed});
  const Graph& graph = *prepared.model().graph;
  for (const std::string& warning : evaluation.warnings) warn(command.common, warning);
  tell_unspecified(graph, evaluation, command.common);
  compare_recorded(command, prepared.model(), evaluation);
  if (command.output.empty()) {
    print_outputs(graph, evaluation.outputs);
  } else if (is_npz(command.output)) {
    write_archive(graph, evaluation.outputs, command.output);
  } else {
    write_directory(graph, evaluation.outputs, command);
  }
  if (!command.common.quiet) {
    for (const std::string& how : inputs.generated)
      std::fprintf(stderr, "generated %s\n", how.c_str());
  }
  if (command.common.verbose) tell_counts();
  return 0;
}

}  // namespace onnxv::cli
