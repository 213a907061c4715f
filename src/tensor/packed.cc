#include "src/tensor/packed.h"

#include "src/base/error.h"

namespace onnxv {

std::vector<uint8_t> unpacked_codes(const Tensor& tensor) {
  const int bits = dtype_bits(tensor.dtype());
  const std::byte* bytes = tensor.bytes().data();
  std::vector<uint8_t> codes(tensor.size());
  if (bits == 8) {
    if (!codes.empty()) std::memcpy(codes.data(), bytes, codes.size());
  } else if (bits == 2 || bits == 4 || bits == 6) {
    for (size_t i = 0; i < codes.size(); ++i) codes[i] = read_code(bytes, bits, i);
  } else {
    fail_internal("element-width",
                  std::string(dtype_name(tensor.dtype())) + " is wider than a byte");
  }
  return codes;
}

Tensor packed_tensor(DType dtype, Shape shape, std::span<const uint8_t> codes) {
  Tensor tensor(dtype, std::move(shape));
  const int bits = dtype_bits(dtype);
  if (codes.size() != tensor.size() || bits == 0 || bits > 8) {
    fail_internal("element-width", std::to_string(codes.size()) + " codes of " +
                                       std::string(dtype_name(dtype)) + " for shape " +
                                       tensor.shape().text());
  }
  std::byte* bytes = tensor.mutable_bytes().data();
  if (bits == 8) {
    if (!codes.empty()) std::memcpy(bytes, codes.data(), codes.size());
  } else {
    for (size_t i = 0; i < codes.size(); ++i) write_code(bytes, bits, i, codes[i]);
  }
  return tensor;
}

}  // namespace onnxv
