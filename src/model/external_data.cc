#include "src/model/external_data.h"

#include <charconv>

#include "src/base/error.h"

namespace onnxv {
namespace {

uint64_t parsed_number(const std::string& key, const std::string& text) {
  uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (text.empty() || error != std::errc() || stop != end)
    fail_model("external-data", key + " is \"" + text + "\"", "must be a number of bytes");
  return number;
}

}  // namespace

ExternalReference external_reference(
    const std::vector<std::pair<std::string, std::string>>& entries) {
  ExternalReference reference;
  std::map<std::string, std::string> known;
  for (const auto& [key, value] : entries) {
    if (!known.emplace(key, value).second)
      fail_model("external-data", "key \"" + key + "\" is given twice");
  }
  const auto location = known.find("location");
  if (location == known.end()) fail_model("external-data", "no location is given");
  reference.location = location->second;
  if (const auto offset = known.find("offset"); offset != known.end())
    reference.offset = parsed_number("offset", offset->second);
  if (const auto length = known.find("length"); length != known.end())
    reference.length = parsed_number("length", length->second);
  return reference;
}

Tensor ExternalFiles::tensor(DType dtype, const Shape& shape, uint64_t size,
                             const ExternalReference& reference) {
  if (reference.length && *reference.length != size)
    fail_model("external-data", "length is " + std::to_string(*reference.length),
               "its type and shape need " + std::to_string(size));
  if (directory_.empty())
    fail_model("external-location",
               "location \"" + reference.location + "\", but there is no directory to look in");
  auto& file = files_[reference.location];
  if (file == nullptr) file = MappedFile::open_beneath(directory_, reference.location);
  const uint64_t file_size = file->bytes().size();
  if (reference.offset > file_size || size > file_size - reference.offset)
    fail_model("external-data",
               std::to_string(size) + " bytes at offset " + std::to_string(reference.offset) +
                   " of \"" + reference.location + "\"",
               "the file has " + std::to_string(file_size) + " bytes");
  if (size == 0) return Tensor(dtype, shape);
  return Tensor(dtype, shape, file, file->bytes().data() + reference.offset);
}

}  // namespace onnxv
