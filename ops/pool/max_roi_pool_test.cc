#include "src/run/testing.h"

using namespace onnxv;           // NOLINT
using namespace onnxv::testing;  // NOLINT

namespace {

bool has(const std::string& line, std::string_view part) { return line.find(part) != std::string::npos; }

NodeUnderTest roi_pool(int64_t opset, const Tensor& x, const Tensor& rois, std::vector<int64_t> pooled) {
  return NodeUnderTest("MaxRoiPool", opset).input(x).input(rois).integers("pooled_shape", std::move(pooled));
}

const Tensor kSquare = floats({1, 1, 4, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15});

}  // namespace

TEST_CASE("MaxRoiPool-1 cuts a region into bins") {
  CHECK(same(roi_pool(1, kSquare, floats({1, 5}, {0, 0, 0, 3, 3}), {2, 2}).one(), floats({1, 1, 2, 2}, {5, 7, 13, 15})));
  // x comes before y: columns 1 to 2 of rows 0 to 1.
  CHECK(same(roi_pool(1, kSquare, floats({1, 5}, {0, 1, 0, 2, 1}), {1, 1}).one(), floats({1, 1, 1, 1}, {6})));
  CHECK(same(roi_pool(1, kSquare, floats({1, 5}, {0, 2, 0, 4, 2}), {1, 1}).attribute("spatial_scale", 0.5).one(),
             floats({1, 1, 1, 1}, {6})));
}

TEST_CASE("MaxRoiPool-1 rounds corners, halves away from zero, and keeps a cell") {
  CHECK(same(roi_pool(1, kSquare, floats({1, 5}, {0, 0.5F, 0, 2.4F, 1}), {1, 1}).one(), floats({1, 1, 1, 1}, {6})));
  // -0.5 becomes -1: two cells wide from -1 on, of which one is in the image.
  CHECK(same(roi_pool(1, kSquare, floats({1, 5}, {0, -0.5F, 0, 0, 0}), {1, 2}).one(), floats({1, 1, 1, 2}, {0, 0})));
  CHECK(same(roi_pool(1, kSquare, floats({1, 5}, {0, 2, 1, 1, 0}), {1, 1}).one(), floats({1, 1, 1, 1}, {6})));
}

TEST_CASE("MaxRoiPool-1 lets bins of odd lengths share a cell") {
  CHECK(same(roi_pool(1, floats({1, 1, 1, 3}, {1, 9, 5}), floats({1, 5}, {0, 0, 0, 2, 0}), {1, 2}).one(),
             floats({1, 1, 1, 2}, {9, 9})));
  // More bins than cells: each bin holds the cell it lies in.
  CHECK(same(roi_pool(1, floats({1, 1, 1, 2}, {1, 9}), floats({1, 5}, {0, 0, 0, 1, 0}), {1, 3}).one(),
             floats({1, 1, 1, 3}, {1, 9, 9})));
}

TEST_CASE("MaxRoiPool-1 finds zero outside, and knows several images and channels") {
  CHECK(same(roi_pool(1, floats({1, 1, 1, 1}, {-5}), floats({1, 5}, {0, 3, 3, 4, 4}), {1, 1}).one(), floats({1, 1, 1, 1}, {0})));
  CHECK(same(roi_pool(1, floats({2, 2, 1, 1}, {1, 2, 3, 4}), floats({2, 5}, {1, 0, 0, 0, 0, 0, 0, 0, 0, 0}), {1, 1}).one(),
             floats({2, 2, 1, 1}, {3, 4, 1, 2})));
}

TEST_CASE("MaxRoiPool-22 takes bfloat16") {
  CHECK(same(roi_pool(22, codes(DType::kBfloat16, {1, 1, 1, 2}, {0x3F80, 0x4000}), codes(DType::kBfloat16, {1, 5}, {0, 0, 0, 0x3F80, 0}), {1, 1}).one(),
             codes(DType::kBfloat16, {1, 1, 1, 1}, {0x4000})));
}

TEST_CASE("MaxRoiPool-1 refuses images that are not there") {
  CHECK(has(roi_pool(1, kSquare, floats({1, 5}, {1, 0, 0, 3, 3}), {2, 2}).error(), "undefined/index-range"));
  CHECK(has(roi_pool(1, kSquare, floats({1, 5}, {0.5F, 0, 0, 3, 3}), {2, 2}).error(), "undefined/index-range"));
  CHECK(has(roi_pool(1, kSquare, floats({1, 5}, {0, 0, __builtin_nanf(""), 3, 3}), {2, 2}).error(), "undefined/value-range"));
  CHECK(has(roi_pool(1, kSquare, floats({1, 4}, {0, 0, 3, 3}), {2, 2}).error(), "schema/shape-mismatch"));
  CHECK(has(roi_pool(1, kSquare, floats({1, 5}, {0, 0, 0, 3, 3}), {2}).error(), "schema/attribute-length"));
}
