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
  };
  return adapters;
}

std::string adapter_python(const std::string& chosen) {
  if (!chosen.empty()) return chosen;
  const char* variable = std::getenv("ONNXV_PYTHON");
  if (variable != nullptr && *variable != '\0') return variable;
  std::error_code problem;
  const fs::path program = fs::read_symlink("/proc/self/exe", problem);
  if (!problem) {
    const fs::path venv = program.parent_path().parent_path() / ".venv/bin/python";
    if (access(venv.c_str(), X_OK) == 0) return venv.string();
  }
  return "python3";
}

std::string write_adapter(const Adapter& adapter, const std::string& directory) {
  write_text_file(directory + "/onnxv_worker.py", embedded_text("onnxv_worker.py"));
  const std::string path = directory + "/" + adapter.file;
  write_text_file(path, embedded_text(adapter.file));
  return path;
}

}  // namespace onnxv
