// The adapters that ship with the project: scripts compiled in, written out when used.
#pragma once

#include <string>
#include <vector>

namespace onnxv {

struct Adapter {
  std::string backend;  // "onnx-reference"
  std::string file;     // "onnx_reference_adapter.py"; .mjs is run by Node.js
};
const std::vector<Adapter>& shipped_adapters();
// What `python:MODULE` is run by; it takes MODULE as argument.
const Adapter& python_module_adapter();

// The Python to run adapters with: `chosen` (--backend-python), else $ONNXV_PYTHON, else the venv
// that scripts/setup made beside the program's build folder, else python3.
std::string adapter_python(const std::string& chosen);

// Writes the adapter and what it needs beside it into `directory`; returns the program and its
// arguments.
std::vector<std::string> adapter_command(const Adapter& adapter, const std::string& chosen_python,
                                         const std::string& directory);

}  // namespace onnxv
