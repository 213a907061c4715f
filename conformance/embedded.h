// Text files that are compiled into the program (conformance/embed.py): an installed one needs no
// data folder.
#pragma once

#include <string_view>

namespace onnxv {

// By file name ("tolerances.json", "onnxruntime.py"); internal error when there is none.
std::string_view embedded_text(std::string_view name);
bool has_embedded_text(std::string_view name);

}  // namespace onnxv
