#include "src/tensor/dtype.h"

#include <doctest/doctest.h>

#include "src/base/error.h"
#include "src/number/format.h"

namespace onnxv {

TEST_CASE("types have their TensorProto numbers, names and widths") {
  CHECK(dtype_from_number(1) == DType::kFloat);
  CHECK(dtype_from_number(28) == DType::kFloat6e3m2);
  CHECK_FALSE(dtype_from_number(0).has_value());
  CHECK_FALSE(dtype_from_number(29).has_value());
  CHECK_FALSE(dtype_from_number(-1).has_value());
  CHECK(dtype_name(DType::kDouble) == "double");
  CHECK(dtype_display_name(DType::kFloat) == "float32");
  CHECK(dtype_display_name(DType::kInt4) == "int4");
  CHECK(dtype_from_name("float") == DType::kFloat);
  CHECK(dtype_from_name("float64") == DType::kDouble);
  CHECK(dtype_from_name("FLOAT8E4M3FNUZ") == DType::kFloat8e4m3fnuz);
  CHECK(dtype_from_name("BFLOAT16") == DType::kBfloat16);
  CHECK_FALSE(dtype_from_name("Float").has_value());
  CHECK_FALSE(dtype_from_name("undefined").has_value());
  CHECK_FALSE(dtype_from_name("").has_value());
  CHECK(dtype_bits(DType::kFloat6e2m3) == 6);
  CHECK(dtype_bits(DType::kUint2) == 2);
  CHECK(dtype_bits(DType::kBool) == 8);
  CHECK(dtype_bits(DType::kComplex128) == 128);
  CHECK(dtype_bits(DType::kString) == 0);
}

TEST_CASE("every type belongs to one group at most") {
  int integers = 0, floats = 0;
  for (int number = 1; number < kDTypeCount; ++number) {
    const DType dtype = static_cast<DType>(number);
    CHECK(dtype_from_name(dtype_name(dtype)) == dtype);
    CHECK(dtype_from_name(dtype_display_name(dtype)) == dtype);
    integers += is_integer(dtype) ? 1 : 0;
    floats += is_float(dtype) ? 1 : 0;
    if (is_float(dtype)) {
      CHECK(float_format(dtype).bits == dtype_bits(dtype));
      CHECK(float_format(dtype).name == dtype_display_name(dtype));
    } else {
      CHECK_THROWS_AS(float_format(dtype), Error);
    }
  }
  CHECK(integers == 12);
  CHECK(floats == 12);
  CHECK_FALSE(is_integer(DType::kBool));
  CHECK(is_signed_integer(DType::kInt2));
  CHECK_FALSE(is_signed_integer(DType::kUint2));
  CHECK(is_complex(DType::kComplex64));
  CHECK_FALSE(is_float(DType::kComplex64));
}

}  // namespace onnxv
