#include "conformance/inputs.h"

#include <algorithm>
#include <filesystem>

#include "conformance/node_directory.h"
#include "src/base/error.h"
#include "src/model/model_io.h"
#include "src/model/npy.h"

namespace onnxv {
namespace {

std::string in_quotes(std::string_view name) { return "\"" + std::string(name) + "\""; }

const ValueInfo* find_input(const Graph& graph, const std::string& name) {
  for (const ValueInfo& input : graph.inputs) {
    if (input.name == name) return &input;
  }
  return nullptr;
}

const ValueInfo& known_input(const Graph& graph, const std::string& name, std::string_view option) {
  if (const ValueInfo* input = find_input(graph, name)) return *input;
  fail_usage("unknown-input", std::string(option) + " names " + in_quotes(name),
             "the model has no input of that name");
}

void read_data(const Model& model, const std::string& directory, ModelInputs& inputs) {
  DataSet data = read_data_set_inputs(data_set_at(directory), model);
  const auto required = required_inputs(*model.graph);
  for (size_t k = 0; k < required.size(); ++k) {
    if (data.inputs[k].exists()) inputs.values[required[k]->name] = std::move(data.inputs[k]);
  }
  for (auto& [name, value] : data.overridden) inputs.values[name] = std::move(value);
}

std::map<std::string, std::vector<int64_t>> shapes_to_be(const Graph& graph,
                                                         const InputSources& sources,
                                                         const ModelInputs& given) {
  std::map<std::string, std::vector<int64_t>> shapes;
  for (const ValueInfo& input : graph.inputs) {
    const auto value = given.values.find(input.name);
    if (value != given.values.end()) {
      if (value->second.is_tensor()) shapes[input.name] = value->second.tensor().shape().list();
    } else if (const auto shape = shape_to_be(input.name, input.type, sources)) {
      shapes[input.name] = *shape;
    }
  }
  return shapes;
}

bool has_dimension(const ValueInfo& input, const std::string& name) {
  if (!input.type.shape) return false;
  return std::any_of(input.type.shape->begin(), input.type.shape->end(), [&](const Type::Dim& dim) { return dim.symbol == name; });
}

void check_names(const Graph& graph, const InputSources& sources) {
  for (const auto& [name, range] : sources.ranges) known_input(graph, name, "--range");
  for (const auto& [name, shape] : sources.shapes) known_input(graph, name, "--shape");
  for (const auto& [name, size] : sources.dims) {
    const bool known = std::any_of(graph.inputs.begin(), graph.inputs.end(), [&](const ValueInfo& input) { return has_dimension(input, name); });
    if (known) continue;
    fail_usage("unknown-dimension", "--dim names " + in_quotes(name),
               "no input has a dimension of that name; --shape gives a size to dimensions without one");
  }
}

}  // namespace

Value read_input_file(const std::string& path, const Type& type) {
  if (std::filesystem::path(path).extension() == ".npy") return read_npy(path);
  return read_value(path, type);
}

ModelInputs gather_inputs(const Model& model, const InputSources& sources) {
  if (model.graph == nullptr) fail_model("graph-missing", "the model has no graph");
  const Graph& graph = *model.graph;
  check_names(graph, sources);
  ModelInputs inputs;
  if (!sources.data.empty()) read_data(model, sources.data, inputs);
  if (!sources.npz.empty()) {
    for (auto& [name, tensor] : read_npz(sources.npz)) {
      inputs.values[known_input(graph, name, "--inputs").name] = std::move(tensor);
    }
  }
  for (const auto& [name, file] : sources.files) {
    inputs.values[name] = read_input_file(file, known_input(graph, name, "--input").type);
  }
  const std::map<std::string, InputRule> rules =
      input_rules(model, shapes_to_be(graph, sources, inputs));
  for (const ValueInfo* input : required_inputs(graph)) {
    if (inputs.values.contains(input->name)) continue;
    std::string how;
    const auto rule = rules.find(input->name);
    inputs.values[input->name] =
        generate_value(*input, sources, rule == rules.end() ? nullptr : &rule->second, &how);
    inputs.generated.push_back(std::move(how));
  }
  return inputs;
}

}  // namespace onnxv
