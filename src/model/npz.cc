// .npz: a ZIP archive of .npy members.
#include <set>

#include "src/base/error.h"
#include "src/model/file.h"
#include "src/model/npy.h"
#include "src/model/zip.h"

namespace onnxv {
namespace {

constexpr std::string_view kSuffix = ".npy";

}  // namespace

std::vector<std::pair<std::string, Tensor>> parse_npz(std::string_view bytes) {
  std::vector<std::pair<std::string, Tensor>> tensors;
  std::set<std::string> names;
  for (const ZipMember& member : parse_zip(bytes)) {
    if (!member.name.ends_with(kSuffix))
      fail_model("npz", "member \"" + member.name + "\" is no .npy file");
    std::string name = member.name.substr(0, member.name.size() - kSuffix.size());
    if (!names.insert(name).second) fail_model("npz", "\"" + name + "\" is there twice");
    try {
      tensors.emplace_back(std::move(name), parse_npy(member.bytes));
    } catch (const Error& error) {
      throw error.at(member.name);
    }
  }
  return tensors;
}

std::vector<std::pair<std::string, Tensor>> read_npz(const std::string& path) {
  const std::shared_ptr<const MappedFile> file = MappedFile::open(path);
  try {
    return parse_npz(file->text());
  } catch (const Error& error) {
    throw error.at(path);
  }
}

std::string serialize_npz(const std::vector<std::pair<std::string, Tensor>>& tensors) {
  std::vector<ZipMember> members;
  for (const auto& [name, tensor] : tensors)
    members.push_back({name + std::string(kSuffix), serialize_npy(tensor)});
  return serialize_zip(members);
}

void write_npz(const std::vector<std::pair<std::string, Tensor>>& tensors,
               const std::string& path) {
  write_file(path, serialize_npz(tensors));
}

}  // namespace onnxv
