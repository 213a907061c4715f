// The element types of ONNX, by their TensorProto numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace onnxv {

struct Format;  // src/number/format.h

enum class DType : uint8_t {
  kUndefined = 0,
  kFloat = 1,
  kUint8 = 2,
  kInt8 = 3,
  kUint16 = 4,
  kInt16 = 5,
  kInt32 = 6,
  kInt64 = 7,
  kString = 8,
  kBool = 9,
  kFloat16 = 10,
  kDouble = 11,
  kUint32 = 12,
  kUint64 = 13,
  kComplex64 = 14,
  kComplex128 = 15,
  kBfloat16 = 16,
  kFloat8e4m3fn = 17,
  kFloat8e4m3fnuz = 18,
  kFloat8e5m2 = 19,
  kFloat8e5m2fnuz = 20,
  kUint4 = 21,
  kInt4 = 22,
  kFloat4e2m1 = 23,
  kFloat8e8m0 = 24,
  kUint2 = 25,
  kInt2 = 26,
  kFloat6e2m3 = 27,
  kFloat6e3m2 = 28,
};
inline constexpr int kDTypeCount = 29;

// The schema's spelling without "tensor(…)": "float", "int4", "float8e4m3fn", "string".
std::string_view dtype_name(DType dtype);
// As a person reads it in reports and JSON: "float32" and "float64", else dtype_name.
std::string_view dtype_display_name(DType dtype);
// By schema spelling, by display name, or by TensorProto spelling ("FLOAT"); nullopt if unknown.
std::optional<DType> dtype_from_name(std::string_view name);
// nullopt when `number` is no TensorProto data type (0 included).
std::optional<DType> dtype_from_number(int64_t number);

// Bits of one element as stored: 2, 4, 6, 8, … 128. String and undefined: 0.
inline constexpr uint8_t kDTypeBits[kDTypeCount] = {0, 32, 8, 8, 16, 16, 32, 64, 0, 8, 16, 64, 32, 64, 64,
                                                    128, 16, 8, 8, 8, 8, 4, 4, 4, 8, 2, 2, 6, 6};
constexpr int dtype_bits(DType dtype) { return kDTypeBits[static_cast<size_t>(dtype)]; }
// True for the signed and unsigned integers of 2 to 64 bits; bool is not one.
bool is_integer(DType dtype);
bool is_signed_integer(DType dtype);
// True for every float type from float4e2m1 to double; complex is not one.
bool is_float(DType dtype);
bool is_complex(DType dtype);
// The row of the format table; only for is_float types.
const Format& float_format(DType dtype);

}  // namespace onnxv
