#include "src/tensor/order.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <string>

#include "src/number/format.h"

namespace onnxv {
namespace {

// The magnitude's bits grow with the magnitude in every format of the table, so a sign in front of
// them orders reals.
int64_t float_key(const Format& format, uint64_t code) {
  if (is_nan(format, code)) return kNanKey;
  if (!format.has_sign) return static_cast<int64_t>(code);
  const uint64_t sign = uint64_t{1} << (format.bits - 1);
  const auto magnitude = static_cast<int64_t>(code & (sign - 1));
  return (code & sign) != 0 ? -magnitude : magnitude;
}

int64_t integer_key(DType dtype, uint64_t code) {
  const int bits = dtype_bits(dtype);
  if (bits == 64) {
    // An unsigned number moves down by 2^63, which keeps the order.
    return static_cast<int64_t>(is_signed_integer(dtype) ? code : code ^ (uint64_t{1} << 63));
  }
  return static_cast<int64_t>(decode_integer({bits, is_signed_integer(dtype)}, code));
}

template <class Code>
void keys_of_codes(DType dtype, std::span<const Code> codes, std::span<int64_t> keys) {
  for (size_t i = 0; i < codes.size(); ++i) keys[i] = order_key(dtype, codes[i]);
}

// float_key() for the formats with IEEE's NaNs, in one line of integer arithmetic.
template <class Code>
void keys_of_floats(std::span<const Code> codes, Code infinity, std::span<int64_t> keys) {
  constexpr Code kSign = static_cast<Code>(Code{1} << (sizeof(Code) * 8 - 1));
  for (size_t i = 0; i < codes.size(); ++i) {
    const Code magnitude = static_cast<Code>(codes[i] & (kSign - 1));
    const auto size = static_cast<int64_t>(magnitude);
    const int64_t key = (codes[i] & kSign) != 0 ? -size : size;
    keys[i] = magnitude > infinity ? kNanKey : key;
  }
}

template <class T>
void keys_of_integers(std::span<const T> values, std::span<int64_t> keys) {
  for (size_t i = 0; i < values.size(); ++i) keys[i] = static_cast<int64_t>(values[i]);
}

std::vector<int64_t> string_keys(const std::vector<std::string>& strings) {
  std::vector<size_t> order(strings.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return strings[a] < strings[b]; });
  std::vector<int64_t> keys(strings.size());
  int64_t key = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && strings[order[i]] != strings[order[i - 1]]) ++key;
    keys[order[i]] = key;
  }
  return keys;
}

// A complex number is two reals of half its width.
template <class Code>
std::vector<int64_t> complex_keys(const Tensor& tensor, const Format& part) {
  std::vector<int64_t> keys;
  keys.reserve(tensor.size() * 2);
  for (const std::array<Code, 2>& element : tensor.as<std::array<Code, 2>>()) {
    for (Code code : element) keys.push_back(float_key(part, code));
  }
  return keys;
}

}  // namespace

int64_t order_key(DType dtype, uint64_t code) {
  if (is_float(dtype)) return float_key(float_format(dtype), code);
  if (dtype == DType::kBool) return code != 0 ? 1 : 0;
  return integer_key(dtype, code);
}

int order_keys_per_element(DType dtype) { return is_complex(dtype) ? 2 : 1; }

std::vector<int64_t> order_keys(const Tensor& tensor) {
  const DType dtype = tensor.dtype();
  if (tensor.is_string()) return string_keys(tensor.strings());
  if (dtype == DType::kComplex64) return complex_keys<uint32_t>(tensor, kFloat32);
  if (dtype == DType::kComplex128) return complex_keys<uint64_t>(tensor, kFloat64);
  std::vector<int64_t> keys(tensor.size());
  order_keys(tensor, 0, keys.size(), keys.data());
  return keys;
}

void order_keys(const Tensor& tensor, size_t first, size_t count, int64_t* out) {
  const DType dtype = tensor.dtype();
  const std::span<int64_t> keys(out, count);
  const auto part = [&]<class T>(T) { return tensor.as<T>().subspan(first, count); };
  switch (dtype) {
    case DType::kFloat: return keys_of_floats<uint32_t>(part(uint32_t{}), 0x7f800000, keys);
    case DType::kDouble: return keys_of_floats<uint64_t>(part(uint64_t{}), uint64_t{0x7ff} << 52, keys);
    case DType::kFloat16: return keys_of_floats<uint16_t>(part(uint16_t{}), 0x7c00, keys);
    case DType::kBfloat16: return keys_of_floats<uint16_t>(part(uint16_t{}), 0x7f80, keys);
    case DType::kInt64: return keys_of_integers(part(int64_t{}), keys);
    case DType::kInt32: return keys_of_integers(part(int32_t{}), keys);
    case DType::kInt8: return keys_of_integers(part(int8_t{}), keys);
    case DType::kUint8: return keys_of_integers(part(uint8_t{}), keys);
    default: break;
  }
  switch (dtype_bits(dtype)) {
    case 8: return keys_of_codes<uint8_t>(dtype, part(uint8_t{}), keys);
    case 16: return keys_of_codes<uint16_t>(dtype, part(uint16_t{}), keys);
    case 32: return keys_of_codes<uint32_t>(dtype, part(uint32_t{}), keys);
    case 64: return keys_of_codes<uint64_t>(dtype, part(uint64_t{}), keys);
    default:
      for (size_t i = 0; i < count; ++i) keys[i] = order_key(dtype, tensor.code(first + i));
  }
}

}  // namespace onnxv
