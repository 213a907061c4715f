// The products of quantized numbers, worked by hand.
#include "src/run/testing.h"

using namespace onnxv;
using namespace onnxv::testing;

namespace {

struct Quantized {
  Tensor values, scale, zero;
};

NodeUnderTest qlinear_matmul(int opset, const Quantized& a, const Quantized& b, const Tensor& y_scale, const Tensor& y_zero) {
  return NodeUnderTest("QLinearMatMul", opset).input(a.values).input(a.scale).input(a.zero)
      .input(b.values).input(b.scale).input(b.zero).input(y_scale).input(y_zero);
}

NodeUnderTest qlinear_conv(const Quantized& x, const Quantized& w, const Tensor& y_scale, const Tensor& y_zero) {
  return NodeUnderTest("QLinearConv", 10).input(x.values).input(x.scale).input(x.zero)
      .input(w.values).input(w.scale).input(w.zero).input(y_scale).input(y_zero);
}

Tensor float8(Shape shape, std::vector<uint64_t> values) { return codes(DType::kFloat8e4m3fn, std::move(shape), std::move(values)); }

}  // namespace

TEST_CASE("MatMulInteger-10 zero points for all, per row, per column") {
  const Tensor a = uint8s({4, 3}, {11, 7, 3, 10, 6, 2, 9, 5, 1, 8, 4, 0}), b = uint8s({3, 2}, {1, 4, 2, 5, 3, 6});
  const auto node = [](const Tensor& x, const Tensor& y) { return NodeUnderTest("MatMulInteger", 10).input(x).input(y); };
  CHECK(same(node(a, b).input(uint8s({}, {12})).input(uint8s({}, {0})).one(),
             int32s({4, 2}, {-38, -83, -44, -98, -50, -113, -56, -128})));
  const Tensor c = uint8s({2, 2}, {1, 2, 3, 4}), identity = int8s({2, 2}, {1, 0, 0, 1});
  CHECK(same(node(c, identity).input(uint8s({2}, {1, 3})).one(), int32s({2, 2}, {0, 1, 0, 1})));
  CHECK(same(node(c, identity).no_input().input(int8s({2}, {1, 0})).one(), int32s({2, 2}, {-2, 2, -4, 4})));
  CHECK(same(node(c, identity).one(), int32s({2, 2}, {1, 2, 3, 4})));
  CHECK(node(c, identity).input(uint8s({1, 2}, {1, 3})).error().starts_with("schema/shape-mismatch"));
}

TEST_CASE("MatMulInteger-10 stacks, per matrix zero points, vectors") {
  const Tensor a = uint8s({2, 1, 2}, {1, 2, 3, 4}), b = uint8s({2, 1}, {1, 10});
  CHECK(same(NodeUnderTest("MatMulInteger", 10).input(a).input(b).input(uint8s({2, 1, 1}, {1, 3})).one(),
             int32s({2, 1, 1}, {10, 10})));
  CHECK(same(NodeUnderTest("MatMulInteger", 10).input(uint8s({2}, {1, 2})).input(uint8s({2}, {3, 4})).one(), int32s({}, {11})));
}

TEST_CASE("MatMulInteger-10 wraps in 32 bits") {
  // 33100 * 255 * 255 = 2152327500 = 2^32 - 2142639796
  const Tensor a = uint8s({1, 33100}, std::vector<uint8_t>(33100, 255)), b = uint8s({33100, 1}, std::vector<uint8_t>(33100, 255));
  CHECK(same(NodeUnderTest("MatMulInteger", 10).input(a).input(b).one(), int32s({1, 1}, {-2142639796})));
}

TEST_CASE("QLinearMatMul-10 the example of the text's test data") {
  const Quantized a{uint8s({2, 4}, {208, 236, 0, 238, 3, 214, 255, 29}), floats({1}, {0.0066f}), uint8s({1}, {113})};
  const Quantized b{uint8s({4, 3}, {152, 51, 244, 60, 26, 255, 0, 127, 246, 127, 254, 247}), floats({1}, {0.00705f}), uint8s({1}, {114})};
  CHECK(same(qlinear_matmul(10, a, b, floats({1}, {0.0107f}), uint8s({1}, {118})).one(), uint8s({2, 3}, {168, 115, 255, 1, 66, 151})));
}

TEST_CASE("QLinearMatMul-10 Spec: rounds before the zero point is added; scales per row and column") {
  const Quantized one{uint8s({1, 1}, {1}), floats({}, {0.5f}), uint8s({}, {0})}, unit{uint8s({1, 1}, {1}), floats({}, {1}), uint8s({}, {0})};
  CHECK(same(qlinear_matmul(10, one, unit, floats({}, {1}), uint8s({}, {1})).one(), uint8s({1, 1}, {1})));  // 0.5 -> 0, + 1
  const Quantized a{int8s({2, 1}, {1, 1}), floats({2}, {1, 2}), int8s({2}, {0, 0})};
  const Quantized b{int8s({1, 3}, {1, 1, 1}), floats({3}, {1, 3, 5}), int8s({3}, {0, 0, 0})};
  CHECK(same(qlinear_matmul(10, a, b, floats({}, {2}), int8s({}, {0})).one(), int8s({2, 3}, {0, 2, 2, 1, 3, 5})));
  CHECK(same(qlinear_matmul(10, a, b, floats({2}, {1, 2}), int8s({2}, {0, 100})).one(), int8s({2, 3}, {1, 3, 5, 101, 103, 105})));
  CHECK(same(qlinear_matmul(10, a, b, floats({}, {0.001f}), int8s({}, {0})).one(), int8s({2, 3}, {127, 127, 127, 127, 127, 127})));
}

TEST_CASE("QLinearMatMul-21 float8: exact sums, one saturating rounding") {
  const Quantized a{float8({1, 2}, {0x38, 0x40}), floats({}, {1}), float8({}, {0})};       // 1, 2
  const Quantized b{float8({2, 1}, {0x3c, 0x01}), floats({}, {1}), float8({}, {0})};       // 1.5, 2^-9
  // 1.5 + 2^-8: nearest 1.5. With a zero point of 2^-2 for y: 1.75 + 2^-8.
  CHECK(same(qlinear_matmul(21, a, b, floats({}, {1}), float8({}, {0})).one(), float8({1, 1}, {0x3c})));
  CHECK(same(qlinear_matmul(21, a, b, floats({}, {1}), float8({}, {0x28})).one(), float8({1, 1}, {0x3e})));
  CHECK(same(qlinear_matmul(21, a, b, floats({}, {0.001f}), float8({}, {0})).one(), float8({1, 1}, {0x7e})));
  // a's zero point 1: (1 - 1) * 1.5 + (2 - 1) * 2^-9 = 2^-9.
  const Quantized shifted{a.values, a.scale, float8({}, {0x38})};
  CHECK(same(qlinear_matmul(21, shifted, b, floats({}, {1}), float8({}, {0})).one(), float8({1, 1}, {0x01})));
  // To int8: 1.5 -> 2, + 3.
  CHECK(same(qlinear_matmul(21, a, b, floats({}, {1}), int8s({}, {3})).one(), int8s({1, 1}, {5})));
}

TEST_CASE("ConvInteger-10 pads with the zero point") {
  const Tensor x = uint8s({1, 1, 3, 3}, {2, 3, 4, 5, 6, 7, 8, 9, 10}), w = uint8s({1, 1, 2, 2}, {1, 1, 1, 1});
  const auto node = [&] { return NodeUnderTest("ConvInteger", 10).input(x).input(w).input(uint8s({}, {1})); };
  CHECK(same(node().one(), int32s({1, 1, 2, 2}, {12, 16, 24, 28})));
  CHECK(same(node().integers("pads", {1, 1, 1, 1}).one(),
             int32s({1, 1, 4, 4}, {1, 3, 5, 3, 5, 12, 16, 9, 11, 24, 28, 15, 7, 15, 17, 9})));
  CHECK(same(node().attribute("auto_pad", "SAME_UPPER").one(), int32s({1, 1, 3, 3}, {12, 16, 9, 24, 28, 15, 15, 17, 9})));
  CHECK(same(node().attribute("auto_pad", "SAME_LOWER").integers("strides", {2, 2}).one(), int32s({1, 1, 2, 2}, {1, 5, 11, 28})));
  CHECK(same(node().integers("dilations", {2, 2}).one(), int32s({1, 1, 1, 1}, {20})));  // 1 + 3 + 7 + 9
  CHECK(node().attribute("auto_pad", "VALID").integers("pads", {1, 0, 0, 0}).error().starts_with("schema/attribute-conflict"));
  CHECK(node().integers("kernel_shape", {3, 3}).error().starts_with("schema/attribute-value"));
  CHECK(node().attribute("group", 2).error().starts_with("schema/shape-mismatch"));
  CHECK(node().integers("dilations", {3, 3}).error().starts_with("schema/empty-window"));
}

TEST_CASE("ConvInteger-10 groups, one spatial axis, a weight zero point per channel") {
  const Tensor x = uint8s({2, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}), w = int8s({2, 1, 2}, {1, 1, 1, 2});
  CHECK(same(NodeUnderTest("ConvInteger", 10).attribute("group", 2).input(x).input(w).no_input().input(int8s({2}, {0, 1})).one(),
             int32s({2, 2, 2}, {3, 5, 5, 6, 15, 17, 11, 12})));
}

TEST_CASE("QLinearConv-10 rounds first, pads with x_zero_point, scales per channel, adds the bias in 32 bits") {
  const Quantized x{uint8s({1, 1, 1, 1}, {12}), floats({}, {0.25f}), uint8s({}, {10})};
  const Quantized w{uint8s({1, 1, 3, 3}, std::vector<uint8_t>(9, 1)), floats({}, {1}), uint8s({}, {0})};
  // Only the middle tap sees a difference: 2 * 0.25 = 0.5 -> 0, + 1.
  CHECK(same(qlinear_conv(x, w, floats({}, {1}), uint8s({}, {1})).integers("pads", {1, 1, 1, 1}).one(), uint8s({1, 1, 1, 1}, {1})));
  const Quantized line{uint8s({1, 1, 2}, {1, 2}), floats({}, {1}), uint8s({}, {0})};
  const Quantized two{int8s({2, 1, 1}, {1, 1}), floats({2}, {1, 0.5f}), int8s({2}, {0, -1})};
  // Channel 0: 1, 2 (+ 10). Channel 1: weight 2, scale 1/2: 1, 2 (+ -4 * 1/2).
  CHECK(same(qlinear_conv(line, two, floats({}, {1}), int8s({}, {0})).input(int32s({2}, {10, -4})).one(), int8s({1, 2, 2}, {11, 12, -1, 0})));
  CHECK(same(qlinear_conv(line, two, floats({}, {1}), int8s({}, {0})).input(int32s({2}, {INT32_MAX, 0})).one(),
             int8s({1, 2, 2}, {-128, -128, 1, 2})));
  CHECK(qlinear_conv(line, two, floats({}, {1}), int8s({}, {0})).input(int32s({1}, {0})).error().starts_with("schema/shape-mismatch"));
}
