#include <limits>

#include "src/run/testing.h"

namespace onnxv::testing {
namespace {

// X, roi, scales, sizes of Resize-11 and later.
NodeUnderTest by_scales(int64_t version, Tensor x, std::vector<float> scales) {
  NodeUnderTest node("Resize", version);
  const int64_t count = static_cast<int64_t>(scales.size());
  node.input(std::move(x)).input(floats({0}, {})).input(floats({count}, std::move(scales)));
  return node;
}
NodeUnderTest by_sizes(int64_t version, Tensor x, std::vector<int64_t> sizes,
                       std::vector<float> roi = {}) {
  NodeUnderTest node("Resize", version);
  const int64_t count = static_cast<int64_t>(sizes.size()), ends = static_cast<int64_t>(roi.size());
  node.input(std::move(x)).input(floats({ends}, std::move(roi))).input(floats({0}, {}));
  node.input(int64s({count}, std::move(sizes)));
  return node;
}
const Tensor kFour = floats({4}, {1, 2, 3, 4});

// What a backend may pick: 0.7 in float32 is 0.7 - 1.19e-8, so position 7 stands at 7 / 0.7f = 10 + 1.7e-7, less than a rounding of
// 10 in float32 (6e-7) from the jump of floor: a backend that rounds the quotient may find either side.
TEST_CASE("Resize-19 nearest: where the position is a rounding from a jump, either neighbour is allowed, and nowhere else") {
  const ToleranceScope scope{ToleranceModel()};
  std::vector<float> x(15);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
  const auto at = [&](float scale) {
    return NodeUnderTest("Resize", 19)
        .attribute("coordinate_transformation_mode", "asymmetric")
        .attribute("nearest_mode", "floor")
        .input(floats({15}, x))
        .no_input()
        .input(floats({1}, {scale}))
        .one();
  };
  const Tensor y = at(0.7F);
  REQUIRE(y.size() == 10);
  REQUIRE(y.bounds() != nullptr);
  for (size_t i = 0; i < 10; ++i) CHECK((*y.bounds())[i].known() == (i == 7));
  CHECK((*y.bounds())[7].low == 9);
  CHECK((*y.bounds())[7].high == 10);
  CHECK((*y.bounds())[7].to_step == doctest::Approx(1.7e-7).epsilon(0.01));
  // Halves and whole numbers are exact in float32.
  CHECK(at(2.0F).bounds() == nullptr);
  CHECK(at(0.5F).bounds() == nullptr);
}

}  // namespace

TEST_CASE("Resize-10 asymmetric; nearest rounds down to enlarge and up to shrink") {
  const auto node = [](const char* mode, float scale) {
    NodeUnderTest resize("Resize", 10);
    resize.attribute("mode", mode).input(kFour).input(floats({1}, {scale}));
    return resize;
  };
  // x = 0, 4/3, 8/3.
  CHECK(same(node("nearest", 0.75F).one(), floats({3}, {1, 3, 4})));
  CHECK(same(node("linear", 0.75F).one(), floats({3}, {1, 2.3333333F, 3.6666667F})));
  CHECK(same(node("nearest", 2).one(), floats({8}, {1, 1, 2, 2, 3, 3, 4, 4})));
}

TEST_CASE("Resize-11 coordinates") {
  const Tensor two = floats({2}, {1, 2});
  // half_pixel: x = -1/4, 1/4, 3/4, 5/4.
  CHECK(same(by_scales(11, two, {2}).attribute("mode", "linear").one(),
             floats({4}, {1, 1.25F, 1.75F, 2})));
  CHECK(same(by_sizes(11, two, {3})
                 .attribute("mode", "linear")
                 .attribute("coordinate_transformation_mode", "align_corners")
                 .one(),
             floats({3}, {1, 1.5F, 2})));
  // From 3/2 on in steps of 3: 3/2, and 9/2, which is outside.
  CHECK(same(by_sizes(11, kFour, {2}, {0.5F, 1.5F})
                 .attribute("mode", "linear")
                 .attribute("coordinate_transformation_mode", "tf_crop_and_resize")
                 .attribute("extrapolation_value", 9.0F)
                 .one(),
             floats({2}, {2.5F, 9})));
}

TEST_CASE("Resize-11 nearest modes and cubic") {
  const auto nearest = [](const char* mode) {
    return by_scales(11, floats({2}, {1, 2}), {2})
        .attribute("coordinate_transformation_mode", "asymmetric")
        .attribute("nearest_mode", mode)
        .one();
  };
  // x = 0, 1/2, 1, 3/2.
  CHECK(same(nearest("round_prefer_floor"), floats({4}, {1, 1, 2, 2})));
  CHECK(same(nearest("round_prefer_ceil"), floats({4}, {1, 2, 2, 2})));
  CHECK(same(nearest("floor"), floats({4}, {1, 1, 2, 2})));
  CHECK(same(nearest("ceil"), floats({4}, {1, 2, 2, 2})));
  // x = 3/2: weights -3/32, 19/32, 19/32, -3/32.
  CHECK(same(by_scales(11, floats({4}, {1, 2, 3, 5}), {0.25F}).attribute("mode", "cubic").one(),
             floats({1}, {2.40625F})));
  // x = 1/2 of two pixels: without those outside, the mean.
  CHECK(same(by_scales(11, floats({2}, {2, 4}), {0.5F})
                 .attribute("mode", "cubic")
                 .attribute("exclude_outside", 1)
                 .one(),
             floats({1}, {3})));
}

TEST_CASE("Resize-11 an infinity counts where a weight is not 0, and term by term") {
  constexpr float kInfinity = std::numeric_limits<float>::infinity(), kNan = std::numeric_limits<float>::quiet_NaN();
  const auto doubled = [&](const char* mode, std::vector<float> x) {
    return by_scales(11, floats({2}, std::move(x)), {2})
        .attribute("mode", mode)
        .attribute("coordinate_transformation_mode", "asymmetric")
        .one();
  };
  // x = 0, 1/2, 1, 3/2 of two pixels: at 0 the second has no weight; from 1 on the first has none, or a negative one at 3/2.
  CHECK(same(doubled("linear", {2, kInfinity}), floats({4}, {2, kInfinity, kInfinity, kInfinity})));
  // Cubic at 1/2: -3/32 x0 + 19/32 x0 + 19/32 x1 - 3/32 x1, both edges clamped: infinity - infinity.
  // At 3/2: -3/32 x0 + 19/32 x1 + 19/32 x1 - 3/32 x1.
  CHECK(same(doubled("cubic", {2, kInfinity}), floats({4}, {2, kNan, kInfinity, kNan})));
  CHECK(same(doubled("cubic", {kInfinity, 2}), floats({4}, {kInfinity, kNan, 2, -kInfinity})));
}

TEST_CASE("Resize-13 roi is optional; integers round to nearest even") {
  CHECK(same(NodeUnderTest("Resize", 13)
                 .attribute("mode", "linear")
                 .input(uint8s({4}, {0, 1, 2, 3}))
                 .no_input()
                 .input(floats({1}, {2}))
                 .one(),
             uint8s({8}, {0, 0, 1, 1, 2, 2, 3, 3})));
  CHECK(same(by_scales(13, floats({10}, std::vector<float>(10, 1.0F)), {0.7F}).one(),
             floats({6}, std::vector<float>(6, 1.0F))));
  CHECK(NodeUnderTest("Resize", 13).input(kFour).error().starts_with("schema/input-missing"));
}

TEST_CASE("Resize-18 antialias, axes and keep_aspect_ratio_policy") {
  // Weights 1/8, 3/8, 3/8, 1/8 around 1/2 and 5/2; the edges are repeated.
  CHECK(same(by_scales(18, kFour, {0.5F}).attribute("mode", "linear").attribute("antialias", 1).one(),
             floats({2}, {1.625F, 3.375F})));
  CHECK(same(by_scales(18, floats({2, 2}, {1, 2, 3, 4}), {2}).integers("axes", {1}).one(),
             floats({2, 4}, {1, 1, 2, 2, 3, 3, 4, 4})));
  // The ratios are 3/2 and 3/4: both sides take the smaller, floor(2 * 3/4 + 1/2) = 2.
  CHECK(by_sizes(18, floats({2, 4}, std::vector<float>(8, 1.0F)), {3, 3})
            .attribute("keep_aspect_ratio_policy", "not_larger")
            .one()
            .shape() == Shape{2, 3});
}

TEST_CASE("Resize-19 half_pixel_symmetric") {
  // 4 * 5/8 = 5/2 becomes 2: x = 2 (1 - 4/5) + (i + 1/2) 8/5 - 1/2 = 7/10, 23/10.
  CHECK(same(by_scales(19, kFour, {0.625F})
                 .attribute("mode", "linear")
                 .attribute("coordinate_transformation_mode", "half_pixel_symmetric")
                 .one(),
             floats({2}, {1.7F, 3.3F})));
}

// X is 10 y + x on 4 rows and 3 columns; both axes grow by min(7/4, 4/3) = 4/3. 16/3 rows become 5: the first stands at
// 2 (1 - 5 / (16/3)) + 3/8 - 1/2 = 0, the others 3/4 apart. The 4 columns stand at -1/8, 5/8, 11/8, 17/8, cut off at 0 and 2.
TEST_CASE("Resize-19 half_pixel_symmetric centres what an aspect ratio leaves") {
  const Tensor x = floats({4, 3}, {0, 1, 2, 10, 11, 12, 20, 21, 22, 30, 31, 32});
  std::vector<float> expected;
  for (const float row : {0.0F, 7.5F, 15.0F, 22.5F, 30.0F}) {
    for (const float column : {0.0F, 0.625F, 1.375F, 2.0F}) expected.push_back(row + column);
  }
  CHECK(same(NodeUnderTest("Resize", 19)
                 .attribute("mode", "linear")
                 .attribute("coordinate_transformation_mode", "half_pixel_symmetric")
                 .attribute("keep_aspect_ratio_policy", "not_larger")
                 .input(x)
                 .no_input()
                 .no_input()
                 .input(int64s({2}, {7, 4}))
                 .one(),
             floats({5, 4}, expected)));
}

TEST_CASE("Upsample-1 scales of height and width") {
  CHECK(same(NodeUnderTest("Upsample", 1)
                 .attribute("height_scale", 1.0F)
                 .attribute("width_scale", 2.0F)
                 .input(floats({1, 1, 1, 2}, {1, 2}))
                 .one(),
             floats({1, 1, 1, 4}, {1, 1, 2, 2})));
}

TEST_CASE("Upsample-7 one scale for each axis") {
  CHECK(same(NodeUnderTest("Upsample", 7).reals("scales", {2}).input(floats({2}, {1, 2})).one(),
             floats({4}, {1, 1, 2, 2})));
  CHECK(same(NodeUnderTest("Upsample", 7)
                 .attribute("mode", "linear")
                 .reals("scales", {2})
                 .input(floats({2}, {1, 2}))
                 .one(),
             floats({4}, {1, 1.5F, 2, 2})));
}

TEST_CASE("Upsample-9 scales are an input; Upsample-10 is the same, deprecated") {
  for (const int64_t version : {9, 10}) {
    CHECK(same(NodeUnderTest("Upsample", version)
                   .input(floats({2}, {1, 2}))
                   .input(floats({1}, {2}))
                   .one(),
               floats({4}, {1, 1, 2, 2})));
  }
  CHECK(NodeUnderTest("Upsample", 9)
            .input(floats({2}, {1, 2}))
            .input(floats({1}, {0.5F}))
            .error()
            .starts_with("undefined/scale"));
}

}  // namespace onnxv::testing
