#include "src/tensor/dtype.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "src/base/error.h"
#include "src/number/format.h"

namespace onnxv {
namespace {

enum class Group : uint8_t { kOther, kUnsigned, kSigned, kFloat, kComplex };

struct Row {
  std::string_view name;
  Group group;
  const Format* format = nullptr;
};

// By TensorProto number.
constexpr std::array<Row, kDTypeCount> kRows = {{
    {"undefined", Group::kOther},
    {"float", Group::kFloat, &kFloat32},
    {"uint8", Group::kUnsigned},
    {"int8", Group::kSigned},
    {"uint16", Group::kUnsigned},
    {"int16", Group::kSigned},
    {"int32", Group::kSigned},
    {"int64", Group::kSigned},
    {"string", Group::kOther},
    {"bool", Group::kOther},
    {"float16", Group::kFloat, &kFloat16},
    {"double", Group::kFloat, &kFloat64},
    {"uint32", Group::kUnsigned},
    {"uint64", Group::kUnsigned},
    {"complex64", Group::kComplex},
    {"complex128", Group::kComplex},
    {"bfloat16", Group::kFloat, &kBfloat16},
    {"float8e4m3fn", Group::kFloat, &kFloat8e4m3fn},
    {"float8e4m3fnuz", Group::kFloat, &kFloat8e4m3fnuz},
    {"float8e5m2", Group::kFloat, &kFloat8e5m2},
    {"float8e5m2fnuz", Group::kFloat, &kFloat8e5m2fnuz},
    {"uint4", Group::kUnsigned},
    {"int4", Group::kSigned},
    {"float4e2m1", Group::kFloat, &kFloat4e2m1},
    {"float8e8m0", Group::kFloat, &kFloat8e8m0},
    {"uint2", Group::kUnsigned},
    {"int2", Group::kSigned},
    {"float6e2m3", Group::kFloat, &kFloat6e2m3},
    {"float6e3m2", Group::kFloat, &kFloat6e3m2},
}};

const Row& row(DType dtype) { return kRows[static_cast<size_t>(dtype)]; }

bool equal_in_capitals(std::string_view name, std::string_view capitals) {
  return std::equal(name.begin(), name.end(), capitals.begin(), capitals.end(), [](char a, char b) {
    return std::toupper(static_cast<unsigned char>(a)) == b;
  });
}

}  // namespace

std::string_view dtype_name(DType dtype) { return row(dtype).name; }

std::string_view dtype_display_name(DType dtype) {
  if (dtype == DType::kFloat) return "float32";
  if (dtype == DType::kDouble) return "float64";
  return row(dtype).name;
}

std::optional<DType> dtype_from_name(std::string_view name) {
  for (int number = 1; number < kDTypeCount; ++number) {
    const DType dtype = static_cast<DType>(number);
    if (name == dtype_name(dtype) || name == dtype_display_name(dtype) ||
        equal_in_capitals(dtype_name(dtype), name)) {
      return dtype;
    }
  }
  return std::nullopt;
}

std::optional<DType> dtype_from_number(int64_t number) {
  if (number < 1 || number >= kDTypeCount) return std::nullopt;
  return static_cast<DType>(number);
}

bool is_integer(DType dtype) {
  return row(dtype).group == Group::kUnsigned || row(dtype).group == Group::kSigned;
}
bool is_signed_integer(DType dtype) { return row(dtype).group == Group::kSigned; }
bool is_float(DType dtype) { return row(dtype).group == Group::kFloat; }
bool is_complex(DType dtype) { return row(dtype).group == Group::kComplex; }

const Format& float_format(DType dtype) {
  const Format* format = row(dtype).format;
  if (format == nullptr) {
    fail_internal("float-format", std::string(dtype_name(dtype)) + " is no float type");
  }
  return *format;
}

}  // namespace onnxv
