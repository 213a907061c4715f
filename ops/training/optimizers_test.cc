#include "src/run/testing.h"

namespace onnxv::testing {
namespace {

constexpr const char* kDomain = "ai.onnx.preview.training";

TEST_CASE("Adagrad-1: x - r g / (sqrt(h + g^2) + epsilon)") {
  NodeUnderTest node("Adagrad", 1, kDomain);
  node.attribute("epsilon", 0.0f).input(floats({}, {1})).input(int64s({}, {0})).input(floats({1}, {10})).input(floats({1}, {3})).input(floats({1}, {16})).outputs(2);
  CHECK(same(node.one(), floats({1}, {9.4f})));  // 10 - 3 / 5
  CHECK(same(node.output(1), floats({1}, {25})));
}

TEST_CASE("Adam-1: T = 0 leaves the rate alone") {
  NodeUnderTest node("Adam", 1, kDomain);
  node.attribute("alpha", 0.5f).attribute("beta", 0.5f).attribute("epsilon", 0.0f);
  node.input(floats({}, {1})).input(int64s({}, {0})).input(floats({1}, {10})).input(floats({1}, {4})).input(floats({1}, {0})).input(floats({1}, {16})).outputs(3);
  CHECK(same(node.one(), floats({1}, {9.5f})));  // 10 - 2 / sqrt(8 + 8)
  CHECK(same(node.output(1), floats({1}, {2})));
  CHECK(same(node.output(2), floats({1}, {16})));
}

TEST_CASE("Momentum-1: standard and nesterov") {
  const auto node = [](const char* mode) {
    NodeUnderTest node("Momentum", 1, kDomain);
    node.attribute("alpha", 0.5f).attribute("beta", 0.25f).attribute("norm_coefficient", 0.0f).attribute("mode", mode);
    node.input(floats({}, {1})).input(int64s({}, {1})).input(floats({1}, {10})).input(floats({1}, {4})).input(floats({1}, {2})).outputs(2);
    return node;
  };
  NodeUnderTest standard = node("standard"), nesterov = node("nesterov");
  CHECK(same(standard.one(), floats({1}, {8})));   // v = 1 + 1
  CHECK(same(standard.output(1), floats({1}, {2})));
  CHECK(same(nesterov.one(), floats({1}, {5})));   // 10 - (4 + 0.5 * 2)
  CHECK(node("other").error().find("schema/attribute-value") == 0);
}

}  // namespace
}  // namespace onnxv::testing
