// The adapters that ship with the project: scripts compiled in, written out when used.
#pragma once

#include <string>
#include <vector>

namespace onnxv {

struct Adapter {
  std::string backend;  // "onnx-reference"
  std::string file;     // "onnx_reference.py"
};
const std::vector<Adapter>& shipped_adapters();

// The Python to run adapters with: `chosen` (--backend-python), else $ONNXV_PYTHON, else the venv
// that scripts/setup made beside the program's build folder, else python3.
std::string adapter_python(const std::string& chosen);

// Writes the adapter and the module that all of them share into `directory`; returns the adapter's
// path.
std::string write_adapter(const Adapter& adapter, const std::string& directory);

}  // namespace onnxv
