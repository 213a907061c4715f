#include "conformance/backend/scratch.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

#include "src/base/error.h"

namespace onnxv {

ScratchDirectory::ScratchDirectory(const std::string& parent) {
  std::string place = parent;
  if (place.empty()) {
    const char* chosen = std::getenv("TMPDIR");
    place = chosen != nullptr && *chosen != '\0' ? chosen : "/tmp";
  }
  std::string pattern = place + "/onnx-verify-XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr) {
    fail_limit("scratch", "no directory could be made in " + place,
               "wanted a place for temporary files");
  }
  path_ = pattern;
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code ignored;
  if (owned_) std::filesystem::remove_all(path_, ignored);
}

void ScratchDirectory::clear() const {
  std::error_code ignored;
  std::vector<std::filesystem::path> entries;
  for (const auto& entry : std::filesystem::directory_iterator(path_, ignored)) {
    entries.push_back(entry.path());
  }
  for (const auto& entry : entries) std::filesystem::remove_all(entry, ignored);
}

}  // namespace onnxv
