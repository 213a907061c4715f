#include "ops/random/mersenne_twister.h"
#include "src/run/testing.h"

namespace onnxv::testing {
namespace {

TEST_CASE("MT19937 gives the published first numbers of seed 5489") {
  MersenneTwister random(5489);
  CHECK(random.next() == 3499211612U);
  CHECK(random.next() == 581869302U);
  CHECK(random.next() == 3890346734U);
}

TEST_CASE("Dropout-1, Dropout-6: is_test copies; ratio 0 in training too") {
  const Tensor x = floats({2}, {1, -2});
  for (const int64_t version : {1, 6}) {
    CHECK(same(NodeUnderTest("Dropout", version).attribute("is_test", 1).input(x).one(), x));
    CHECK(same(NodeUnderTest("Dropout", version).attribute("ratio", 0.0f).input(x).one(), x));
  }
}

TEST_CASE("Dropout-7, Dropout-10: a copy, and a mask of ones") {
  const Tensor x = floats({2}, {1, -2});
  NodeUnderTest seven("Dropout", 7), ten("Dropout", 10);
  seven.input(x).outputs(2);
  ten.input(x).outputs(2);
  CHECK(same(seven.output(1), floats({2}, {1, 1})));
  CHECK(same(ten.output(1), bools({2}, {true, true})));
}

TEST_CASE("Dropout-12, Dropout-13, Dropout-22: training scales what is kept by 1 / (1 - ratio)") {
  for (const int64_t version : {12, 13, 22}) {
    NodeUnderTest node("Dropout", version);
    node.attribute("seed", 0).input(floats({64}, std::vector<float>(64, 3))).input(floats({}, {0.25f})).input(bools({}, {true})).outputs(2);
    const Tensor y = node.one(), mask = node.output(1);
    for (size_t i = 0; i < 64; ++i) CHECK(y.as<float>()[i] == (mask.as<uint8_t>()[i] != 0 ? 4.0f : 0.0f));
    CHECK(NodeUnderTest("Dropout", version).input(floats({1}, {1})).input(floats({}, {1})).input(bools({}, {true})).error().find("undefined/dropout-ratio") == 0);
  }
}

}  // namespace
}  // namespace onnxv::testing
