// QuantizeLinear, worked by hand.
#include <limits>

#include "src/run/testing.h"

using namespace onnxv;
using namespace onnxv::testing;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

NodeUnderTest quantize(int opset, Value x, Value scale, Value zero) {
  return NodeUnderTest("QuantizeLinear", opset).input(std::move(x)).input(std::move(scale)).input(std::move(zero));
}
NodeUnderTest quantize(int opset, Value x, Value scale) {
  return NodeUnderTest("QuantizeLinear", opset).input(std::move(x)).input(std::move(scale));
}
int64_t number(DType dtype) { return static_cast<int64_t>(dtype); }

}  // namespace

TEST_CASE("QuantizeLinear-10 rounds to even, then adds the zero point, then saturates") {
  CHECK(same(quantize(10, floats({6}, {0, 2, 3, 1000, -254, -1000}), floats({}, {2}), uint8s({}, {128})).one(),
             uint8s({6}, {128, 129, 130, 255, 1, 0})));
  // 0.5 rounds to 0 before the 1 is added; 1.5 + 1 would round to 2 too.
  CHECK(same(quantize(10, floats({3}, {0.5f, 1.5f, 2.5f}), floats({}, {1}), int8s({}, {1})).one(), int8s({3}, {1, 3, 3})));
  CHECK(same(quantize(10, floats({2}, {-0.4f, 300}), floats({}, {1})).one(), uint8s({2}, {0, 255})));
  CHECK(quantize(10, floats({2}, {1, 2}), floats({2}, {1, 1})).error().starts_with("schema/shape-mismatch"));
}

TEST_CASE("QuantizeLinear-10 Spec: the quotient is rounded to float32 first") {
  // float32(5 / 255) is a little more than 5 / 255: the exact quotient is 25.4999991, the float32 one 25.5.
  CHECK(same(quantize(10, floats({1}, {0.5f}), codes(DType::kFloat, {}, {0x3ca0a0a1}), uint8s({}, {0})).one(),
             uint8s({1}, {26})));
}

TEST_CASE("QuantizeLinear-10 Choice: NaN is the smallest integer, and marked") {
  NodeUnderTest node = quantize(10, floats({4}, {kNan, kInf, -kInf, 1}), floats({}, {1}), int8s({}, {5}));
  CHECK(same(node.one(), int8s({4}, {-128, 127, -128, 6})));
  REQUIRE(node.unspecified().size() == 1);
  CHECK(node.unspecified()[0].slug == "quantize-nan");
  CHECK(node.unspecified()[0].elements == std::vector<uint8_t>{1, 0, 0, 0});
  NodeUnderTest zero_scale = quantize(10, floats({3}, {0, 1, -1}), floats({}, {0}));
  CHECK(same(zero_scale.one(), uint8s({3}, {0, 255, 0})));
  CHECK(zero_scale.unspecified()[0].elements == std::vector<uint8_t>{1, 0, 0});
}

TEST_CASE("QuantizeLinear-13 per axis, and int32 input") {
  const Tensor x = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  CHECK(same(quantize(13, x, floats({3}, {1, 2, 4}), uint8s({3}, {0, 10, 20})).one(),
             uint8s({2, 3}, {1, 11, 21, 4, 12, 22})));  // 3/4, 5/2 = 2.5, 6/4 = 1.5
  CHECK(same(quantize(13, x, floats({2}, {1, 2}), uint8s({2}, {0, 10})).attribute("axis", -2).one(),
             uint8s({2, 3}, {1, 2, 3, 12, 12, 13})));
  CHECK(same(quantize(13, int32s({3}, {5, -5, 7}), floats({}, {2}), int8s({}, {0})).one(), int8s({3}, {2, -2, 4})));
  CHECK(quantize(13, x, floats({2}, {1, 2}), uint8s({2}, {0, 0})).error().starts_with("schema/shape-mismatch"));
  CHECK(quantize(13, x, floats({3}, {1, 2, 4}), uint8s({}, {0})).error().starts_with("schema/shape-mismatch"));
  CHECK(quantize(13, floats({2}, {1, 2}), floats({2}, {1, 2})).error().starts_with("schema/attribute-range"));
  CHECK(same(quantize(13, floats({2}, {1, 2}), floats({2}, {1, 2})).attribute("axis", 0).one(), uint8s({2}, {1, 1})));
}

TEST_CASE("QuantizeLinear-19 float8 and int32 scales") {
  const Tensor x = floats({5}, {1, 500, -0.0f, kInf, kNan});
  const Tensor zero = codes(DType::kFloat8e4m3fn, {}, {0x80});  // -0
  CHECK(same(quantize(19, x, floats({}, {1}), zero).one(), codes(DType::kFloat8e4m3fn, {5}, {0x38, 0x7e, 0x80, 0x7e, 0x7f})));
  CHECK(same(quantize(19, x, floats({}, {1}), zero).attribute("saturate", 0).one(),
             codes(DType::kFloat8e4m3fn, {5}, {0x38, 0x7f, 0x80, 0x7f, 0x7f})));
  CHECK(quantize(19, x, floats({}, {1}), zero).unspecified().empty());
  // The zero point of float8 is added too: 1 + 2 = 3.
  CHECK(same(quantize(19, floats({1}, {1}), floats({}, {1}), codes(DType::kFloat8e5m2, {}, {0x40})).one(),
             codes(DType::kFloat8e5m2, {1}, {0x42})));
  CHECK(same(quantize(19, int32s({3}, {5, 7, -5}), int32s({}, {2}), int8s({}, {0})).one(), int8s({3}, {2, 4, -2})));
}

TEST_CASE("QuantizeLinear-21 divides in float16 where the scale is float16") {
  // 1 / 3 in float16 is 0.333251953125; 2048 / 0.333251953125 = 6145.5…, which rounds to 6144 among multiples of 4.
  const Tensor x = codes(DType::kFloat16, {1}, {0x6800}), scale = codes(DType::kFloat16, {}, {0x3555});
  CHECK(same(NodeUnderTest("QuantizeLinear", 21).attribute("output_dtype", number(DType::kInt16)).input(x).input(scale).one(),
             codes(DType::kInt16, {1}, {6144})));
}

TEST_CASE("QuantizeLinear-21 blocks, the last one short") {
  const Tensor x = floats({2, 5}, {2, 2, 2, 2, 2, 4, 4, 4, 4, 4});
  const Tensor scale = floats({2, 3}, {1, 2, 4, 1, 2, 4});
  CHECK(same(quantize(21, x, scale).attribute("block_size", 2).one(), uint8s({2, 5}, {2, 2, 1, 1, 0, 4, 4, 2, 2, 1})));
  CHECK(same(quantize(21, x, floats({1, 5}, {1, 2, 4, 1, 2})).attribute("axis", 0).attribute("block_size", 7).one(),
             uint8s({2, 5}, {2, 1, 0, 2, 1, 4, 2, 1, 4, 2})));
  CHECK(quantize(21, x, scale).attribute("block_size", 3).error().starts_with("schema/shape-mismatch"));
  CHECK(quantize(21, x, scale).attribute("block_size", -1).error().starts_with("schema/attribute-range"));
  CHECK(quantize(21, x, scale).error().starts_with("schema/shape-mismatch"));
}

TEST_CASE("QuantizeLinear-21 4- and 16-bit integers, output_dtype") {
  const Tensor x = floats({5}, {7.5f, 8, -8.5f, -9, 2.5f});
  CHECK(same(quantize(21, x, floats({}, {1}), codes(DType::kInt4, {}, {0})).one(),
             codes(DType::kInt4, {5}, {7, 7, 8, 8, 2})));
  CHECK(same(quantize(21, x, floats({}, {1})).attribute("output_dtype", number(DType::kUint4)).one(),
             codes(DType::kUint4, {5}, {8, 8, 0, 0, 2})));
  CHECK(same(quantize(21, floats({2}, {70000, -1}), floats({}, {1}), codes(DType::kUint16, {}, {0})).one(),
             codes(DType::kUint16, {2}, {65535, 0})));
  CHECK(quantize(21, x, floats({}, {1}), uint8s({}, {0})).attribute("output_dtype", number(DType::kInt8)).error()
            .starts_with("schema/attribute-value"));
  CHECK(quantize(21, x, floats({}, {1})).attribute("output_dtype", number(DType::kFloat4e2m1)).error()
            .starts_with("schema/attribute-value"));
}

TEST_CASE("QuantizeLinear-23 precision, and float4e2m1") {
  const Tensor x = floats({1}, {2049});  // in float16: the tie between 2048 and 2050, so 2048
  const auto int16_of = [&] { return quantize(23, x, floats({}, {1})).attribute("output_dtype", number(DType::kInt16)); };
  CHECK(same(int16_of().one(), codes(DType::kInt16, {1}, {2049})));
  CHECK(same(int16_of().attribute("precision", number(DType::kFloat16)).one(), codes(DType::kInt16, {1}, {2048})));
  CHECK(int16_of().attribute("precision", number(DType::kInt8)).error().starts_with("schema/attribute-value"));
  // A float16 scale divides a float32 x in float16.
  CHECK(same(quantize(23, x, codes(DType::kFloat16, {}, {0x3c00})).attribute("output_dtype", number(DType::kInt16)).one(),
             codes(DType::kInt16, {1}, {2048})));
  NodeUnderTest four = quantize(23, floats({4}, {2.5f, 100, -0.25f, kNan}), floats({}, {1}), codes(DType::kFloat4e2m1, {}, {8}));
  CHECK(same(four.one(), codes(DType::kFloat4e2m1, {4}, {4, 7, 8, 8})));
  CHECK(four.unspecified()[0].elements == std::vector<uint8_t>{0, 0, 0, 1});
}

TEST_CASE("QuantizeLinear-24 float8e8m0 scales shift the exponent, in the type of x") {
  const Tensor scale = codes(DType::kFloat8e8m0, {}, {128});  // 2
  CHECK(same(quantize(24, floats({4}, {5, 6, 7, -300}), scale, codes(DType::kInt8, {1}, {0})).one(), int8s({4}, {2, 3, 4, -128})));
  CHECK(same(quantize(24, int32s({2}, {33554435, 5}), codes(DType::kFloat8e8m0, {}, {152}),  // 2^25
                      codes(DType::kInt16, {}, {0})).one(), codes(DType::kInt16, {2}, {1, 0})));
}

TEST_CASE("QuantizeLinear-25 2-bit integers") {
  CHECK(same(quantize(25, floats({5}, {0.5f, 1.5f, 9, -2, -9}), floats({}, {1}), codes(DType::kInt2, {}, {0})).one(),
             codes(DType::kInt2, {5}, {0, 1, 1, 2, 2})));
}

TEST_CASE("QuantizeLinear-28 float6 saturates") {
  CHECK(same(quantize(28, floats({3}, {7.1f, 100, -0.1f}), floats({}, {1})).attribute("output_dtype", number(DType::kFloat6e2m3)).one(),
             codes(DType::kFloat6e2m3, {3}, {0x1e, 0x1f, 0x21})));
}
