#include "conformance/backend/recorded.h"

#include <filesystem>
#include <utility>

#include "src/base/error.h"

namespace onnxv {

namespace fs = std::filesystem;

RecordedBackend::RecordedBackend(std::string spelling, std::string directory)
    : directory_(std::move(directory)) {
  description_.name = "recorded";
  description_.spelling = std::move(spelling);
  description_.options["directory"] = directory_;
}

std::string RecordedBackend::folder_of(const BackendJob& job) const {
  const std::string data_set = "test_data_set_" + std::to_string(job.data_set);
  const fs::path root(directory_);
  for (const fs::path& folder : {root / job.test / data_set, root / data_set}) {
    if (fs::is_directory(folder)) return folder.string();
  }
  const fs::path flat = fs::is_directory(root / job.test) ? root / job.test : root;
  return job.data_set == 0 && fs::exists(flat / "output_0.pb") ? flat.string() : "";
}

BackendAnswer RecordedBackend::run(const BackendJob& job) {
  const std::string folder = folder_of(job);
  if (folder.empty()) return {Status::kUnsupported, "no outputs are recorded for this test", {}};
  BackendAnswer answer;
  for (size_t i = 0; i < job.want.size(); ++i) {
    const std::string path = folder + "/output_" + std::to_string(i) + ".pb";
    const Type type = i < job.types.size() ? job.types[i] : Type{};
    try {
      if (!fs::exists(path)) {
        if (type.kind != Type::Kind::kOptional) return {Status::kError, path + " is missing", {}};
        answer.outputs.emplace_back(Optional{type.element ? *type.element : Type{}, nullptr});
        continue;
      }
      answer.outputs.push_back(type.kind == Type::Kind::kUnknown ? Value(read_tensor(path))
                                                                 : read_value(path, type));
    } catch (const Error& error) {
      return {Status::kError, error.what(), {}};
    }
  }
  return answer;
}

}  // namespace onnxv
