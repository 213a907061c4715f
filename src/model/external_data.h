// Tensor bytes that live in files beside the model.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "src/model/file.h"
#include "src/tensor/tensor.h"

namespace onnxv {

// What the entries of TensorProto.external_data say.
struct ExternalReference {
  std::string location;
  uint64_t offset = 0;
  std::optional<uint64_t> length;
};

// kModel errors for a missing location, numbers that are none, and keys given twice.
ExternalReference external_reference(
    const std::vector<std::pair<std::string, std::string>>& entries);

// The files that one model refers to, each mapped once. Tensors keep the map alive.
class ExternalFiles {
 public:
  // `directory` "": there is none, every reference is an error.
  explicit ExternalFiles(std::string directory) : directory_(std::move(directory)) {}

  // The bytes of a tensor that needs `size` bytes; checked against the file before anything is
  // allocated.
  Tensor tensor(DType dtype, const Shape& shape, uint64_t size, const ExternalReference& reference);

 private:
  std::string directory_;
  std::map<std::string, std::shared_ptr<const MappedFile>> files_;
};

}  // namespace onnxv
