#include <limits>

#include "src/run/testing.h"

namespace onnxv::testing {
namespace {

// A 4 x 4 image whose pixel (y, x) is 4y + x: bilinear samples inside are 4y + x too.
NodeUnderTest align(int64_t version, std::vector<float> roi) {
  std::vector<float> pixels;
  for (int i = 0; i < 16; ++i) pixels.push_back(static_cast<float>(i));
  NodeUnderTest node("RoiAlign", version);
  node.input(floats({1, 1, 4, 4}, pixels))
      .input(floats({1, 4}, std::move(roi)))
      .input(int64s({1}, {0}));
  return node;
}

}  // namespace

TEST_CASE("RoiAlign-10 means of bilinear samples, no shift") {
  CHECK(same(align(10, {0, 0, 4, 4})
                 .attribute("output_height", 2)
                 .attribute("output_width", 2)
                 .attribute("sampling_ratio", 1)
                 .one(),
             floats({1, 1, 2, 2}, {5, 7, 13, 15})));
  CHECK(same(align(10, {0, 0, 2, 2}).attribute("sampling_ratio", 2).one(),
             floats({1, 1, 1, 1}, {5})));
  // Adaptive: ceil(2) = 2 samples each way.
  CHECK(same(align(10, {0, 0, 2, 2}).one(), floats({1, 1, 1, 1}, {5})));
  CHECK(same(align(10, {0, 0, 1, 1}).attribute("spatial_scale", 2.0F).one(),
             floats({1, 1, 1, 1}, {5})));
  // At least one pixel wide; far outside there is nothing.
  CHECK(same(align(10, {1, 1, 1, 1}).one(), floats({1, 1, 1, 1}, {7.5F})));
  CHECK(same(align(10, {10, 10, 12, 12}).one(), floats({1, 1, 1, 1}, {0})));
}

TEST_CASE("RoiAlign-16 half_pixel shifts and does not widen") {
  CHECK(same(align(16, {0, 0, 4, 4})
                 .attribute("output_height", 2)
                 .attribute("output_width", 2)
                 .attribute("sampling_ratio", 1)
                 .one(),
             floats({1, 1, 2, 2}, {2.5F, 4.5F, 10.5F, 12.5F})));
  CHECK(same(align(16, {1, 1, 1, 1}).attribute("sampling_ratio", 1).one(),
             floats({1, 1, 1, 1}, {2.5F})));
  // No size: no samples.
  CHECK(same(align(16, {1, 1, 1, 1}).one(), floats({1, 1, 1, 1}, {0})));
  CHECK(same(align(16, {0, 0, 2, 2})
                 .attribute("coordinate_transformation_mode", "output_half_pixel")
                 .one(),
             floats({1, 1, 1, 1}, {5})));
}

TEST_CASE("RoiAlign-10 max takes the greatest weighted corner") {
  // The sample (1/2, 1/2) has corners 0, 1, 4, 5 at weight 1/4.
  CHECK(
      same(align(10, {0, 0, 1, 1}).attribute("mode", "max").one(), floats({1, 1, 1, 1}, {1.25F})));
  CHECK(same(align(10, {0, 0, 2, 2}).attribute("mode", "max").attribute("sampling_ratio", 1).one(),
             floats({1, 1, 1, 1}, {5})));
  CHECK(
      same(align(16, {10, 10, 12, 12}).attribute("mode", "max").one(), floats({1, 1, 1, 1}, {0})));
}

TEST_CASE("RoiAlign-16 a corner of weight 0 is a corner, and a sample outside is a 0") {
  constexpr float kInfinity = std::numeric_limits<float>::infinity(), kNan = std::numeric_limits<float>::quiet_NaN();
  const auto one_bin = [](const char* mode, std::vector<float> pixels, std::vector<float> roi, int64_t samples) {
    return NodeUnderTest("RoiAlign", 16)
        .attribute("mode", mode)
        .attribute("sampling_ratio", samples)
        .attribute("coordinate_transformation_mode", "output_half_pixel")
        .input(floats({1, 1, 2, 2}, std::move(pixels)))
        .input(floats({1, 4}, std::move(roi)))
        .input(int64s({1}, {0}))
        .one();
  };
  // The one sample is pixel (0, 0): corners -1 * 1, and -1 * 0 = -0 three times.
  CHECK(same(one_bin("max", {-1, -1, -1, -1}, {-0.5F, -0.5F, 0.5F, 0.5F}, 1), floats({1, 1, 1, 1}, {-0.0F})));
  CHECK(same(one_bin("avg", {-1, -1, -1, -1}, {-0.5F, -0.5F, 0.5F, 0.5F}, 1), floats({1, 1, 1, 1}, {-1})));
  for (const char* mode : {"avg", "max"}) {
    CHECK(same(one_bin(mode, {1, kInfinity, 1, 1}, {-0.5F, -0.5F, 0.5F, 0.5F}, 1), floats({1, 1, 1, 1}, {kNan})));
  }
  // Samples at -2 and 0 on both axes: three are outside, and 0 + -0 is +0.
  CHECK(same(one_bin("avg", {-0.0F, -0.0F, -0.0F, -0.0F}, {-3, -3, 1, 1}, 2), floats({1, 1, 1, 1}, {0})));
  CHECK(same(one_bin("avg", {-0.0F, -0.0F, -0.0F, -0.0F}, {-1, -1, 1, 1}, 2), floats({1, 1, 1, 1}, {-0.0F})));
}

TEST_CASE("RoiAlign-22 bfloat16") {
  CHECK(same(NodeUnderTest("RoiAlign", 22)
                 .input(numbers(DType::kBfloat16, {1, 1, 1, 2}, {1, 3}))
                 .input(numbers(DType::kBfloat16, {1, 4}, {0, 0, 2, 1}))
                 .input(int64s({1}, {0}))
                 .attribute("sampling_ratio", 1)
                 .one(),
             numbers(DType::kBfloat16, {1, 1, 1, 1}, {2})));
}

TEST_CASE("RoiAlign-16 ruled errors") {
  const Tensor x = floats({1, 1, 1, 1}, {1}), roi = floats({1, 4}, {0, 0, 1, 1});
  CHECK(NodeUnderTest("RoiAlign", 16)
            .input(x)
            .input(roi)
            .input(int64s({1}, {1}))
            .error()
            .starts_with("undefined/index-range"));
  CHECK(NodeUnderTest("RoiAlign", 16)
            .input(x)
            .input(roi)
            .input(int64s({2}, {0, 0}))
            .error()
            .starts_with("schema/shape-mismatch"));
  CHECK(align(16, {0, 0, 1, 1})
            .attribute("mode", "min")
            .error()
            .starts_with("schema/attribute-value"));
}

}  // namespace onnxv::testing
