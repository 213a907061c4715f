#include "conformance/node_directory.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

#include "src/base/error.h"
#include "src/model/model_io.h"

namespace onnxv {
namespace {

namespace fs = std::filesystem;

// Entries sorted by name: what a directory lists first depends on the file system.
std::vector<fs::path> sorted_entries(const fs::path& directory) {
  std::error_code error;
  std::vector<fs::path> entries;
  for (fs::directory_iterator at(directory, error), end; !error && at != end; at.increment(error))
    entries.push_back(at->path());
  if (error) fail_usage("unreadable", directory.string() + ": " + error.message());
  std::sort(entries.begin(), entries.end(),
            [](const fs::path& a, const fs::path& b) { return a.native() < b.native(); });
  return entries;
}

bool is_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

// K of "input_K.pb" for prefix "input_" and suffix ".pb".
std::optional<int64_t> number_in(std::string_view name, std::string_view prefix,
                                 std::string_view suffix) {
  if (!name.starts_with(prefix) || !name.ends_with(suffix)) return std::nullopt;
  if (name.size() <= prefix.size() + suffix.size()) return std::nullopt;
  name.remove_prefix(prefix.size());
  name.remove_suffix(suffix.size());
  int64_t number = 0;
  const auto [stop, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || stop != name.data() + name.size() || number < 0) return std::nullopt;
  return number;
}

// `above`: the real paths of the directories we are in, so that a link to one of them ends the
// search.
void find_below(const fs::path& directory, std::vector<fs::path>& above, std::vector<Case>& found) {
  if (is_file(directory / "model.onnx")) {
    found.push_back(case_at(directory.string()));
    return;
  }
  std::error_code error;
  const fs::path real = fs::canonical(directory, error);
  if (error) fail_usage("unreadable", directory.string() + ": " + error.message());
  if (std::find(above.begin(), above.end(), real) != above.end()) return;
  above.push_back(real);
  const std::vector<fs::path> entries = sorted_entries(directory);
  for (const fs::path& entry : entries) {
    // Hidden folders are no tests: version control, environments, a test that is being written.
    if (!entry.filename().string().starts_with('.') && is_folder(entry))
      find_below(entry, above, found);
  }
  above.pop_back();
}

std::string without_trailing_slashes(std::string directory) {
  while (directory.size() > 1 && directory.back() == '/') directory.pop_back();
  return directory;
}

// The inputs that file numbers count: those that are no initializers, or all where a number needs
// it (models before IR version 4 list every initializer as an input, and some tests give those
// too).
std::vector<const ValueInfo*> counted_inputs(const DataSetFiles& files, const Graph& graph) {
  std::vector<const ValueInfo*> required = required_inputs(graph);
  if (files.inputs.empty() || files.inputs.rbegin()->first < required.size()) return required;
  std::vector<const ValueInfo*> all;
  for (const ValueInfo& input : graph.inputs) all.push_back(&input);
  return all;
}

[[noreturn]] void fail_number(const std::string& path, size_t count, std::string_view what) {
  throw Error(ErrorKind::kModel, "data-set",
              "its number is none of the graph's " + std::string(what),
              "there are " + std::to_string(count), path);
}

void read_inputs(const DataSetFiles& files, const Graph& graph, DataSet& set) {
  const std::vector<const ValueInfo*> required = required_inputs(graph);
  const std::vector<const ValueInfo*> counted = counted_inputs(files, graph);
  set.inputs.resize(required.size());
  set.input_paths.resize(required.size());
  for (const auto& [number, path] : files.inputs) {
    if (number >= counted.size()) fail_number(path, counted.size(), "inputs");
    const ValueInfo* info = counted[number];
    Value value = read_value(path, info->type);
    const auto at = std::find(required.begin(), required.end(), info);
    if (at == required.end()) {
      set.overridden[info->name] = std::move(value);
      continue;
    }
    const auto position = static_cast<size_t>(at - required.begin());
    set.inputs[position] = std::move(value);
    set.input_paths[position] = path;
  }
}

void read_outputs(const DataSetFiles& files, const Graph& graph, DataSet& set) {
  for (const auto& [number, path] : files.outputs) {
    if (number >= graph.outputs.size()) fail_number(path, graph.outputs.size(), "outputs");
    set.outputs[number] = read_value(path, graph.outputs[number].type);
    set.output_paths[number] = path;
  }
}

}  // namespace

std::vector<Case> find_cases(const std::string& directory) {
  if (!is_folder(directory)) fail_usage("unreadable", directory + " is not a directory");
  std::vector<Case> found;
  std::vector<fs::path> above;
  find_below(without_trailing_slashes(directory), above, found);
  if (found.empty())
    fail_usage("no-tests", directory + " holds no test", "a test is a directory with model.onnx");
  return found;
}

Case case_at(const std::string& directory) {
  Case test;
  test.directory = without_trailing_slashes(directory);
  const fs::path path(test.directory);
  test.name = path.filename().string();
  std::error_code error;
  if (test.name == "." || test.name == "..")
    test.name = fs::canonical(path, error).filename().string();
  test.model_path = (path / "model.onnx").string();
  if (is_file(path / "tolerance.json")) test.tolerance_path = (path / "tolerance.json").string();
  const std::vector<fs::path> entries = sorted_entries(path);
  for (const fs::path& entry : entries) {
    const auto number = number_in(entry.filename().string(), "test_data_set_", "");
    if (!number || !is_folder(entry)) continue;
    DataSetFiles set = data_set_at(entry.string());
    set.number = *number;
    // Some old tests keep NumPy archives of pickled objects there: no data that we could read.
    if (!set.inputs.empty() || !set.outputs.empty()) test.data_sets.push_back(std::move(set));
  }
  std::stable_sort(test.data_sets.begin(), test.data_sets.end(),
                   [](const auto& a, const auto& b) { return a.number < b.number; });
  return test;
}

DataSetFiles data_set_at(const std::string& directory) {
  if (!is_folder(directory)) fail_usage("unreadable", directory + " is not a directory");
  DataSetFiles files;
  files.directory = without_trailing_slashes(directory);
  const std::vector<fs::path> entries = sorted_entries(files.directory);
  for (const fs::path& entry : entries) {
    const std::string name = entry.filename().string();
    if (const auto number = number_in(name, "input_", ".pb"))
      files.inputs[static_cast<size_t>(*number)] = entry.string();
    if (const auto number = number_in(name, "output_", ".pb"))
      files.outputs[static_cast<size_t>(*number)] = entry.string();
  }
  return files;
}

DataSet read_data_set_inputs(const DataSetFiles& files, const Model& model) {
  const Graph& graph = *model.graph;
  DataSet set;
  set.outputs.resize(graph.outputs.size());
  set.output_paths.resize(graph.outputs.size());
  read_inputs(files, graph, set);
  return set;
}

DataSet read_data_set(const DataSetFiles& files, const Model& model) {
  DataSet set = read_data_set_inputs(files, model);
  read_outputs(files, *model.graph, set);
  return set;
}

}  // namespace onnxv
