#include "src/run/testing.h"

using namespace onnxv;           // NOLINT
using namespace onnxv::testing;  // NOLINT

namespace {

bool has(const std::string& line, std::string_view part) {
  return line.find(part) != std::string::npos;
}

constexpr float kNan = __builtin_nanf("");

// One unit without memory: Y holds f(x) for each x.
NodeUnderTest function_of(std::vector<float> x, const char* function) {
  const int64_t count = static_cast<int64_t>(x.size());
  NodeUnderTest node("RNN", 14);
  node.texts("activations", {function}).attribute("hidden_size", 1);
  node.input(floats({1, count, 1}, std::move(x)))
      .input(floats({1, 1, 1}, {1}))
      .input(floats({1, 1, 1}, {0}));
  return node;
}
Tensor as_y(std::vector<float> values) {
  const int64_t count = static_cast<int64_t>(values.size());
  return floats({1, 1, count, 1}, std::move(values));
}

// Two steps of one unit: h = relu(x0 + 2 x1 + h / 2).
NodeUnderTest two_steps(int64_t opset) {
  NodeUnderTest node("RNN", opset);
  node.texts("activations", {"Relu"}).attribute("hidden_size", 1).outputs(2);
  node.input(floats({2, 1, 2}, {1, 1, 2, -1}))
      .input(floats({1, 1, 2}, {1, 2}))
      .input(floats({1, 1, 1}, {0.5f}));
  return node;
}

// Two units, R = [[0, 1], [0, 0]]: the first takes what the second was.
NodeUnderTest crossing(int64_t opset) {
  NodeUnderTest node("RNN", opset);
  node.texts("activations", {"Relu"}).attribute("hidden_size", 2).outputs(2);
  node.input(floats({2, 1, 1}, {1, 0}))
      .input(floats({1, 2, 1}, {1, 2}))
      .input(floats({1, 2, 2}, {0, 1, 0, 0}));
  return node;
}

}  // namespace

TEST_CASE("RNN-1 carries the state from step to step") {
  NodeUnderTest node = two_steps(1);
  CHECK(same(node.output(0), floats({2, 1, 1, 1}, {3, 1.5f})));
  CHECK(same(node.output(1), floats({1, 1, 1}, {1.5f})));
}

TEST_CASE("RNN-1 multiplies the state by R transposed, though its text does not write it") {
  CHECK(same(crossing(1).output(1), floats({1, 1, 2}, {2, 0})));
}

TEST_CASE("RNN-7 multiplies the state by R transposed") {
  NodeUnderTest node = crossing(7);
  CHECK(same(node.output(0), floats({2, 1, 1, 2}, {1, 2, 2, 0})));
  CHECK(same(node.output(1), floats({1, 1, 2}, {2, 0})));
}

TEST_CASE("RNN-7 adds both biases, starts from initial_h and defaults to Tanh") {
  NodeUnderTest node("RNN", 7);
  node.attribute("hidden_size", 1).outputs(2);
  node.input(floats({1, 1, 1}, {0})).input(floats({1, 1, 1}, {5})).input(floats({1, 1, 1}, {2}));
  node.input(floats({1, 2}, {0.25f, 0.5f})).no_input().input(floats({1, 1, 1}, {0.125f}));
  // tanh(2/8 + 1/4 + 1/2) = tanh(1)
  CHECK(same(node.output(1), floats({1, 1, 1}, {0.761594155955764888f})));
}

TEST_CASE("RNN-14 sees the batch first with layout 1") {
  NodeUnderTest node("RNN", 14);
  node.texts("activations", {"Relu"}).attribute("layout", 1).outputs(2);
  // Two sequences of two steps: h = x + h / 2.
  node.input(floats({2, 2, 1}, {1, 2, 10, 20}))
      .input(floats({1, 1, 1}, {1}))
      .input(floats({1, 1, 1}, {0.5f}));
  node.no_input().no_input().input(floats({2, 1, 1}, {2, 4}));
  CHECK(same(node.output(0), floats({2, 2, 1, 1}, {2, 3, 12, 26})));
  CHECK(same(node.output(1), floats({2, 1, 1}, {3, 26})));
}

TEST_CASE("RNN-14 runs each direction over the steps that a sequence has") {
  NodeUnderTest node("RNN", 14);
  node.texts("activations", {"Relu", "Relu"}).attribute("direction", "bidirectional").outputs(2);
  // Three steps, sequences of three and two: forward h = x + h / 2, backward h = x + h.
  node.input(floats({3, 2, 1}, {1, 2, 4, 4, 8, 99})).input(floats({2, 1, 1}, {1, 1}));
  node.input(floats({2, 1, 1}, {0.5f, 1})).no_input().input(int32s({2}, {3, 2}));
  CHECK(same(node.output(0), floats({3, 2, 2, 1}, {1, 2, 13, 6, 4.5f, 5, 12, 4, 10.25f, 0, 8, 0})));
  CHECK(same(node.output(1), floats({2, 2, 1}, {10.25f, 5, 13, 6})));
  REQUIRE(node.unspecified().size() == 1);
  CHECK(node.unspecified()[0].slug == "sequence-end");
  CHECK(node.unspecified()[0].elements == std::vector<uint8_t>{0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1});
}

TEST_CASE("RNN-14 leaves the state of an empty sequence as it was") {
  NodeUnderTest node("RNN", 14);
  node.outputs(2)
      .input(floats({1, 1, 1}, {7}))
      .input(floats({1, 1, 1}, {1}))
      .input(floats({1, 1, 1}, {1}));
  node.no_input().input(int32s({1}, {0})).input(floats({1, 1, 1}, {5}));
  CHECK(same(node.output(0), floats({1, 1, 1, 1}, {0})));
  CHECK(same(node.output(1), floats({1, 1, 1}, {5})));
  CHECK(node.unspecified().size() == 2);

  NodeUnderTest no_steps("RNN", 14);
  no_steps.outputs(2)
      .input(floats({0, 1, 1}, {}))
      .input(floats({1, 1, 1}, {1}))
      .input(floats({1, 1, 1}, {1}));
  no_steps.no_input().no_input().input(floats({1, 1, 1}, {5}));
  CHECK(same(no_steps.output(0), floats({0, 1, 1, 1}, {})));
  CHECK(same(no_steps.output(1), floats({1, 1, 1}, {5})));
}

TEST_CASE("RNN-22 rounds the state at every step") {
  NodeUnderTest node("RNN", 22);
  node.texts("activations", {"Relu"}).outputs(2);
  const auto bf16 = [](Shape shape, std::vector<double> values) {
    return numbers(DType::kBfloat16, std::move(shape), std::move(values));
  };
  // 256 + 1 lies between the neighbours 256 and 258, twice: unrounded, the second sum would be 258.
  node.input(bf16({3, 1, 1}, {256, 1, 1})).input(bf16({1, 1, 1}, {1})).input(bf16({1, 1, 1}, {1}));
  CHECK(same(node.output(0), bf16({3, 1, 1, 1}, {256, 256, 256})));
}

TEST_CASE("RNN-14 knows eleven activations, by any case of their names") {
  CHECK(same(function_of({-1, 2, kNan}, "relu").one(), as_y({0, 2, kNan})));
  CHECK(same(function_of({1}, "TANH").one(), as_y({0.761594155955764888f})));
  CHECK(same(function_of({0, 1}, "Sigmoid").one(), as_y({0.5f, 0.731058578630004879f})));
  CHECK(same(function_of({3}, "Affine").one(), as_y({3})));
  CHECK(same(
      function_of({3}, "Affine").reals("activation_alpha", {2}).reals("activation_beta", {1}).one(),
      as_y({7})));
  CHECK(same(function_of({-2, 3}, "LeakyRelu").one(), as_y({-0.02f, 3})));
  CHECK(same(function_of({1, 0.5f, kNan}, "ThresholdedRelu").one(), as_y({1, 0, 0})));
  CHECK(same(function_of({2}, "ScaledTanh")
                 .reals("activation_alpha", {2})
                 .reals("activation_beta", {0.5f})
                 .one(),
             as_y({1.523188311911529776f})));
  CHECK(same(function_of({0, 5, -5}, "HardSigmoid").one(), as_y({0.5f, 1, 0})));
  CHECK(same(function_of({2, -1}, "Elu").one(), as_y({2, -0.632120558828557678f})));
  CHECK(same(function_of({-3}, "Softsign").one(), as_y({-0.75f})));
  CHECK(same(function_of({0}, "Softplus").one(), as_y({0.693147180559945309f})));
}

TEST_CASE("RNN-14 clips what an activation sees") {
  CHECK(same(function_of({3, -3, 0.5f}, "Affine").attribute("clip", 1.0f).one(),
             as_y({1, -1, 0.5f})));
  CHECK(same(function_of({3, -3}, "Affine").attribute("clip", 0.0f).one(), as_y({0, 0})));
  CHECK(has(function_of({3}, "Affine").attribute("clip", -1.0f).error(), "schema/attribute-range"));
}

TEST_CASE("RNN-14 refuses what its text does not define") {
  CHECK(has(function_of({1}, "ScaledTanh").error(), "undefined/attribute-missing"));
  CHECK(has(function_of({1}, "Gelu").error(), "schema/attribute-value"));
  CHECK(has(function_of({1}, "Relu").attribute("direction", "foward").error(),
            "schema/attribute-value"));
  CHECK(has(function_of({1}, "Relu").attribute("layout", 2).error(), "schema/attribute-value"));
  CHECK(has(function_of({1}, "Relu").no_input().input(int32s({1}, {2})).error(),
            "undefined/input-range"));
  CHECK(has(function_of({1}, "Relu").no_input().input(int32s({2}, {1, 1})).error(),
            "schema/shape-mismatch"));
  NodeUnderTest narrow("RNN", 14);
  narrow.attribute("hidden_size", 2).input(floats({1, 1, 1}, {1})).input(floats({1, 1, 1}, {1}));
  CHECK(has(narrow.input(floats({1, 1, 1}, {0})).error(), "schema/attribute-value"));
}
