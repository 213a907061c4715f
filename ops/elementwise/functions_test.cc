// Expected values are exact by arithmetic (0, 1, powers of two) or read off tables of the functions to 9 digits.
#include "src/run/testing.h"

namespace onnxv::testing {
namespace {

constexpr float kInfinity = __builtin_inff(), kNaN = __builtin_nanf("");

Tensor run(const char* op, int64_t opset, Tensor x) { return NodeUnderTest(op, opset).input(x).one(); }

void check_each(const char* op, std::vector<int64_t> versions, std::vector<float> x, std::vector<float> y) {
  const Shape shape{static_cast<int64_t>(x.size())};
  for (const int64_t version : versions) {
    CAPTURE(op);
    CAPTURE(version);
    CHECK(same(run(op, version, floats(shape, x)), floats(shape, y)));
  }
}

TEST_CASE("Abs-1, Abs-6, Abs-13: the sign goes, -0 too") {
  check_each("Abs", {1, 6, 13}, {-1.5f, -0.0f, 2, -kInfinity, kNaN}, {1.5f, 0, 2, kInfinity, kNaN});
  CHECK(same(run("Abs", 13, int8s({3}, {-128, -3, 4})), int8s({3}, {-128, 3, 4})));
}

TEST_CASE("Neg-1, Neg-6, Neg-13") {
  check_each("Neg", {1, 6, 13}, {1.5f, 0, -0.0f}, {-1.5f, -0.0f, 0});
  CHECK(same(run("Neg", 6, int32s({2}, {INT32_MIN, 7})), int32s({2}, {INT32_MIN, -7})));
}

TEST_CASE("Reciprocal-1, Reciprocal-6, Reciprocal-13") {
  check_each("Reciprocal", {1, 6, 13}, {4, -0.0f, 0, kInfinity}, {0.25f, -kInfinity, kInfinity, 0});
}

TEST_CASE("Sqrt-1, Sqrt-6, Sqrt-13") {
  check_each("Sqrt", {1, 6, 13}, {2.25f, -0.0f, -1, kInfinity, 2}, {1.5f, -0.0f, kNaN, kInfinity, 1.41421354f});
}

TEST_CASE("Exp-1, Exp-6, Exp-13") {
  check_each("Exp", {1, 6, 13}, {0, 1, -1, 89, -kInfinity, -104}, {1, 2.71828183f, 0.367879441f, kInfinity, 0, 0});
}

TEST_CASE("Log-1, Log-6, Log-13") {
  check_each("Log", {1, 6, 13}, {1, 0, -0.0f, -1, 2, kInfinity}, {0, -kInfinity, -kInfinity, kNaN, 0.693147182f, kInfinity});
}

TEST_CASE("Floor-1, Floor-6, Floor-13") {
  check_each("Floor", {1, 6, 13}, {-0.5f, 1.5f, -0.0f, kInfinity}, {-1, 1, -0.0f, kInfinity});
}

TEST_CASE("Ceil-1, Ceil-6, Ceil-13: a zero keeps the sign of its argument") {
  check_each("Ceil", {1, 6, 13}, {-0.5f, 1.5f, 0}, {-0.0f, 2, 0});
}

TEST_CASE("Round-11, Round-22: ties to even") {
  check_each("Round", {11, 22}, {0.5f, 1.5f, 2.5f, -0.3f, -1.5f}, {0, 2, 2, -0.0f, -2});
}

TEST_CASE("Tanh-1, Tanh-6, Tanh-13") {
  check_each("Tanh", {1, 6, 13}, {0, -0.0f, 1, -kInfinity, 20}, {0, -0.0f, 0.761594176f, -1, 1});
}

TEST_CASE("Sigmoid-1, Sigmoid-6, Sigmoid-13: far below 0 the value is e^x") {
  check_each("Sigmoid", {1, 6, 13}, {0, kInfinity, -kInfinity, 1}, {0.5f, 1, 0, 0.731058598f});
  // e^-100 = 3.72007598e-44: 27 of float32's smallest steps, 1.40129846e-45 each (26.547…).
  CHECK(run("Sigmoid", 13, floats({1}, {-100})).code(0) == 27);
}

TEST_CASE("Erf-9, Erf-13: integers go through the nearest double and are truncated") {
  check_each("Erf", {9, 13}, {0, 1, -kInfinity}, {0, 0.842700779f, -1});
  CHECK(same(run("Erf", 9, int32s({4}, {0, 1, 6, -6})), int32s({4}, {0, 0, 1, -1})));
}

TEST_CASE("Sign-9, Sign-13: NaN propagates, zeros give +0") {
  check_each("Sign", {9, 13}, {-2, 0, -0.0f, 3, kNaN}, {-1, 0, 0, 1, kNaN});
  CHECK(same(run("Sign", 9, uint8s({2}, {0, 200})), uint8s({2}, {0, 1})));
}

TEST_CASE("Relu-1, Relu-6, Relu-13, Relu-14") {
  check_each("Relu", {1, 6, 13, 14}, {-1, 2, kNaN, kInfinity}, {0, 2, kNaN, kInfinity});
  CHECK(same(run("Relu", 14, int8s({2}, {-5, 5})), int8s({2}, {0, 5})));
}

TEST_CASE("Elu-1, Elu-6, Elu-22: alpha (e^x - 1) below 0") {
  check_each("Elu", {1, 6, 22}, {2, -0.0f, -1, -kInfinity}, {2, -0.0f, -0.632120550f, -1});
  CHECK(same(NodeUnderTest("Elu", 6).attribute("alpha", 2.0f).input(floats({1}, {-kInfinity})).one(), floats({1}, {-2})));
}

TEST_CASE("Selu-1: its own defaults; Selu-6, Selu-22") {
  // alpha = 1.6732f, gamma = 1.0507f: at -inf -alpha * gamma = -1.758031167…
  CHECK(same(run("Selu", 1, floats({3}, {1, -0.0f, -kInfinity})), floats({3}, {1.0507f, 0, -1.75803113f})));
  check_each("Selu", {6, 22}, {1, -0.0f}, {1.05070102f, 0});
}

TEST_CASE("LeakyRelu-1, LeakyRelu-6, LeakyRelu-16") {
  check_each("LeakyRelu", {1, 6, 16}, {3, -0.0f, kNaN}, {3, -0.0f, kNaN});
  for (const int64_t version : {1, 6, 16}) {
    CHECK(same(NodeUnderTest("LeakyRelu", version).attribute("alpha", 0.25f).input(floats({2}, {-2, -4})).one(),
               floats({2}, {-0.5f, -1})));
  }
}

TEST_CASE("HardSigmoid-1, HardSigmoid-6, HardSigmoid-22: NaN is not clamped") {
  for (const int64_t version : {1, 6, 22}) {
    CHECK(same(NodeUnderTest("HardSigmoid", version).attribute("alpha", 0.5f).attribute("beta", 0.25f)
                   .input(floats({4}, {1, -2, 5, kNaN})).one(),
               floats({4}, {0.75f, 0, 1, kNaN})));
  }
}

TEST_CASE("ThresholdedRelu-1, ThresholdedRelu-10, ThresholdedRelu-22: strictly above alpha, which is 1") {
  check_each("ThresholdedRelu", {1, 10, 22}, {1, 1.5f, -3, kNaN}, {0, 1.5f, 0, 0});
}

TEST_CASE("Celu-12: the text, not the function body, for a negative alpha") {
  // max(0, 5) + min(0, -1 (e^-5 - 1)) = 5.
  CHECK(same(NodeUnderTest("Celu", 12).attribute("alpha", -1.0f).input(floats({1}, {5})).one(), floats({1}, {5})));
  check_each("Celu", {12}, {2, -kInfinity}, {2, -1});
}

TEST_CASE("Gelu-20: the tail below 0 keeps its digits; unknown approximations are refused") {
  check_each("Gelu", {20}, {0, -0.0f, -kInfinity, kInfinity}, {0, -0.0f, kNaN, kInfinity});
  // -5/2 · erfc(5/sqrt 2) = -2.5 · 5.73303143758389e-7 = -1.43325786e-6.
  check_each("Gelu", {20}, {-5}, {-1.43325786e-06f});
  CHECK(NodeUnderTest("Gelu", 20).attribute("approximate", "fast").input(floats({1}, {1})).error().find("schema/attribute-value") == 0);
}

TEST_CASE("Swish-24, Mish-18, Mish-22, HardSwish-14, HardSwish-22, Softplus-1, Softplus-22, Softsign-1, Softsign-22: at -inf the literal formula") {
  check_each("Swish", {24}, {0, -kInfinity}, {0, kNaN});
  check_each("Mish", {18, 22}, {0, -kInfinity, kInfinity}, {0, kNaN, kInfinity});
  check_each("HardSwish", {14, 22}, {3, -3, -kInfinity}, {3, -0.0f, kNaN});
  check_each("Softplus", {1, 22}, {1000, -kInfinity, 0}, {1000, 0, 0.693147182f});
  check_each("Softsign", {1, 22}, {1, -3, kInfinity}, {0.5f, -0.75f, kNaN});
}

TEST_CASE("SwiGLU-28: no broadcasting") {
  CHECK(same(NodeUnderTest("SwiGLU", 28).input(floats({2}, {0, 0})).input(floats({2}, {3, 4})).one(), floats({2}, {0, 0})));
  CHECK(NodeUnderTest("SwiGLU", 28).input(floats({2}, {0, 0})).input(floats({1}, {3})).error().find("schema/shape-mismatch") == 0);
}

TEST_CASE("Shrink-9: NaN gives 0, integers are truncated and wrap") {
  CHECK(same(NodeUnderTest("Shrink", 9).attribute("lambd", 1.0f).attribute("bias", 0.5f).input(floats({4}, {-2, 2, 1, kNaN})).one(),
             floats({4}, {-1.5f, 1.5f, 0, 0})));
  CHECK(same(NodeUnderTest("Shrink", 9).attribute("lambd", 1.0f).attribute("bias", 1.5f).input(int32s({2}, {3, -3})).one(),
             int32s({2}, {1, -1})));
}

TEST_CASE("PRelu-1, PRelu-6: a slope per channel; PRelu-7, PRelu-9, PRelu-16: broadcast to X") {
  const Tensor x = floats({1, 2, 2}, {-1, 1, -2, 2});
  for (const int64_t version : {1, 6}) {
    CHECK(same(NodeUnderTest("PRelu", version).input(x).input(floats({2}, {2, 3})).one(), floats({1, 2, 2}, {-2, 1, -6, 2})));
  }
  for (const int64_t version : {7, 9, 16}) {
    CHECK(same(NodeUnderTest("PRelu", version).input(x).input(floats({2}, {2, 3})).one(), floats({1, 2, 2}, {-2, 1, -4, 2})));
  }
  CHECK(NodeUnderTest("PRelu", 16).input(x).input(floats({3}, {1, 2, 3})).error().find("schema/shape-mismatch") == 0);
}

TEST_CASE("Selu-1, Selu-6, Selu-22: the difference alpha e^x - alpha is +0 at both zeros, NaN where alpha is infinite") {
  for (const int64_t version : {1, 6, 22}) {
    CHECK(same(NodeUnderTest("Selu", version).attribute("gamma", -1.0f).input(floats({2}, {0, -0.0f})).one(), floats({2}, {-0.0f, -0.0f})));
    CHECK(same(NodeUnderTest("Selu", version).attribute("alpha", __builtin_inff()).attribute("gamma", 1.0f).input(floats({2}, {-1, 2})).one(),
               floats({2}, {__builtin_nanf(""), 2})));
  }
}

TEST_CASE("Shrink-9: integers with attributes that are no finite numbers") {
  const auto shrink = [](float bias, float lambd) {
    return NodeUnderTest("Shrink", 9).attribute("bias", bias).attribute("lambd", lambd).input(int32s({3}, {-3, 0, 3}));
  };
  CHECK(same(shrink(1, __builtin_nanf("")).one(), int32s({3}, {0, 0, 0})));
  CHECK(same(shrink(1, __builtin_inff()).one(), int32s({3}, {0, 0, 0})));
  CHECK(same(shrink(1, -__builtin_inff()).one(), int32s({3}, {-2, 1, 4})));  // every x is below +infinity
}

}  // namespace
}  // namespace onnxv::testing
