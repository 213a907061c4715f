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
    unpack_codes(bytes, bits, 0, codes.size(), codes.data());
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
    pack_codes(codes.data(), bits, 0, codes.size(), bytes);
  }
  return tensor;
}

void unpack_codes(const std::byte* bytes, int bits, size_t first, size_t count, uint8_t* codes) {
  size_t i = 0;
  if (bits == 4 && first % 2 == 0) {
    const std::byte* from = bytes + first / 2;
    for (; i + 2 <= count; i += 2, ++from) {
      codes[i] = std::to_integer<uint8_t>(*from & std::byte{15});
      codes[i + 1] = std::to_integer<uint8_t>(*from >> 4);
    }
  }
  for (; i < count; ++i) codes[i] = read_code(bytes, bits, first + i);
}

void pack_codes(const uint8_t* codes, int bits, size_t first, size_t count, std::byte* bytes) {
  size_t i = 0;
  if (bits == 4 && first % 2 == 0) {
    std::byte* to = bytes + first / 2;
    for (; i + 2 <= count; i += 2) *to++ = static_cast<std::byte>((codes[i] & 15) | codes[i + 1] << 4);
  }
  for (; i < count; ++i) write_code(bytes, bits, first + i, codes[i]);
}

}  // namespace onnxv
