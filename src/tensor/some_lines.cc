#include "src/tensor/some_lines.h"

#include <cstring>

namespace onnxv {

Tensor lines_at(const Tensor& tensor, size_t length, std::span<const size_t> which) {
  Tensor lines = Tensor::unfilled(tensor.dtype(), {static_cast<int64_t>(which.size()), static_cast<int64_t>(length)});
  const size_t width = storage_bytes(tensor.dtype(), length);
  std::byte* to = lines.mutable_bytes().data();
  for (const size_t line : which) {
    std::memcpy(to, tensor.bytes().data() + line * width, width);
    to += width;
  }
  return lines;
}

void put_lines(const Tensor& from, std::span<const size_t> which, Tensor* to) {
  const size_t width = from.bytes().size() / which.size();
  std::byte* bytes = to->mutable_bytes().data();
  for (size_t i = 0; i < which.size(); ++i) std::memcpy(bytes + which[i] * width, from.bytes().data() + i * width, width);
}

}  // namespace onnxv
