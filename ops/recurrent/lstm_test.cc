#include "src/run/testing.h"

using namespace onnxv;           // NOLINT
using namespace onnxv::testing;  // NOLINT

namespace {

bool has(const std::string& line, std::string_view part) {
  return line.find(part) != std::string::npos;
}

// One unit and one step, every function the identity; x = 1 and C_0 = 2: i = 1, o = 2, f = 3, c
// = 4.
NodeUnderTest one_step(int64_t opset) {
  NodeUnderTest node("LSTM", opset);
  node.texts("activations", {"Affine", "Affine", "Affine"}).attribute("hidden_size", 1).outputs(3);
  node.input(floats({1, 1, 1}, {1}))
      .input(floats({1, 4, 1}, {1, 2, 3, 4}))
      .input(floats({1, 4, 1}, {0, 0, 0, 0}));
  node.no_input().no_input().no_input().input(floats({1, 1, 1}, {2}));
  return node;
}

// All weights 0: every gate is 1/2 and the candidate 0, so that the cell halves at each step.
NodeUnderTest halving(int64_t opset) {
  NodeUnderTest node("LSTM", opset);
  node.attribute("hidden_size", 1).outputs(3);
  node.input(floats({2, 1, 1}, {1, 2}))
      .input(floats({1, 4, 1}, {0, 0, 0, 0}))
      .input(floats({1, 4, 1}, {0, 0, 0, 0}));
  return node;
}

}  // namespace

TEST_CASE("LSTM-1 gates a cell") {
  // C = 3 * 2 + 1 * 4, H = 2 C.
  NodeUnderTest node = one_step(1);
  CHECK(same(node.output(0), floats({1, 1, 1, 1}, {20})));
  CHECK(same(node.output(1), floats({1, 1, 1}, {20})));
  CHECK(same(node.output(2), floats({1, 1, 1}, {10})));
}

TEST_CASE("LSTM-7 shows i and f the old cell and o the new one") {
  // i = 1 + 2, f = 3 - 2, C = 1 * 2 + 3 * 4 = 14, o = 2 + 14.
  NodeUnderTest node = one_step(7);
  node.input(floats({1, 3}, {1, 1, -1}));
  CHECK(same(node.output(1), floats({1, 1, 1}, {224})));
  CHECK(same(node.output(2), floats({1, 1, 1}, {14})));
}

TEST_CASE("LSTM-7 couples the forget gate to the input gate") {
  // f = 1 - i = 0: C = 4, H = 8.
  NodeUnderTest node = one_step(7);
  node.attribute("input_forget", 1);
  CHECK(same(node.output(1), floats({1, 1, 1}, {8})));
  CHECK(same(node.output(2), floats({1, 1, 1}, {4})));
}

TEST_CASE("LSTM-7 clips the input of every activation, and no state") {
  // f and c see 2: C = 2 * 2 + 1 * 2 = 6; h sees 2: H = 2 * 2.
  NodeUnderTest node = one_step(7);
  node.attribute("clip", 2.0f);
  CHECK(same(node.output(1), floats({1, 1, 1}, {4})));
  CHECK(same(node.output(2), floats({1, 1, 1}, {6})));
}

TEST_CASE("LSTM-7 defaults to Sigmoid, Tanh and Tanh") {
  NodeUnderTest node = halving(7);
  node.no_input().no_input().no_input().input(floats({1, 1, 1}, {4}));
  // tanh(2) / 2 and tanh(1) / 2.
  CHECK(same(node.output(0), floats({2, 1, 1, 1}, {0.482013790037908442f, 0.380797077977882444f})));
  CHECK(same(node.output(2), floats({1, 1, 1}, {1})));
}

TEST_CASE("LSTM-7 adds both biases of each gate") {
  NodeUnderTest node("LSTM", 7);
  node.texts("activations", {"Affine", "Affine", "Affine"}).attribute("hidden_size", 1).outputs(3);
  node.input(floats({1, 1, 1}, {1}))
      .input(floats({1, 4, 1}, {0, 0, 0, 0}))
      .input(floats({1, 4, 1}, {0, 0, 0, 0}));
  // i = 1 + 2, o = 3 + 4, f = 5 + 6, c = 7 + 8, without a cell before.
  node.input(floats({1, 8}, {1, 3, 5, 7, 2, 4, 6, 8}));
  CHECK(same(node.output(2), floats({1, 1, 1}, {45})));
  CHECK(same(node.output(1), floats({1, 1, 1}, {315})));
}

TEST_CASE(
    "LSTM-14 consumes parameters by those functions alone that take them, in both directions") {
  NodeUnderTest node("LSTM", 14);
  node.texts("activations", {"Affine", "Relu", "Affine", "Affine", "Relu", "LeakyRelu"});
  node.reals("activation_alpha", {2, 3, 4, 0.5f}).reals("activation_beta", {1, 0, 0});
  node.attribute("direction", "bidirectional").attribute("layout", 1).outputs(3);
  // x = -1 and every weight 1. Forward: f(-1) = -2 + 1 = -1 and g(-1) = 0, so C = -1 C_0 and H = -1
  // * 3 C. Backward: f(-1) = -4: C = -4 C_0, H = -4 * (C / 2 if C is negative).
  node.input(floats({1, 1, 1}, {-1})).input(floats({2, 4, 1}, {1, 1, 1, 1, 1, 1, 1, 1}));
  node.input(floats({2, 4, 1}, {0, 0, 0, 0, 0, 0, 0, 0})).no_input().no_input().no_input();
  node.input(floats({1, 2, 1}, {2, 2}));
  CHECK(same(node.output(0), floats({1, 1, 2, 1}, {6, 16})));
  CHECK(same(node.output(1), floats({1, 2, 1}, {6, 16})));
  CHECK(same(node.output(2), floats({1, 2, 1}, {-2, -8})));
}

TEST_CASE("LSTM-14 keeps the states of a sequence that ended") {
  NodeUnderTest node = halving(14);
  node.no_input().input(int32s({1}, {1})).no_input().input(floats({1, 1, 1}, {4}));
  CHECK(same(node.output(0), floats({2, 1, 1, 1}, {0.482013790037908442f, 0})));
  CHECK(same(node.output(1), floats({1, 1, 1}, {0.482013790037908442f})));
  CHECK(same(node.output(2), floats({1, 1, 1}, {2})));
}

TEST_CASE("LSTM-22 rounds the cell before its own step sees it") {
  const auto f16 = [](Shape shape, std::vector<double> values) {
    return numbers(DType::kFloat16, std::move(shape), std::move(values));
  };
  NodeUnderTest node("LSTM", 22);
  node.texts("activations", {"Affine", "Affine", "Affine"}).outputs(3);
  // C = 1 * 2048 + 1 * 1 = 2049 rounds to 2048; o = -2047 + C is 1 then, not 2.
  node.input(f16({1, 1, 1}, {1}))
      .input(f16({1, 4, 1}, {1, -2047, 1, 1}))
      .input(f16({1, 4, 1}, {0, 0, 0, 0}));
  node.no_input().no_input().no_input().input(f16({1, 1, 1}, {2048})).input(f16({1, 3}, {0, 1, 0}));
  CHECK(same(node.output(2), f16({1, 1, 1}, {2048})));
  CHECK(same(node.output(1), f16({1, 1, 1}, {2048})));
}

TEST_CASE("LSTM-14 refuses shapes that do not fit") {
  CHECK(has(one_step(14).input(floats({1, 2}, {1, 1})).error(), "schema/shape-mismatch"));
  CHECK(has(halving(14).input(floats({1, 4}, {0, 0, 0, 0})).error(), "schema/shape-mismatch"));
  CHECK(has(halving(14).attribute("input_forget", 1).texts("activations", {"Tanh"}).error(),
            "schema/attribute-value"));
}

TEST_CASE("LSTM-22 finds the sign of a difference of gates that vanish") {
  // C = sigmoid(f) * 1 + sigmoid(i) * tanh(-1), with sigmoid(-x) as good as e^-x: the smaller x decides.
  const auto cell = [](double i, double f) {
    NodeUnderTest node("LSTM", 22);
    node.attribute("hidden_size", 1).outputs(3);
    node.input(doubles({1, 1, 1}, {1})).input(doubles({1, 4, 1}, {i, 0, f, -1})).input(doubles({1, 4, 1}, {0, 0, 0, 0}));
    node.no_input().no_input().no_input().input(doubles({1, 1, 1}, {1}));
    return node.output(2);
  };
  CHECK(same(cell(-5e179, -1e95), doubles({1, 1, 1}, {0.0})));
  CHECK(same(cell(-1e95, -5e179), doubles({1, 1, 1}, {-0.0})));
  CHECK(same(cell(-1e95, -1e95), doubles({1, 1, 1}, {0.0})));  // 1 - 0.76
}
