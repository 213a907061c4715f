#include "src/model/external_sink.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "src/base/error.h"

namespace onnxv {
namespace {

constexpr uint64_t kPage = 4096;

}  // namespace

ExternalSink::ExternalSink(const std::string& directory, std::string location)
    : location_(std::move(location)),
      path_(directory + "/" + location_),
      beside_(path_ + ".tmp" + std::to_string(::getpid())),
      file_(std::fopen(beside_.c_str(), "wb")) {
  if (file_ == nullptr) fail_usage("unwritable", path_ + ": " + std::strerror(errno));
}

ExternalSink::~ExternalSink() {
  if (file_ == nullptr) return;
  std::fclose(file_);
  ::unlink(beside_.c_str());
}

void ExternalSink::append(const void* bytes, size_t size) {
  if (size != 0 && std::fwrite(bytes, 1, size, file_) != size)
    fail_usage("unwritable", path_ + ": " + std::strerror(errno));
  position_ += size;
}

uint64_t ExternalSink::put(std::span<const std::byte> bytes) {
  static constexpr std::array<std::byte, kPage> kZeros{};
  append(kZeros.data(), (kPage - position_ % kPage) % kPage);
  const uint64_t offset = position_;
  append(bytes.data(), bytes.size());
  return offset;
}

void ExternalSink::commit() {
  std::FILE* file = file_;
  file_ = nullptr;
  if (std::fclose(file) != 0 || std::rename(beside_.c_str(), path_.c_str()) != 0) {
    const std::string why = std::strerror(errno);
    ::unlink(beside_.c_str());
    fail_usage("unwritable", path_ + ": " + why);
  }
}

}  // namespace onnxv
