// DequantizeLinear and DynamicQuantizeLinear, worked by hand.
#include <limits>

#include "src/run/testing.h"

using namespace onnxv;
using namespace onnxv::testing;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

NodeUnderTest dequantize(int opset, Value x, Value scale, Value zero) {
  return NodeUnderTest("DequantizeLinear", opset).input(std::move(x)).input(std::move(scale)).input(std::move(zero));
}
NodeUnderTest dequantize(int opset, Value x, Value scale) {
  return NodeUnderTest("DequantizeLinear", opset).input(std::move(x)).input(std::move(scale));
}
int64_t number(DType dtype) { return static_cast<int64_t>(dtype); }
NodeUnderTest dynamic(std::vector<float> x) {
  const int64_t count = static_cast<int64_t>(x.size());
  return NodeUnderTest("DynamicQuantizeLinear", 11).input(floats({count}, std::move(x))).outputs(3);
}

}  // namespace

TEST_CASE("DequantizeLinear-10 subtracts without wrapping, multiplies, rounds once") {
  CHECK(same(dequantize(10, uint8s({4}, {0, 3, 128, 255}), floats({}, {2}), uint8s({}, {128})).one(),
             floats({4}, {-256, -250, 0, 254})));
  // 16777217 * 3 = 50331651 lies next to 50331652; through float32(16777217) = 16777216 it would be 50331648.
  CHECK(same(dequantize(10, int32s({1}, {16777217}), floats({}, {3})).one(), floats({1}, {50331652})));
  CHECK(same(dequantize(10, int32s({1}, {INT32_MIN}), floats({}, {1}), int32s({}, {1})).one(), floats({1}, {-2147483648.0f})));
  CHECK(dequantize(10, uint8s({2}, {1, 2}), floats({2}, {1, 1})).error().starts_with("schema/shape-mismatch"));
}

TEST_CASE("DequantizeLinear-13 per axis") {
  const Tensor x = int8s({2, 2}, {1, 2, 3, 4});
  CHECK(same(dequantize(13, x, floats({2}, {1, 10}), int8s({2}, {0, 1})).one(), floats({2, 2}, {1, 10, 3, 30})));
  CHECK(same(dequantize(13, x, floats({2}, {1, 10}), int8s({2}, {0, 1})).attribute("axis", 0).one(),
             floats({2, 2}, {1, 2, 20, 30})));
}

TEST_CASE("DequantizeLinear-19 float8 and 16-bit scales") {
  const Tensor x = codes(DType::kFloat8e5m2, {5}, {0x3c, 0x80, 0x7c, 0x7f, 0x01});  // 1, -0, inf, NaN, 2^-16
  CHECK(same(dequantize(19, x, floats({}, {2})).one(), floats({5}, {2, -0.0f, kInf, kNan, 0x1p-15f})));
  CHECK(same(dequantize(19, x, floats({}, {2}), codes(DType::kFloat8e5m2, {}, {0})).one(),
             floats({5}, {2, -0.0f, kInf, kNan, 0x1p-15f})));
  CHECK(same(dequantize(19, int8s({1}, {3}), codes(DType::kFloat16, {}, {0x3c00})).one(), codes(DType::kFloat16, {1}, {0x4200})));
}

TEST_CASE("DequantizeLinear-21 blocks and 4-bit integers") {
  const Tensor x = codes(DType::kInt4, {1, 5}, {1, 2, 3, 0xf, 8});
  CHECK(same(dequantize(21, x, floats({1, 3}, {1, 10, 100})).attribute("block_size", 2).one(),
             floats({1, 5}, {1, 2, 30, -10, -800})));
  CHECK(dequantize(21, x, floats({1, 2}, {1, 10})).attribute("block_size", 2).error().starts_with("schema/shape-mismatch"));
}

TEST_CASE("DequantizeLinear-23 output_dtype is where the one rounding goes") {
  // The scale, 1 + 2^-11 + 2^-20, is just above the tie of float16 between 1 and 1 + 2^-10; 3 times it, 3 + 3 * 2^-11 + 3 * 2^-20, is
  // nearest to 3 + 2^-9. A scale rounded to float16 first would give 3 + 3 * 2^-10, a tie that goes to 3 + 2^-8.
  const Tensor scale = codes(DType::kFloat, {}, {0x3f801008});
  CHECK(same(dequantize(23, codes(DType::kUint16, {1}, {1}), scale).attribute("output_dtype", number(DType::kFloat16)).one(),
             codes(DType::kFloat16, {1}, {0x3c01})));
  CHECK(same(dequantize(23, codes(DType::kUint16, {1}, {3}), scale).attribute("output_dtype", number(DType::kFloat16)).one(),
             codes(DType::kFloat16, {1}, {0x4201})));
  CHECK(same(dequantize(23, codes(DType::kFloat4e2m1, {2}, {7, 0xf}), floats({}, {0.5f})).one(), floats({2}, {3, -3})));
  CHECK(dequantize(23, uint8s({1}, {1}), scale).attribute("output_dtype", number(DType::kDouble)).error()
            .starts_with("schema/attribute-value"));
}

TEST_CASE("DequantizeLinear-24 a float8e8m0 scale names no output type") {
  const Tensor x = int8s({2}, {3, -3}), scale = codes(DType::kFloat8e8m0, {}, {126});  // 1/2
  CHECK(dequantize(24, x, scale).error().starts_with("schema/attribute-value"));
  CHECK(same(dequantize(24, x, scale).attribute("output_dtype", number(DType::kFloat)).one(), floats({2}, {1.5f, -1.5f})));
}

TEST_CASE("DequantizeLinear-25 DequantizeLinear-28 2-bit integers and float6") {
  CHECK(same(dequantize(25, codes(DType::kInt2, {5}, {0, 1, 2, 3, 1}), floats({}, {3})).one(), floats({5}, {0, 3, -6, -3, 3})));
  CHECK(same(dequantize(28, codes(DType::kFloat6e3m2, {3}, {0x1f, 0x21, 0x0c}), floats({}, {2})).one(),
             floats({3}, {56, -0.125f, 2})));
}

TEST_CASE("DynamicQuantizeLinear-11 the example of the text's test data") {
  NodeUnderTest node = dynamic({0, 2, -3, -2.5f, 1.34f, 0.5f});
  CHECK(same(node.output(0), uint8s({6}, {153, 255, 0, 26, 221, 179})));
  CHECK(same(node.output(1), codes(DType::kFloat, {}, {0x3ca0a0a1})));  // 5 / 255
  CHECK(same(node.output(2), uint8s({}, {153})));
  CHECK(node.unspecified().empty());
}

TEST_CASE("DynamicQuantizeLinear-11 the range includes 0") {
  NodeUnderTest node = dynamic({255, 51});
  CHECK(same(node.output(0), uint8s({2}, {255, 51})));
  CHECK(same(node.output(1), floats({}, {1})));
  CHECK(same(node.output(2), uint8s({}, {0})));
  NodeUnderTest below = dynamic({-255, -51});
  CHECK(same(below.output(0), uint8s({2}, {0, 204})));
  CHECK(same(below.output(2), uint8s({}, {255})));
}

TEST_CASE("DynamicQuantizeLinear-11 Choice: no range, NaN, infinity; nothing at all is an error") {
  NodeUnderTest zeros = dynamic({0, 0});
  CHECK(same(zeros.output(0), uint8s({2}, {0, 0})));
  CHECK(same(zeros.output(1), floats({}, {0})));
  CHECK(zeros.unspecified().size() == 2);
  NodeUnderTest nan = dynamic({1, kNan});
  CHECK(same(nan.output(0), uint8s({2}, {0, 0})));
  CHECK(same(nan.output(1), floats({}, {kNan})));
  NodeUnderTest infinite = dynamic({kInf, 1});
  CHECK(same(infinite.output(0), uint8s({2}, {0, 0})));
  CHECK(infinite.unspecified()[0].elements == std::vector<uint8_t>{1, 0});
  CHECK(dynamic({}).error().starts_with("undefined/empty-input"));
}
