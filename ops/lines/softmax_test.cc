#include "src/run/fast_paths.h"

namespace onnxv::testing {
namespace {

constexpr float kInfinity = __builtin_inff(), kNaN = __builtin_nanf("");

TEST_CASE("Softmax-1, Softmax-11: a line is everything from axis on") {
  const Tensor x = floats({1, 2, 2}, {0, 0, 0, 0});
  for (const int64_t version : {1, 11}) {
    CHECK(same(NodeUnderTest("Softmax", version).input(x).one(), floats({1, 2, 2}, {0.25f, 0.25f, 0.25f, 0.25f})));
    CHECK(NodeUnderTest("Softmax", version).input(floats({2}, {0, 0})).error().find("schema/attribute-range") == 0);
  }
}

TEST_CASE("Softmax-13: along axis alone; infinities by the text's formula") {
  CHECK(same(NodeUnderTest("Softmax", 13).input(floats({1, 2, 2}, {0, 0, 0, 0})).one(), floats({1, 2, 2}, {0.5f, 0.5f, 0.5f, 0.5f})));
  CHECK(same(NodeUnderTest("Softmax", 13).attribute("axis", 0).input(floats({2, 1}, {5, -kInfinity})).one(), floats({2, 1}, {1, 0})));
  CHECK(same(NodeUnderTest("Softmax", 13).input(floats({2}, {kInfinity, 1})).one(), floats({2}, {kNaN, 0})));
  CHECK(same(NodeUnderTest("Softmax", 13).input(floats({2}, {-kInfinity, -kInfinity})).one(), floats({2}, {kNaN, kNaN})));
  CHECK(same(NodeUnderTest("Softmax", 13).input(floats({0}, {})).one(), floats({0}, {})));
}

// The rows behind the erratum of test_attention_4d_causal_fp16_expanded, whose data round inside the node. By mpmath:
// 1 / (1 + e^-0.236083984375) = 0.558748…, its complement 0.441252…; the row of three 0.334826…, 0.252123…, 0.413051….
TEST_CASE("Softmax-13: float16 rounds once, not after each step") {
  CHECK(same(NodeUnderTest("Softmax", 13).input(numbers(DType::kFloat16, {2}, {0.63427734375, 0.398193359375})).one(),
             numbers(DType::kFloat16, {2}, {0.55859375, 0.441162109375})));
  CHECK(same(NodeUnderTest("Softmax", 13).input(numbers(DType::kFloat16, {3}, {0.9140625, 0.63037109375, 1.1240234375})).one(),
             numbers(DType::kFloat16, {3}, {0.334716796875, 0.252197265625, 0.4130859375})));
}

TEST_CASE("LogSoftmax-1, LogSoftmax-11: flattened from axis on") {
  const float quarter = -1.38629436f;  // -ln 4
  for (const int64_t version : {1, 11}) {
    CHECK(same(NodeUnderTest("LogSoftmax", version).input(floats({1, 2, 2}, {7, 7, 7, 7})).one(),
               floats({1, 2, 2}, {quarter, quarter, quarter, quarter})));
  }
}

TEST_CASE("LogSoftmax-13: finite however far apart; the whole row is NaN beside +inf") {
  // The dominating entry is -ln(1 + e^-2e38): a negative number that underflows.
  CHECK(same(NodeUnderTest("LogSoftmax", 13).input(floats({2}, {1e38f, -1e38f})).one(), floats({2}, {-0.0f, -2e38f})));
  NodeUnderTest infinite("LogSoftmax", 13);
  CHECK(same(infinite.input(floats({2}, {kInfinity, 1})).one(), floats({2}, {kNaN, kNaN})));
  CHECK(infinite.unspecified().size() == 1);
}

TEST_CASE("CumSum-11, CumSum-14: every prefix is an exact sum of its own") {
  const Tensor axis = int64s({}, {0});
  for (const int64_t version : {11, 14}) {
    // 3e38 + 3e38 overflows; the third prefix is 3e38 again.
    CHECK(same(NodeUnderTest("CumSum", version).input(floats({3}, {3e38f, 3e38f, -3e38f})).input(axis).one(), floats({3}, {3e38f, kInfinity, 3e38f})));
    CHECK(same(NodeUnderTest("CumSum", version).attribute("exclusive", 1).attribute("reverse", 1).input(floats({3}, {1, 2, 3})).input(axis).one(), floats({3}, {5, 3, 0})));
    CHECK(same(NodeUnderTest("CumSum", version).input(int32s({2}, {INT32_MAX, 1})).input(axis).one(), int32s({2}, {INT32_MAX, INT32_MIN})));
    CHECK(NodeUnderTest("CumSum", version).input(floats({}, {1})).input(axis).error().find("schema/rank") == 0);
  }
}

TEST_CASE("Softmax-13 LogSoftmax-13 by lines of floats and by their formulas") {
  uint64_t seed = 1;
  for (const char* op : {"Softmax", "LogSoftmax"}) {
    for (const Shape& shape : {Shape{9, 40}, {3, 700}, {2, 3, 16}}) {
      Draws draws(++seed);
      std::vector<double> values;
      for (int64_t i = 0; i < shape.elements(); ++i) values.push_back(draws.below(4000) / 300.0);
      for (const Tensor& x : {rounded(DType::kFloat, shape, values), awkward(DType::kFloat, shape, ++seed)}) {
        NodeUnderTest node(op, 13);
        node.attribute("axis", -1).input(x);
        NodeUnderTest twin = node;
        CHECK(same(node.one(), by_formulas(twin)[0].tensor()));
      }
    }
  }
}

TEST_CASE("CumProd-26") {
  const Tensor axis = int64s({}, {0});
  CHECK(same(NodeUnderTest("CumProd", 26).input(floats({4}, {2, 3, 0, kInfinity})).input(axis).one(), floats({4}, {2, 6, 0, kNaN})));
  CHECK(same(NodeUnderTest("CumProd", 26).attribute("exclusive", 1).input(floats({3}, {2, 3, 4})).input(axis).one(), floats({3}, {1, 2, 6})));
}

TEST_CASE("NegativeLogLikelihoodLoss-12, NegativeLogLikelihoodLoss-13, NegativeLogLikelihoodLoss-22") {
  const Tensor x = floats({2, 2}, {-1, -2, -3, -4}), target = int64s({2}, {0, 1}), weight = floats({2}, {3, 1});
  for (const int64_t version : {12, 13, 22}) {
    // (1 * 3 + 4 * 1) / (3 + 1)
    CHECK(same(NodeUnderTest("NegativeLogLikelihoodLoss", version).input(x).input(target).input(weight).one(), floats({}, {1.75f})));
    CHECK(same(NodeUnderTest("NegativeLogLikelihoodLoss", version).attribute("reduction", "none").attribute("ignore_index", 0).input(x).input(target).one(), floats({2}, {0, 4})));
    CHECK(NodeUnderTest("NegativeLogLikelihoodLoss", version).input(x).input(int64s({2}, {0, 2})).error().find("undefined/label-range") == 0);
  }
}

TEST_CASE("SoftmaxCrossEntropyLoss-12, SoftmaxCrossEntropyLoss-13: equal scores give ln of their number") {
  for (const int64_t version : {12, 13}) {
    NodeUnderTest node("SoftmaxCrossEntropyLoss", version);
    node.input(floats({1, 4}, {2, 2, 2, 2})).input(int64s({1}, {3})).outputs(2);
    CHECK(same(node.one(), floats({}, {1.38629436f})));
    CHECK(same(node.output(1), floats({1, 4}, {-1.38629436f, -1.38629436f, -1.38629436f, -1.38629436f})));
  }
}

TEST_CASE("SoftmaxCrossEntropyLoss-13 a loss that vanishes is positive") {
  // ln(1 + e^-1e24) is below every number, not 0; its negative is the log probability.
  for (const char* reduction : {"none", "sum", "mean"}) {
    NodeUnderTest node("SoftmaxCrossEntropyLoss", 13);
    node.attribute("reduction", reduction).input(floats({1, 2}, {1e24f, 0})).input(int64s({1}, {0})).outputs(2);
    CHECK(node.output(0).code(0) == 0);
    CHECK(same(node.output(1), floats({1, 2}, {-0.0f, -1e24f})));
  }
}

TEST_CASE("NegativeLogLikelihoodLoss-13 the 0 of an ignored sample is a term of the sum") {
  // -0 + 0 = +0; without a reduction the -0 stays.
  const auto loss = [](const char* reduction) {
    NodeUnderTest node("NegativeLogLikelihoodLoss", 13);
    node.attribute("reduction", reduction).attribute("ignore_index", 7);
    return node.input(floats({2, 2}, {0, 1, 5, 5})).input(int64s({2}, {0, 7})).one();
  };
  CHECK(same(loss("none"), floats({2}, {-0.0f, 0})));
  CHECK(same(loss("sum"), floats({}, {0})));
  CHECK(same(loss("mean"), floats({}, {0})));
}

}  // namespace
}  // namespace onnxv::testing
