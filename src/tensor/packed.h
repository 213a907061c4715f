// Sub-byte elements (2, 4, 6 bits) inside a stream of bytes, low bits first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/tensor/tensor.h"

namespace onnxv {

// One code per byte, in its low bits. For sub-byte and 8-bit types.
std::vector<uint8_t> unpacked_codes(const Tensor& tensor);
// The tensor that holds the low bits of each byte; as many bytes as `shape` has elements (internal error otherwise).
Tensor packed_tensor(DType dtype, Shape shape, std::span<const uint8_t> codes);

// The same on bare memory: element `i` of a stream of `bits` bits each. write_code leaves neighbours alone.
inline uint8_t read_code(const std::byte* bytes, int bits, size_t element) {
  const size_t position = element * static_cast<size_t>(bits);
  const int offset = static_cast<int>(position % 8);
  unsigned window = std::to_integer<unsigned>(bytes[position / 8]);
  if (offset + bits > 8) window |= std::to_integer<unsigned>(bytes[position / 8 + 1]) << 8;
  return static_cast<uint8_t>((window >> offset) & ((1U << bits) - 1));
}

inline void write_code(std::byte* bytes, int bits, size_t element, uint8_t code) {
  const size_t position = element * static_cast<size_t>(bits);
  const int offset = static_cast<int>(position % 8);
  const unsigned mask = ((1U << bits) - 1) << offset;
  const unsigned value = (static_cast<unsigned>(code) << offset) & mask;
  const auto merge = [](std::byte& byte, unsigned mask_bits, unsigned value_bits) {
    byte = static_cast<std::byte>((std::to_integer<unsigned>(byte) & ~mask_bits) | value_bits);
  };
  merge(bytes[position / 8], mask & 0xff, value & 0xff);
  if (offset + bits > 8) merge(bytes[position / 8 + 1], mask >> 8, value >> 8);
}

// Many of them, one code per byte, from element `first` on; pack_codes takes the low bits of each byte.
void unpack_codes(const std::byte* bytes, int bits, size_t first, size_t count, uint8_t* codes);
void pack_codes(const uint8_t* codes, int bits, size_t first, size_t count, std::byte* bytes);

}  // namespace onnxv
