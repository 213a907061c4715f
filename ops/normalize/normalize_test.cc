#include <string>
#include <tuple>

#include "src/run/fast_paths.h"
#include "src/run/testing.h"

namespace onnxv::testing {
namespace {

constexpr float kNaN = __builtin_nanf("");

TEST_CASE("LRN-1, LRN-13: an even size leans to the higher channels") {
  for (const int64_t version : {1, 13}) {
    // alpha / size = 1, beta = 1, bias = 0: x / (sum of squares of c and c + 1).
    CHECK(same(NodeUnderTest("LRN", version).attribute("size", 2).attribute("alpha", 2.0f).attribute("beta", 1.0f).attribute("bias", 0.0f)
                   .input(floats({1, 3, 1}, {1, 1, 2})).one(),
               floats({1, 3, 1}, {0.5f, 0.2f, 0.5f})));
  }
}

TEST_CASE("LpNormalization-1, LpNormalization-22: a norm of 0 gives 0") {
  for (const int64_t version : {1, 22}) {
    CHECK(same(NodeUnderTest("LpNormalization", version).input(floats({2, 2}, {3, -4, 0, 0})).one(), floats({2, 2}, {0.6f, -0.8f, 0, 0})));
    CHECK(same(NodeUnderTest("LpNormalization", version).attribute("p", 1).input(floats({2}, {1, -3})).one(), floats({2}, {0.25f, -0.75f})));
    CHECK(NodeUnderTest("LpNormalization", version).attribute("p", 3).input(floats({1}, {1})).error().find("schema/attribute-value") == 0);
  }
}

TEST_CASE("InstanceNormalization-1, InstanceNormalization-6, InstanceNormalization-22") {
  for (const int64_t version : {1, 6, 22}) {
    // mean 1, variance 1, epsilon 3: ±1/2 times scale 2 plus bias 10.
    CHECK(same(NodeUnderTest("InstanceNormalization", version).attribute("epsilon", 3.0f).input(floats({1, 1, 2}, {0, 2}))
                   .input(floats({1}, {2})).input(floats({1}, {10})).one(),
               floats({1, 1, 2}, {9, 11})));
    CHECK(NodeUnderTest("InstanceNormalization", version).input(floats({1, 1}, {0})).input(floats({1}, {2})).input(floats({1}, {1})).error().find("schema/rank") == 0);
  }
}

TEST_CASE("MeanVarianceNormalization-9, MeanVarianceNormalization-13: no epsilon; zero variance is NaN") {
  for (const int64_t version : {9, 13}) {
    CHECK(same(NodeUnderTest("MeanVarianceNormalization", version).input(floats({1, 2, 1, 2}, {0, 2, 5, 5})).one(),
               floats({1, 2, 1, 2}, {-1, 1, kNaN, kNaN})));
  }
}

TEST_CASE("LayerNormalization-17: normalized in the stash type, Mean and InvStdDev beside") {
  NodeUnderTest node("LayerNormalization", 17);
  node.attribute("epsilon", 3.0f).input(floats({1, 2}, {0, 2})).input(floats({2}, {2, 4})).outputs(3);
  CHECK(same(node.one(), floats({1, 2}, {-1, 2})));
  CHECK(same(node.output(1), floats({1, 1}, {1})));
  CHECK(same(node.output(2), floats({1, 1}, {0.5f})));
  // float16 [256, -256]: the squares overflow float16, the stash type holds them.
  CHECK(same(NodeUnderTest("LayerNormalization", 17).attribute("epsilon", 0.0f).input(numbers(DType::kFloat16, {2}, {256, -256}))
                 .input(numbers(DType::kFloat16, {2}, {1, 1})).one(),
             numbers(DType::kFloat16, {2}, {1, -1})));
}

TEST_CASE("RMSNormalization-23") {
  // mean square 4, epsilon 0: x / 2.
  CHECK(same(NodeUnderTest("RMSNormalization", 23).attribute("epsilon", 0.0f).input(floats({2}, {2, -2})).input(floats({2}, {1, 3})).one(), floats({2}, {1, -3})));
}

TEST_CASE("GroupNormalization-18: scale per group; GroupNormalization-21: per channel") {
  const Tensor x = floats({1, 2, 2}, {0, 2, 0, 2});
  CHECK(same(NodeUnderTest("GroupNormalization", 18).attribute("num_groups", 1).attribute("epsilon", 3.0f).input(x).input(floats({1}, {2})).input(floats({1}, {0})).one(),
             floats({1, 2, 2}, {-1, 1, -1, 1})));
  CHECK(same(NodeUnderTest("GroupNormalization", 21).attribute("num_groups", 1).attribute("epsilon", 3.0f).input(x).input(floats({2}, {2, 4})).input(floats({2}, {0, 1})).one(),
             floats({1, 2, 2}, {-1, 1, -1, 3})));
  CHECK(NodeUnderTest("GroupNormalization", 21).attribute("num_groups", 3).input(x).input(floats({2}, {2, 4})).input(floats({2}, {0, 1})).error().find("schema/attribute-value") == 0);
}

// Thirds and sevenths around 1: no line has an element that is its mean.
Tensor plain_numbers(const Shape& shape, uint64_t seed) {
  Draws draws(seed);
  std::vector<double> values;
  for (int64_t i = 0; i < shape.elements(); ++i) values.push_back(draws.below(3000) / 7.0 / 300 + draws.below(2) / 3.0);
  return rounded(DType::kFloat, shape, values);
}

TEST_CASE("InstanceNormalization-22 GroupNormalization-18 GroupNormalization-21 by lines of floats and by their formulas") {
  uint64_t seed = 1;
  for (const Shape& shape : {Shape{2, 6, 7, 9}, {3, 6, 20}, {5, 6, 3, 3}, {4, 6}, {2, 6, 400}}) {
    for (const bool plain : {true, false}) {
      const Tensor x = plain ? plain_numbers(shape, ++seed) : awkward(DType::kFloat, shape, ++seed);
      for (const auto& [op, version, parameters] : {std::tuple{"InstanceNormalization", 22, 6}, {"GroupNormalization", 18, 3}, {"GroupNormalization", 21, 6}}) {
        const bool grouped = op == std::string("GroupNormalization");
        if (!grouped && shape.rank() < 3) continue;
        NodeUnderTest node(op, version);
        if (grouped) node.attribute("num_groups", 3);
        node.input(x);
        for (int i = 0; i < 2; ++i) node.input(plain_numbers({parameters}, ++seed));
        NodeUnderTest twin = node;
        CHECK(same(node.one(), by_formulas(twin)[0].tensor()));
      }
    }
  }
}

TEST_CASE("BatchNormalization-15 by floats and by its formula") {
  const float nan = __builtin_nanf(""), inf = __builtin_inff();
  const Tensor scale = floats({6}, {1.5F, -0.0F, 0, -2.25F, 1e-3F, 3}), bias = floats({6}, {0.1F, -0.0F, 0, -1, nan, -inf});
  const Tensor mean = floats({6}, {0.5F, 0, 1, -32, 7e20F, 2}), variance = floats({6}, {2, 1, 0, 1e-30F, 3e38F, 5});
  for (const Shape& shape : {Shape{3, 6, 7, 61}, Shape{40, 6}, Shape{1, 6, 700}}) {
    NodeUnderTest node("BatchNormalization", 15);
    node.input(awkward(DType::kFloat, shape, static_cast<uint64_t>(shape[0])));
    for (const Tensor& parameter : {scale, bias, mean, variance}) node.input(parameter);
    NodeUnderTest twin = node;
    CHECK(same(node.one(), by_formulas(twin)[0].tensor()));
  }
}

TEST_CASE("BatchNormalization-1, BatchNormalization-6: is_test 0 is the default and uses the batch") {
  for (const int64_t version : {1, 6}) {
    NodeUnderTest node("BatchNormalization", version);
    node.attribute("epsilon", 3.0f).attribute("momentum", 0.5f).input(floats({2, 1}, {0, 2})).input(floats({1}, {2})).input(floats({1}, {0}));
    node.input(floats({1}, {7})).input(floats({1}, {5})).outputs(5);
    CHECK(same(node.one(), floats({2, 1}, {-1, 1})));
    CHECK(same(node.output(1), floats({1}, {4})));  // 7/2 + 1/2
    CHECK(same(node.output(2), floats({1}, {3})));  // 5/2 + 1/2
  }
}

TEST_CASE("BatchNormalization-7, BatchNormalization-9, BatchNormalization-14, BatchNormalization-15: the given statistics") {
  for (const int64_t version : {7, 9, 14, 15}) {
    CHECK(same(NodeUnderTest("BatchNormalization", version).attribute("epsilon", 3.0f).input(floats({2, 1}, {0, 2})).input(floats({1}, {2}))
                   .input(floats({1}, {0})).input(floats({1}, {1})).input(floats({1}, {1})).one(),
               floats({2, 1}, {-1, 1})));
  }
}

TEST_CASE("BatchNormalization-15: a bias below what the float type shows decides the sign of a zero") {
  // ±2^-1070 - 2^-1060 and ±2^-1060 + 2^-1070.
  CHECK(same(NodeUnderTest("BatchNormalization", 15).attribute("epsilon", 0.0f).input(floats({1, 2}, {1, -1})).input(doubles({2}, {0x1p-1070, 0x1p-1060}))
                 .input(doubles({2}, {-0x1p-1060, 0x1p-1070})).input(floats({2}, {0, 0})).input(floats({2}, {1, 1})).one(),
             floats({1, 2}, {-0.0f, -0.0f})));
}

}  // namespace
}  // namespace onnxv::testing
