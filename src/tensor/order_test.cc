#include "src/tensor/order.h"

#include <doctest/doctest.h>

#include <array>

using namespace onnxv;  // NOLINT

namespace {

template <class T>
std::vector<int64_t> keys(DType dtype, std::vector<T> values) {
  return order_keys(
      Tensor::of<T>(dtype, Shape{static_cast<int64_t>(values.size())}, std::span<const T>(values)));
}

void check_ascending(const std::vector<int64_t>& keys) {
  for (size_t i = 1; i < keys.size(); ++i) CHECK(keys[i - 1] < keys[i]);
}

}  // namespace

TEST_CASE("order_keys rise with floats and integers") {
  const float inf = __builtin_inff();
  check_ascending(keys<float>(
      DType::kFloat, {-inf, -2.5F, -0x1p-149F, 0, 0x1p-149F, 1, 2.5F, inf, __builtin_nanf("")}));
  check_ascending(keys<double>(DType::kDouble, {-1e300, -1, 0, 1e-300, 1e300}));
  check_ascending(keys<int64_t>(DType::kInt64, {INT64_MIN, -1, 0, INT64_MAX}));
  check_ascending(keys<uint64_t>(DType::kUint64, {0, 1, uint64_t{1} << 63, UINT64_MAX}));
  check_ascending(keys<int8_t>(DType::kInt8, {-128, -1, 0, 127}));
  check_ascending(keys<uint8_t>(DType::kUint8, {0, 127, 255}));
  check_ascending(keys<uint8_t>(DType::kBool, {0, 1}));
}

TEST_CASE("order_keys know the zeros and NaN of every format") {
  CHECK(order_key(DType::kFloat16, 0x8000) == order_key(DType::kFloat16, 0));
  CHECK(order_key(DType::kFloat16, 0xFE01) == kNanKey);
  CHECK(order_key(DType::kFloat8e4m3fn, 0xFF) == kNanKey);
  // The fnuz types have no -0: its pattern is their NaN.
  CHECK(order_key(DType::kFloat8e4m3fnuz, 0x80) == kNanKey);
  CHECK(order_key(DType::kFloat8e8m0, 0xFF) == kNanKey);
  CHECK(order_key(DType::kFloat8e8m0, 0) < order_key(DType::kFloat8e8m0, 0xFE));
  // -6 < -0.5 < 0.5 < 6
  CHECK(order_key(DType::kFloat4e2m1, 0xF) < order_key(DType::kFloat4e2m1, 0x9));
  CHECK(order_key(DType::kFloat4e2m1, 0x1) < order_key(DType::kFloat4e2m1, 0x7));
  CHECK(order_key(DType::kInt4, 0x8) == -8);
  CHECK(order_key(DType::kUint2, 0x3) == 3);
}

TEST_CASE("order_keys order strings by bytes and complex numbers by parts") {
  const Tensor strings(Shape{4}, {"b", "\xC3\xA9", "a", "b"});
  CHECK(order_keys(strings) == std::vector<int64_t>{1, 2, 0, 1});
  Tensor complex(DType::kComplex64, Shape{1});
  complex.mutable_as<std::array<float, 2>>()[0] = {-0.0F, 1};
  CHECK(order_keys(complex) == std::vector<int64_t>{0, 0x3F800000});
  CHECK(order_keys_per_element(DType::kComplex64) == 2);
  CHECK(order_keys_per_element(DType::kString) == 1);
}
