#include "src/tensor/floats.h"

#include <algorithm>

#include "src/number/float_loops.h"
#include "src/tensor/packed.h"

namespace onnxv {
namespace {

// Codes that take a byte each in place of fewer bits.
void decode_packed(DType dtype, const uint8_t* codes, size_t count, float* out) {
  if (is_float(dtype)) return decode_to_floats(float_format(dtype), codes, count, out);
  const IntegerFormat format{dtype_bits(dtype), is_signed_integer(dtype)};
  float values[16];
  for (uint64_t code = 0; code < (uint64_t{1} << format.bits); ++code) {
    values[code] = static_cast<float>(static_cast<int>(decode_integer(format, code)));
  }
  for (size_t i = 0; i < count; ++i) out[i] = values[codes[i]];
}

}  // namespace

bool fits_float32(DType dtype) {
  if (is_float(dtype)) return fits_float32(float_format(dtype));
  return is_integer(dtype) && dtype_bits(dtype) <= 16;
}

const float* float_elements(const Tensor& tensor, size_t first, size_t count, float* buffer) {
  const DType dtype = tensor.dtype();
  if (dtype == DType::kFloat) return tensor.as<float>().data() + first;
  if (dtype == DType::kBool) {
    const uint8_t* codes = tensor.as<uint8_t>().data() + first;
    for (size_t i = 0; i < count; ++i) buffer[i] = codes[i] != 0 ? 1.0f : 0.0f;
    return buffer;
  }
  const int bits = dtype_bits(dtype);
  if (bits < 8) {
    constexpr size_t kBlock = 1024;
    uint8_t codes[kBlock];
    for (size_t done = 0; done < count; done += kBlock) {
      const size_t some = std::min(kBlock, count - done);
      unpack_codes(tensor.bytes().data(), bits, first + done, some, codes);
      decode_packed(dtype, codes, some, buffer + done);
    }
    return buffer;
  }
  const std::byte* codes = tensor.bytes().data() + first * static_cast<size_t>(bits) / 8;
  if (is_float(dtype)) {
    decode_to_floats(float_format(dtype), codes, count, buffer);
  } else {
    decode_to_floats(IntegerFormat{bits, is_signed_integer(dtype)}, codes, count, buffer);
  }
  return buffer;
}

}  // namespace onnxv
