#include <limits>

#include "src/run/testing.h"

namespace onnxv::testing {
namespace {

// The 2 x 2 image 1 2 / 3 4.
NodeUnderTest sample(int64_t version, std::vector<float> grid) {
  NodeUnderTest node("GridSample", version);
  const int64_t points = static_cast<int64_t>(grid.size()) / 2;
  node.input(floats({1, 1, 2, 2}, {1, 2, 3, 4})).input(floats({1, 1, points, 2}, std::move(grid)));
  return node;
}

// 0.2 in float32 is 0.2 + 3e-9: on five pixels it stands at ((0.2f + 1) 5 - 1) / 2 = 2.5 + 7.5e-9, which is nearest to 3; float32 rounds
// the sum, and 2.5 goes to the even 2.
TEST_CASE("GridSample-20 nearest: a position that float32 rounds onto a tie may go either way; an exact tie goes one way") {
  const ToleranceScope scope{ToleranceModel()};
  const auto at = [](float g) {
    return NodeUnderTest("GridSample", 20)
        .attribute("mode", "nearest")
        .input(floats({1, 1, 5}, {10, 20, 30, 40, 50}))
        .input(floats({1, 1, 1}, {g}))
        .one();
  };
  const Tensor y = at(0.2F);
  CHECK(same(y, floats({1, 1, 1}, {40})));
  REQUIRE(y.bounds() != nullptr);
  CHECK((*y.bounds())[0].low == 30);
  CHECK((*y.bounds())[0].high == 40);
  CHECK(at(0.0F).bounds() == nullptr);  // 2: on a pixel
  CHECK(at(1.0F).bounds() == nullptr);  // 4.5: a tie, and exact
}

}  // namespace

TEST_CASE("GridSample-16 bilinear") {
  CHECK(same(sample(16, {0, 0, -1, -1, 1, -1, 0.5F, -1}).attribute("align_corners", 1).one(),
             floats({1, 1, 1, 4}, {2.5F, 1, 2, 1.75F})));
  // Without align_corners -1 is half a pixel outside.
  CHECK(same(sample(16, {0, 0, -1, -1}).one(), floats({1, 1, 1, 2}, {2.5F, 0.25F})));
  CHECK(same(sample(16, {-1, -1, 9, 0}).attribute("padding_mode", "border").one(),
             floats({1, 1, 1, 2}, {1, 3})));
  CHECK(same(sample(16, {-1, -1}).attribute("padding_mode", "reflection").one(),
             floats({1, 1, 1, 1}, {1})));
  CHECK(NodeUnderTest("GridSample", 16)
            .input(floats({1, 1, 4}, {1, 2, 3, 5}))
            .input(floats({1, 1, 1}, {0}))
            .error()
            .starts_with("schema/rank"));
}

TEST_CASE("GridSample-16 nearest takes the even neighbour of a tie") {
  // x = y = 1/2; then x = 3/2, which is 2: outside.
  CHECK(same(sample(16, {0, 0, 1, 0}).attribute("mode", "nearest").one(),
             floats({1, 1, 1, 2}, {1, 0})));
  CHECK(same(
      sample(16, {1, 0}).attribute("mode", "nearest").attribute("padding_mode", "reflection").one(),
      floats({1, 1, 1, 1}, {2})));
  CHECK(same(NodeUnderTest("GridSample", 16)
                 .attribute("mode", "nearest")
                 .input(strings({1, 1, 1, 2}, {"a", "b"}))
                 .input(floats({1, 1, 2, 2}, {0.5F, 0, 5, 0}))
                 .one(),
             strings({1, 1, 1, 2}, {"b", ""})));
}

TEST_CASE("GridSample-20 any number of axes") {
  const Tensor line = floats({1, 1, 4}, {1, 2, 3, 5});
  // x = 3/2: weights -3/32, 19/32, 19/32, -3/32.
  CHECK(same(NodeUnderTest("GridSample", 20)
                 .attribute("mode", "cubic")
                 .input(line)
                 .input(floats({1, 1, 1}, {0}))
                 .one(),
             floats({1, 1, 1}, {2.40625F})));
  // Channels share the grid; the volume is 2 x 1 x 1 with values 1, 3: z stands last.
  CHECK(same(NodeUnderTest("GridSample", 20)
                 .attribute("align_corners", 1)
                 .input(floats({1, 2, 2, 1, 1}, {1, 3, 5, 9}))
                 .input(floats({1, 1, 1, 1, 3}, {0, 0, 0.5F}))
                 .one(),
             floats({1, 2, 1, 1, 1}, {2.5F, 8})));
}

TEST_CASE("GridSample-20 integers are truncated, and special positions") {
  const float nan = std::numeric_limits<float>::quiet_NaN(),
              inf = std::numeric_limits<float>::infinity();
  CHECK(same(NodeUnderTest("GridSample", 20)
                 .input(int32s({1, 1, 2}, {-3, 0}))
                 .input(floats({1, 3, 1}, {0, nan, inf}))
                 .one(),
             int32s({1, 1, 3}, {-1, 0, 0})));
  CHECK(same(sample(20, {nan, 0, inf, 0, 3e38F, 0}).one(), floats({1, 1, 1, 3}, {nan, 0, 0})));
  CHECK(same(sample(20, {-inf, -1, -3e38F, -1}).attribute("padding_mode", "border").one(),
             floats({1, 1, 1, 2}, {1, 1})));
  CHECK(same(sample(20, {inf, 0}).attribute("padding_mode", "reflection").one(),
             floats({1, 1, 1, 1}, {nan})));
}

TEST_CASE("GridSample-20 a neighbour of weight 0 is a term of the sum") {
  constexpr float kInfinity = std::numeric_limits<float>::infinity(), kNan = std::numeric_limits<float>::quiet_NaN();
  // Position 0 of four, the middle of the first pixel: 1 * 2 + 0 * infinity.
  for (const char* mode : {"linear", "cubic"}) {
    const auto at_first = [&](float first, float second) {
      return NodeUnderTest("GridSample", 20)
          .attribute("mode", mode)
          .attribute("align_corners", 1)
          .input(floats({1, 1, 4}, {first, second, 3, 5}))
          .input(floats({1, 1, 1}, {-1}))
          .one();
    };
    CHECK(same(at_first(2, kInfinity), floats({1, 1, 1}, {kNan})));
    CHECK(same(at_first(2, 7), floats({1, 1, 1}, {2})));
    CHECK(same(at_first(-0.0F, 7), floats({1, 1, 1}, {0})));
  }
  // All terms of linear interpolation are -0, those of weight 0 too; the zeros around are +0.
  const auto zeros = [](float at) {
    return NodeUnderTest("GridSample", 20)
        .attribute("align_corners", 1)
        .input(floats({1, 1, 2}, {-0.0F, -0.0F}))
        .input(floats({1, 1, 1}, {at}))
        .one();
  };
  CHECK(same(zeros(-1), floats({1, 1, 1}, {-0.0F})));
  CHECK(same(zeros(1), floats({1, 1, 1}, {0})));
}

TEST_CASE("GridSample-22 bfloat16") {
  CHECK(same(NodeUnderTest("GridSample", 22)
                 .input(numbers(DType::kBfloat16, {1, 1, 2}, {1, 2}))
                 .input(floats({1, 1, 1}, {0}))
                 .one(),
             numbers(DType::kBfloat16, {1, 1, 1}, {1.5})));
}

TEST_CASE("GridSample-20 ruled errors") {
  CHECK(sample(20, {0, 0}).attribute("mode", "area").error().starts_with("schema/attribute-value"));
  CHECK(NodeUnderTest("GridSample", 20)
            .input(bools({1, 1, 1}, {true}))
            .input(floats({1, 1, 1}, {0}))
            .error()
            .starts_with("schema/attribute-value"));
  CHECK(NodeUnderTest("GridSample", 20)
            .input(floats({1, 1, 1}, {1}))
            .input(floats({2, 1, 1}, {0, 0}))
            .error()
            .starts_with("schema/shape-mismatch"));
  CHECK(NodeUnderTest("GridSample", 20)
            .attribute("padding_mode", "border")
            .input(floats({1, 1, 0}, {}))
            .input(floats({1, 1, 1}, {0}))
            .error()
            .starts_with("schema/shape-mismatch"));
}

}  // namespace onnxv::testing
