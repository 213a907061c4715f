#include "src/model/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

#include "src/base/error.h"

namespace onnxv {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int number() const { return number_; }
  void reset(int number) {
    if (number_ >= 0) ::close(number_);
    number_ = number;
  }
  int release() {
    const int number = number_;
    number_ = -1;
    return number;
  }

 private:
  int number_;
};

std::string reason() { return std::strerror(errno); }

// The components of an external location; throws where one could lead out of the directory.
std::vector<std::string> safe_components(const std::string& relative) {
  const std::string shown = "location \"" + relative + "\"";
  if (relative.empty()) fail_model("external-location", "location is empty");
  if (relative.find('\0') != std::string::npos)
    fail_model("external-location", shown + " holds a zero byte");
  if (relative.front() == '/')
    fail_model("external-location", shown + " is absolute", "must be relative to the model");
  std::vector<std::string> components;
  for (size_t from = 0; from <= relative.size();) {
    const size_t slash = std::min(relative.find('/', from), relative.size());
    const std::string component = relative.substr(from, slash - from);
    if (component == "..")
      fail_model("external-location", shown + " holds \"..\"",
                 "must stay inside the model's directory");
    if (!component.empty() && component != ".") components.push_back(component);
    from = slash + 1;
  }
  if (components.empty() || relative.back() == '/')
    fail_model("external-location", shown + " names no file");
  return components;
}

void write_all(int descriptor, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_usage("unwritable", path + ": " + reason());
    bytes.remove_prefix(static_cast<size_t>(written));
  }
}

}  // namespace

std::shared_ptr<const MappedFile> MappedFile::map(int descriptor, const std::string& name) {
  Descriptor file(descriptor);
  struct stat status;
  if (::fstat(file.number(), &status) != 0) fail_model("unreadable", name + ": " + reason());
  if (!S_ISREG(status.st_mode)) fail_model("unreadable", name + " is not a regular file");
  std::shared_ptr<MappedFile> mapped(new MappedFile);
  mapped->size_ = static_cast<size_t>(status.st_size);
  if (mapped->size_ == 0) return mapped;
  void* data = ::mmap(nullptr, mapped->size_, PROT_READ, MAP_PRIVATE, file.number(), 0);
  if (data == MAP_FAILED) {
    mapped->size_ = 0;
    fail_model("unreadable", name + ": " + reason());
  }
  mapped->data_ = static_cast<const std::byte*>(data);
  return mapped;
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

std::shared_ptr<const MappedFile> MappedFile::open(const std::string& path) {
  // O_NONBLOCK: opening a named pipe must not wait for a writer.
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.number() < 0) fail_model("unreadable", path + ": " + reason());
  return map(file.release(), path);
}

std::shared_ptr<const MappedFile> MappedFile::open_beneath(const std::string& directory,
                                                           const std::string& relative) {
  const std::vector<std::string> components = safe_components(relative);
  Descriptor at(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (at.number() < 0) fail_model("unreadable", directory + ": " + reason());
  // One component at a time with O_NOFOLLOW: no link can be swapped in between a check and its use.
  for (size_t i = 0; i < components.size(); ++i) {
    const int kind = i + 1 < components.size() ? O_DIRECTORY : O_NONBLOCK;
    const int next =
        ::openat(at.number(), components[i].c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | kind);
    if (next < 0) {
      struct stat status;
      const bool link =
          ::fstatat(at.number(), components[i].c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
          S_ISLNK(status.st_mode);
      if (link)
        fail_model("external-location", "location \"" + relative + "\" is a symbolic link",
                   "must stay inside the model's directory");
      fail_model("external-missing", "location \"" + relative + "\" cannot be opened");
    }
    at.reset(next);
  }
  return map(at.release(), relative);
}

std::string read_file(const std::string& path) {
  return std::string(MappedFile::open(path)->text());
}

bool can_be_replaced(const std::string& path) {
  struct stat status;
  return ::lstat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode);
}

namespace {

void write_into(const std::string& path, std::string_view bytes) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (file.number() < 0) fail_usage("unwritable", path + ": " + reason());
  write_all(file.number(), bytes, path);
  if (::close(file.release()) != 0) fail_usage("unwritable", path + ": " + reason());
}

}  // namespace

void write_file(const std::string& path, std::string_view bytes) {
  if (!can_be_replaced(path)) return write_into(path, bytes);
  const std::string beside = path + ".tmp" + std::to_string(::getpid());
  Descriptor file(::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (file.number() < 0) fail_usage("unwritable", path + ": " + reason());
  try {
    write_all(file.number(), bytes, path);
    if (::close(file.release()) != 0) fail_usage("unwritable", path + ": " + reason());
    if (std::rename(beside.c_str(), path.c_str()) != 0)
      fail_usage("unwritable", path + ": " + reason());
  } catch (const Error&) {
    ::unlink(beside.c_str());
    throw;
  }
}

std::string directory_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace onnxv
