// The results as JSON (cli.md), and back.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "conformance/report/outcome.h"

namespace onnxv {

std::string to_json(const Results& results);
// Usage error "results-file" when the text is not what to_json writes.
Results results_from_json(std::string_view text, const std::string& source);

// Writes beside, then renames: a reader never sees half a file. Usage error "unwritable" that names
// the path.
void write_text_file(const std::string& path, std::string_view text);
// Usage error "unreadable".
std::string read_text_file(const std::string& path);

}  // namespace onnxv
