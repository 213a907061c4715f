#include "conformance/backend/adapter.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "conformance/embedded.h"
#include "conformance/report/json.h"

namespace onnxv {

namespace fs = std::filesystem;

const std::vector<Adapter>& shipped_adapters() {
  static const std::vector<Adapter> adapters = {
      {"onnxruntime", "onnxruntime_adapter.py"},
      {"onnx-reference", "onnx_reference_adapter.py"},
      {"openvino", "openvino_adapter.py"},
      {"tract", "tract_adapter.py"},
      {"tinygrad", "tinygrad_adapter.py"},
      {"opencv", "opencv_adapter.py"},
      {"onnxruntime-node", "onnxruntime_adapter.mjs"},
      {"onnxruntime-web", "onnxruntime_adapter.mjs"},
  };
  return adapters;
}

const Adapter& python_module_adapter() {
  static const Adapter adapter = {"python:", "python_adapter.py"};
  return adapter;
}

namespace {

// What scripts/setup made beside the program's build folder.
fs::path made_by_setup(const std::string& name) {
  std::error_code problem;
  const fs::path program = fs::read_symlink("/proc/self/exe", problem);
  return problem ? fs::path(name) : program.parent_path().parent_path() / name;
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

void write_embedded(const std::string& name, const std::string& directory) {
  write_text_file(directory + "/" + name, embedded_text(name));
}

}  // namespace

std::string adapter_python(const std::string& chosen) {
  if (!chosen.empty()) return chosen;
  const std::string variable = environment("ONNXV_PYTHON");
  if (!variable.empty()) return variable;
  const fs::path venv = made_by_setup(".venv/bin/python");
  return access(venv.c_str(), X_OK) == 0 ? venv.string() : "python3";
}

std::vector<std::string> adapter_command(const Adapter& adapter, const std::string& chosen_python,
                                         const std::string& directory) {
  write_embedded(adapter.file, directory);
  const std::string script = directory + "/" + adapter.file;
  if (script.ends_with(".mjs")) {
    write_embedded("onnx.proto", directory);
    const std::string modules = environment("ONNXV_NODE_MODULES");
    return {"node", script, adapter.backend,
            modules.empty() ? made_by_setup(".node/" + adapter.backend).string() : modules};
  }
  write_embedded("onnxv_worker.py", directory);
  write_embedded("onnxv_values.py", directory);
  return {adapter_python(chosen_python), "-B", script};
}

}  // namespace onnxv
