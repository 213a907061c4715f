#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "conformance/report/json.h"
#include "src/base/error.h"

namespace onnxv {

void write_text_file(const std::string& path, std::string_view text) {
  const std::string beside = path + "." + std::to_string(getpid()) + ".part";
  std::ofstream file(beside, std::ios::binary | std::ios::trunc);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (!file || std::rename(beside.c_str(), path.c_str()) != 0) {
    std::remove(beside.c_str());
    fail_usage("unwritable", path, "wanted a path that can be written");
  }
}

std::string read_text_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file.is_open() || file.bad()) fail_usage("unreadable", path, "wanted a readable file");
  return text;
}

}  // namespace onnxv
