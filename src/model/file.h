// Files: read-only maps, and writing that never leaves half a file behind.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace onnxv {

// The bytes of a regular file as a private read-only map. Nothing is read before it is touched.
class MappedFile {
 public:
  // kModel errors: "unreadable" (missing, no permission, not a regular file).
  static std::shared_ptr<const MappedFile> open(const std::string& path);
  // `relative` below `directory`, without leaving it: absolute paths, "..", and symbolic links
  // behind `directory` are kModel errors "external-location".
  static std::shared_ptr<const MappedFile> open_beneath(const std::string& directory,
                                                        const std::string& relative);
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  std::span<const std::byte> bytes() const { return {data_, size_}; }
  std::string_view text() const { return {reinterpret_cast<const char*>(data_), size_}; }

 private:
  MappedFile() = default;
  static std::shared_ptr<const MappedFile> map(int descriptor, const std::string& name);
  const std::byte* data_ = nullptr;
  size_t size_ = 0;
};

// The whole file as a string. kModel "unreadable".
std::string read_file(const std::string& path);

// Whether a new file may take the place of what is there: a link, a device or a pipe (/dev/stdout) is written to instead.
bool can_be_replaced(const std::string& path);
// Writes to a name beside `path` and renames, where it can be replaced: `path` holds the old or the new bytes, nothing
// between. kUsage error "unwritable".
void write_file(const std::string& path, std::string_view bytes);

// The directory part of a path, "." where there is none.
std::string directory_of(const std::string& path);

}  // namespace onnxv
