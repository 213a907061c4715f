#include <array>

#include "src/run/testing.h"

using namespace onnxv;           // NOLINT
using namespace onnxv::testing;  // NOLINT

namespace {

Tensor non_zero(int64_t opset, const Tensor& x) {
  return NodeUnderTest("NonZero", opset).input(x).one();
}

}  // namespace

TEST_CASE("NonZero-9 lists indices by axis") {
  CHECK(same(non_zero(9, bools({2, 2}, {true, false, true, true})),
             int64s({2, 3}, {0, 1, 1, 0, 0, 1})));
  CHECK(same(non_zero(9, int64s({3}, {0, -5, INT64_MIN})), int64s({1, 2}, {1, 2})));
  CHECK(same(non_zero(9, int64s({2, 1, 2}, {1, 0, 0, 2})), int64s({3, 2}, {0, 1, 0, 0, 0, 1})));
}

TEST_CASE("NonZero-9 knows what is zero") {
  const float nan = __builtin_nanf("");
  CHECK(same(non_zero(9, floats({4}, {0, -0.0F, nan, 0x1p-149F})), int64s({1, 2}, {2, 3})));
  CHECK(same(non_zero(9, strings({3}, {"", "a", "0"})), int64s({1, 2}, {1, 2})));
  CHECK(same(non_zero(9, codes(DType::kUint64, {3}, {0, 1, uint64_t{1} << 63})),
             int64s({1, 2}, {1, 2})));
  Tensor complex(DType::kComplex64, Shape{3});
  complex.mutable_as<std::array<float, 2>>()[1] = {0, 1};
  complex.mutable_as<std::array<float, 2>>()[2] = {-0.0F, -0.0F};
  CHECK(same(non_zero(9, complex), int64s({1, 1}, {1})));
}

TEST_CASE("NonZero-9 has no row for a scalar") {
  CHECK(same(non_zero(9, floats({}, {5})), int64s({0, 1}, {})));
  CHECK(same(non_zero(9, floats({}, {0})), int64s({0, 0}, {})));
  CHECK(same(non_zero(9, floats({0, 2}, {})), int64s({2, 0}, {})));
  CHECK(same(non_zero(9, floats({2}, {0, 0})), int64s({1, 0}, {})));
}

TEST_CASE("NonZero-13 takes bfloat16") {
  CHECK(same(non_zero(13, codes(DType::kBfloat16, {3}, {0x8000, 1, 0})), int64s({1, 1}, {1})));
}
