// Gemm and MatMul, worked by hand.
#include <limits>

#include "src/run/testing.h"

using namespace onnxv;
using namespace onnxv::testing;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

NodeUnderTest gemm(int opset, Value a, Value b) { return NodeUnderTest("Gemm", opset).input(std::move(a)).input(std::move(b)); }

const Tensor kA = floats({2, 3}, {1, 2, 3, 4, 5, 6});
const Tensor kB = floats({3, 2}, {1, 0, 0, 1, 1, 1});  // A * B = [[4, 5], [10, 11]]

}  // namespace

TEST_CASE("MatMul-13 float64 factors whose squares underflow are no zeros") {
  // 1.5 (1 + 2^-52) lies half way between 1.5 + 2^-52 and 1.5 + 2^-51, which is even; the second product pulls it below.
  const double scale = 0x1p-700, below = 1.5 + 0x1p-52;
  CHECK(same(NodeUnderTest("MatMul", 13).input(doubles({1, 2}, {1.5, 1})).input(doubles({2, 1}, {(1 + 0x1p-52) * scale, -0x1p-960})).one(),
             doubles({1, 1}, {below * scale})));
}

TEST_CASE("Gemm-1 Gemm-6 C is [M,N] unless broadcast is set") {
  for (const int opset : {1, 6}) {
    CHECK(same(gemm(opset, kA, kB).input(floats({2, 2}, {1, 2, 3, 4})).one(), floats({2, 2}, {5, 7, 13, 15})));
    CHECK(gemm(opset, kA, kB).input(floats({2}, {1, 2})).error().starts_with("schema/shape-mismatch"));
    CHECK(same(gemm(opset, kA, kB).input(floats({2}, {1, 2})).attribute("broadcast", 1).one(), floats({2, 2}, {5, 7, 11, 13})));
    CHECK(same(gemm(opset, kA, kB).input(floats({1}, {1})).attribute("broadcast", 1).one(), floats({2, 2}, {5, 6, 11, 12})));
    CHECK(same(gemm(opset, kA, kB).input(floats({1, 1, 1}, {1})).attribute("broadcast", 1).one(), floats({2, 2}, {5, 6, 11, 12})));
  }
}

TEST_CASE("Gemm-7 C broadcasts one way; alpha, beta and the transposes") {
  CHECK(same(gemm(7, kA, kB).input(floats({2, 1}, {1, 2})).attribute("alpha", 0.5f).attribute("beta", 2.0f).one(),
             floats({2, 2}, {4, 4.5f, 9, 9.5f})));
  const Tensor at = floats({3, 2}, {1, 4, 2, 5, 3, 6}), bt = floats({2, 3}, {1, 0, 1, 0, 1, 1});
  CHECK(same(gemm(7, at, bt).input(floats({}, {0})).attribute("transA", 1).attribute("transB", 1).one(), floats({2, 2}, {4, 5, 10, 11})));
  CHECK(gemm(7, kA, kB).input(floats({3, 2, 2}, std::vector<float>(12))).error().starts_with("schema/shape-mismatch"));
  CHECK(gemm(7, kA, kA).input(floats({}, {0})).error().starts_with("schema/shape-mismatch"));
  CHECK(gemm(7, kA, floats({3}, {1, 1, 1})).input(floats({}, {0})).error().starts_with("schema/rank"));
}

TEST_CASE("Gemm-7 one rounding, after C is added") {
  // 2^24 + 1 - 2^24: a product rounded to float32 first would lose the 1.
  const Tensor a = floats({1, 2}, {16777216, 1}), b = floats({2, 1}, {1, 1});
  CHECK(same(gemm(7, a, b).input(floats({1}, {-16777216})).one(), floats({1, 1}, {1})));
  // float16: 60000 + 60000 - 60000.
  const Tensor halves = codes(DType::kFloat16, {1, 2}, {0x7b53, 0x7b53}), ones = codes(DType::kFloat16, {2, 1}, {0x3c00, 0x3c00});
  CHECK(same(gemm(7, halves, ones).input(codes(DType::kFloat16, {}, {0xfb53})).one(), codes(DType::kFloat16, {1, 1}, {0x7b53})));
}

TEST_CASE("Gemm-7 beta 0 and alpha 0 multiply as any number does") {
  const Tensor one = floats({1, 1}, {1});
  CHECK(same(gemm(7, one, one).input(floats({}, {kInf})).attribute("beta", 0.0f).one(), floats({1, 1}, {kNan})));
  CHECK(same(gemm(7, floats({1, 1}, {kInf}), one).input(floats({}, {1})).attribute("alpha", 0.0f).one(), floats({1, 1}, {kNan})));
  CHECK(same(gemm(7, one, one).input(floats({}, {5})).attribute("alpha", 0.0f).one(), floats({1, 1}, {5})));
  // No product at all: beta * C, its sign included.
  CHECK(same(gemm(7, floats({1, 0}, {}), floats({0, 2}, {})).input(floats({2}, {-0.0f, 3})).attribute("beta", 2.0f).one(),
             floats({1, 2}, {-0.0f, 6})));
}

TEST_CASE("Gemm-9 integers wrap; fractional factors cut toward zero") {
  const Tensor a = int32s({1, 2}, {3, 4}), b = int32s({2, 1}, {1, 3});  // 15
  CHECK(same(gemm(9, a, b).input(int32s({}, {1})).attribute("alpha", 0.5f).attribute("beta", 0.25f).one(), int32s({1, 1}, {7})));  // 7.75
  CHECK(same(gemm(9, a, b).input(int32s({}, {0})).attribute("alpha", -0.5f).one(), int32s({1, 1}, {-7})));
  CHECK(same(gemm(9, a, b).input(int32s({}, {INT32_MAX})).one(), int32s({1, 1}, {INT32_MIN + 14})));
  const Tensor large = codes(DType::kUint64, {1, 1}, {~uint64_t{0}});
  CHECK(same(gemm(9, large, large).input(codes(DType::kUint64, {}, {0})).one(), codes(DType::kUint64, {1, 1}, {1})));
  CHECK(same(gemm(9, large, codes(DType::kUint64, {1, 1}, {2})).input(codes(DType::kUint64, {}, {0})).attribute("alpha", 0.5f).one(), large));
  CHECK(gemm(9, a, b).input(int32s({}, {0})).attribute("alpha", kNan).error().starts_with("undefined/integer-factor"));
}

TEST_CASE("Gemm-11 Gemm-13 C is optional") {
  CHECK(same(gemm(11, kA, kB).one(), floats({2, 2}, {4, 5, 10, 11})));
  CHECK(same(gemm(13, kA, kB).attribute("alpha", -0.5f).one(), floats({2, 2}, {-2, -2.5f, -5, -5.5f})));
  CHECK(same(gemm(13, int32s({1, 1}, {3}), int32s({1, 1}, {5})).one(), int32s({1, 1}, {15})));
  CHECK(same(gemm(13, codes(DType::kBfloat16, {1, 1}, {0x3f80}), codes(DType::kBfloat16, {1, 1}, {0x4040})).one(),
             codes(DType::kBfloat16, {1, 1}, {0x4040})));
}

TEST_CASE("MatMul-1 vectors are promoted, stacks broadcast") {
  const auto matmul = [](Value a, Value b) { return NodeUnderTest("MatMul", 1).input(std::move(a)).input(std::move(b)); };
  CHECK(same(matmul(kA, kB).one(), floats({2, 2}, {4, 5, 10, 11})));
  CHECK(same(matmul(floats({3}, {1, 2, 3}), kB).one(), floats({2}, {4, 5})));
  CHECK(same(matmul(kA, floats({3}, {1, 0, 1})).one(), floats({2}, {4, 10})));
  CHECK(same(matmul(floats({2}, {1, 2}), floats({2}, {3, 4})).one(), floats({}, {11})));
  CHECK(same(matmul(floats({2, 1, 1, 2}, {1, 2, 3, 4}), floats({3, 2, 1}, {1, 0, 0, 1, 1, 1})).one(),
             floats({2, 3, 1, 1}, {1, 2, 3, 3, 4, 7})));
  CHECK(matmul(floats({}, {1}), kB).error().starts_with("schema/rank"));
  CHECK(matmul(kA, kA).error().starts_with("schema/shape-mismatch"));
}

TEST_CASE("MatMul-9 MatMul-13 integers wrap, an empty sum is +0") {
  const Tensor large = int32s({1, 2}, {INT32_MAX, 2});
  CHECK(same(NodeUnderTest("MatMul", 9).input(large).input(int32s({2, 1}, {2, 1})).one(), int32s({1, 1}, {0})));
  CHECK(same(NodeUnderTest("MatMul", 13).input(floats({1, 0}, {})).input(floats({0, 2}, {})).one(), floats({1, 2}, {0, 0})));
}
