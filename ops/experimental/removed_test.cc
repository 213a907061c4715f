#include "src/run/testing.h"

namespace onnxv::testing {
namespace {

TEST_CASE("Affine-1, Scale-1: absent attributes change nothing") {
  CHECK(same(NodeUnderTest("Affine", 1).attribute("alpha", 2.0f).attribute("beta", 1.0f).input(floats({2}, {3, -1})).one(), floats({2}, {7, -1})));
  CHECK(same(NodeUnderTest("Affine", 1).input(floats({1}, {3})).one(), floats({1}, {3})));
  CHECK(same(NodeUnderTest("Scale", 1).attribute("scale", 0.5f).input(floats({1}, {3})).one(), floats({1}, {1.5f})));
}

TEST_CASE("ScaledTanh-1, ParametricSoftplus-1: both attributes are needed") {
  CHECK(same(NodeUnderTest("ScaledTanh", 1).attribute("alpha", 2.0f).attribute("beta", 100.0f).input(floats({2}, {0, 1})).one(), floats({2}, {0, 2})));
  CHECK(NodeUnderTest("ScaledTanh", 1).attribute("alpha", 2.0f).input(floats({1}, {0})).error().find("schema/attribute-missing") == 0);
  // 2 ln(e^0 + 1) = 2 ln 2.
  CHECK(same(NodeUnderTest("ParametricSoftplus", 1).attribute("alpha", 2.0f).attribute("beta", 1.0f).input(floats({2}, {0, 200})).one(), floats({2}, {1.38629436f, 400})));
}

TEST_CASE("ImageScaler-1: one bias per channel") {
  CHECK(same(NodeUnderTest("ImageScaler", 1).attribute("scale", 2.0f).reals("bias", {1, 10}).input(floats({1, 2, 1, 1}, {3, 4})).one(), floats({1, 2, 1, 1}, {7, 18})));
  CHECK(NodeUnderTest("ImageScaler", 1).reals("bias", {1}).input(floats({1, 2, 1, 1}, {3, 4})).error().find("schema/attribute-value") == 0);
}

TEST_CASE("FC-1: Y = X W^T + b over flattened operands") {
  CHECK(same(NodeUnderTest("FC", 1).input(floats({1, 2}, {1, 2})).input(floats({3, 2}, {1, 0, 0, 1, 1, 1})).input(floats({3}, {10, 20, 30})).one(),
             floats({1, 3}, {11, 22, 33})));
}

TEST_CASE("GRUUnit-1: an ended sequence keeps its state") {
  // update 0: z = 1/2; output 0: tanh = 0; so h = h_prev / 2 while the sequence lasts.
  NodeUnderTest node("GRUUnit", 1);
  node.input(floats({1, 2, 1}, {4, 6})).input(floats({1, 2, 3}, {9, 0, 0, 9, 0, 0})).input(floats({2}, {3, 1})).input(floats({1}, {1}));
  CHECK(same(node.one(), floats({1, 2, 1}, {2, 6})));
}

TEST_CASE("ATen-1 has no meaning in ONNX") {
  CHECK(NodeUnderTest("ATen", 1).input(floats({1}, {1})).error().find("undefined/not-evaluable") == 0);
}

}  // namespace
}  // namespace onnxv::testing
