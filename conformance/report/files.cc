#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "conformance/report/json.h"
#include "src/base/error.h"
#include "src/model/file.h"

namespace onnxv {

void write_text_file(const std::string& path, std::string_view text) { write_file(path, text); }

std::string read_text_file(const std::string& path) {
  std::error_code unknown;
  std::ifstream file(path, std::ios::binary);
  const bool readable = file.is_open() && !std::filesystem::is_directory(path, unknown);
  std::string text;
  if (readable) text.assign(std::istreambuf_iterator<char>(file), {});
  if (!readable || file.bad()) fail_usage("unreadable", path, "wanted a readable file");
  return text;
}

}  // namespace onnxv
