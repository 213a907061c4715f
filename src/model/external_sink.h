// The file that takes tensors out of a model that is too large for one protobuf.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>

namespace onnxv {

class ExternalSink {
 public:
  // `directory`/`location` is written when it is committed; `location` is what the model says.
  ExternalSink(const std::string& directory, std::string location);
  ~ExternalSink();  // without a commit nothing stays
  ExternalSink(const ExternalSink&) = delete;
  ExternalSink& operator=(const ExternalSink&) = delete;

  const std::string& location() const { return location_; }
  // Appends at the next page boundary, so that readers can map it; returns the offset.
  uint64_t put(std::span<const std::byte> bytes);
  void commit();

 private:
  void append(const void* bytes, size_t size);
  std::string location_, path_, beside_;
  std::FILE* file_;
  uint64_t position_ = 0;
};

}  // namespace onnxv
