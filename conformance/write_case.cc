// Writing a test directory: beside first, then by rename.
#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "conformance/node_directory.h"
#include "src/base/error.h"
#include "src/model/file.h"
#include "src/model/model_io.h"

namespace onnxv {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_unwritable(const fs::path& path, const std::error_code& error) {
  fail_usage("unwritable", path.string() + ": " + error.message());
}

void make_directories(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) fail_unwritable(path, error);
}

// A hard link where both are on one file system (models may be huge), else a copy. Never a symbolic
// link: external data behind one is refused.
void link_or_copy(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::create_hard_link(from, to, error);
  if (!error) return;
  error.clear();
  fs::copy_file(from, to, error);
  if (error) fail_unwritable(to, error);
}

void copy_model(const std::string& source, const fs::path& folder) {
  for (const std::string& location : external_locations(source)) {
    // Opened as a reader would: a location that leaves the model's directory is refused here too.
    MappedFile::open_beneath(directory_of(source), location);
    const fs::path target = folder / location;
    make_directories(target.parent_path());
    std::error_code error;
    if (!fs::exists(target, error)) link_or_copy(fs::path(directory_of(source)) / location, target);
  }
  write_file((folder / "model.onnx").string(), MappedFile::open(source)->text());
}

std::string name_at(const std::vector<ValueInfo>& infos, size_t position) {
  return position < infos.size() ? infos[position].name : "";
}

void write_data_set(const CaseContents::Values& values, const Model* model,
                    const fs::path& folder) {
  make_directories(folder);
  const auto inputs =
      model == nullptr ? std::vector<const ValueInfo*>() : required_inputs(*model->graph);
  for (size_t k = 0; k < values.inputs.size(); ++k) {
    if (!values.inputs[k].exists()) continue;
    write_value(values.inputs[k], (folder / ("input_" + std::to_string(k) + ".pb")).string(),
                k < inputs.size() ? inputs[k]->name : "");
  }
  for (size_t k = 0; k < values.outputs.size(); ++k) {
    if (!values.outputs[k].exists()) continue;
    write_value(values.outputs[k], (folder / ("output_" + std::to_string(k) + ".pb")).string(),
                model == nullptr ? "" : name_at(model->graph->outputs, k));
  }
}

void write_into(const CaseContents& contents, const fs::path& folder) {
  make_directories(folder);
  if (!contents.model_source.empty()) {
    copy_model(contents.model_source, folder);
  } else {
    if (contents.model == nullptr) fail_internal("case", "a test is written without a model");
    write_model(*contents.model, (folder / "model.onnx").string());
  }
  if (!contents.tolerance_json.empty())
    write_file((folder / "tolerance.json").string(), contents.tolerance_json);
  for (size_t n = 0; n < contents.data_sets.size(); ++n) {
    write_data_set(contents.data_sets[n], contents.model,
                   folder / ("test_data_set_" + std::to_string(n)));
  }
}

// What stands at `target` may be replaced only when it is a test, or nothing worth keeping.
void check_replaceable(const fs::path& target) {
  std::error_code error;
  if (!fs::exists(fs::symlink_status(target, error))) return;
  const bool replaceable =
      fs::is_directory(fs::symlink_status(target, error)) &&
      (fs::exists(target / "model.onnx", error) || fs::is_empty(target, error));
  if (!replaceable)
    fail_usage("not-a-test", target.string() + " exists and is no test directory",
               "name another place or remove it");
}

// One rename where nothing stands there; else the old test steps aside first and goes last.
void move_into_place(const fs::path& from, const fs::path& target, const fs::path& aside) {
  std::error_code error;
  fs::rename(target, aside, error);
  const bool replaced = !error;
  fs::rename(from, target, error);
  if (error) {
    const std::error_code why = error;
    if (replaced) fs::rename(aside, target, error);
    fail_unwritable(target, why);
  }
  if (replaced) fs::remove_all(aside, error);
}

}  // namespace

void write_case(const CaseContents& contents, const std::string& directory) {
  std::string name = directory;
  while (name.size() > 1 && name.back() == '/') name.pop_back();
  const fs::path target(name);
  check_replaceable(target);
  if (target.has_parent_path()) make_directories(target.parent_path());
  const std::string suffix = ".tmp" + std::to_string(::getpid());
  // A leading dot, so that a search that runs meanwhile sees a name that is no test of its own.
  const fs::path beside = target.parent_path() / ("." + target.filename().string() + suffix);
  const fs::path aside =
      target.parent_path() / ("." + target.filename().string() + ".old" + suffix);
  std::error_code ignored;
  fs::remove_all(beside, ignored);
  try {
    write_into(contents, beside);
    move_into_place(beside, target, aside);
  } catch (const Error&) {
    fs::remove_all(beside, ignored);
    throw;
  }
}

}  // namespace onnxv
