#include "src/model/external_data.h"

#include <algorithm>
#include <charconv>
#include <cstring>

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

// What a typed pointer into the bytes needs; sub-byte types need none.
size_t alignment_of(DType dtype) {
  const size_t width = static_cast<size_t>(dtype_bits(dtype)) / 8;
  return std::clamp<size_t>(width, 1, alignof(double));
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
  const std::byte* bytes = file->bytes().data() + reference.offset;
  if (reinterpret_cast<uintptr_t>(bytes) % alignment_of(dtype) == 0)
    return Tensor(dtype, shape, file, bytes);
  Tensor copy(dtype, shape);
  std::memcpy(copy.mutable_bytes().data(), bytes, size);
  return copy;
}

}  // namespace onnxv
