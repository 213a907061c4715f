#include <array>

#include "src/run/testing.h"

using namespace onnxv;           // NOLINT
using namespace onnxv::testing;  // NOLINT

namespace {

NodeUnderTest col2im(const Tensor& x, std::vector<int64_t> image, std::vector<int64_t> block) {
  const int64_t axes = static_cast<int64_t>(image.size()), blocks = static_cast<int64_t>(block.size());
  return NodeUnderTest("Col2Im", 18).input(x).input(int64s({axes}, std::move(image))).input(int64s({blocks}, std::move(block)));
}
bool has(const std::string& line, std::string_view part) { return line.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("Col2Im-18 adds what overlapping blocks hold") {
  // Blocks of two cells over three: (1, 10), (2, 20); the middle cell has one entry of each.
  const Tensor x = floats({1, 2, 2}, {1, 2, 10, 20});
  CHECK(same(col2im(x, {3}, {2}).one(), floats({1, 1, 3}, {1, 12, 20})));
  CHECK(same(col2im(x, {4}, {2}).integers("strides", {2}).one(), floats({1, 1, 4}, {1, 10, 2, 20})));
  CHECK(same(col2im(x, {4}, {2}).integers("dilations", {2}).one(), floats({1, 1, 4}, {1, 2, 10, 20})));
  // Entries in the padding are dropped.
  CHECK(same(col2im(x, {1}, {2}).integers("pads", {1, 1}).one(), floats({1, 1, 1}, {12})));
}

TEST_CASE("Col2Im-18 fills the plane, channel by channel") {
  // 2 x 2 blocks over 2 x 3 cells: two of them, side by side.
  const Tensor x = floats({1, 8, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 10, 20, 30, 40, 50, 60, 70, 80});
  CHECK(same(col2im(x, {2, 3}, {2, 2}).one(), floats({1, 2, 2, 3}, {1, 5, 4, 5, 13, 8, 10, 50, 40, 50, 130, 80})));
}

TEST_CASE("Col2Im-18 sums exactly, and nothing to +0") {
  CHECK(same(col2im(floats({1, 3, 3}, {1e30F, 0, 1e30F, 0, 1, 0, -1e30F, 0, 1e30F}), {5}, {3}).one(),
             floats({1, 1, 5}, {1e30F, 0, 1, 0, 1e30F})));
  CHECK(same(col2im(floats({1, 1, 2}, {-0.0F, 5}), {3}, {1}).integers("strides", {2}).one(),
             floats({1, 1, 3}, {-0.0F, 0, 5})));
}

TEST_CASE("Col2Im-18 wraps integers, joins Bool by or, and adds complex numbers by part") {
  CHECK(same(col2im(uint8s({1, 2, 2}, {1, 200, 100, 20}), {3}, {2}).one(), uint8s({1, 1, 3}, {1, 44, 20})));
  CHECK(same(col2im(bools({1, 2, 2}, {false, true, true, false}), {3}, {2}).one(), bools({1, 1, 3}, {false, true, false})));
  using Pair = std::array<float, 2>;
  const std::vector<Pair> terms{{1, 10}, {2, 20}, {3, 30}, {4, 40}}, sums{{1, 10}, {5, 50}, {4, 40}};
  CHECK(same(col2im(Tensor::of<Pair>(DType::kComplex64, {1, 2, 2}, terms), {3}, {2}).one(),
             Tensor::of<Pair>(DType::kComplex64, {1, 1, 3}, sums)));
}

TEST_CASE("Col2Im-18 refuses strings and blocks that do not match") {
  CHECK(has(col2im(strings({1, 1, 1}, {"a"}), {1}, {1}).error(), "undefined/string-sum"));
  CHECK(has(col2im(floats({1, 2, 3}, {1, 2, 3, 4, 5, 6}), {3}, {2}).error(), "schema/shape-mismatch"));
  CHECK(has(col2im(floats({1, 3, 2}, {1, 2, 3, 4, 5, 6}), {3}, {2}).error(), "schema/shape-mismatch"));
  CHECK(has(col2im(floats({1, 2, 1}, {1, 2}), {1}, {2}).error(), "schema/empty-window"));
  CHECK(has(col2im(floats({1, 2, 1}, {1, 2}), {1, 1}, {2}).error(), "schema/shape-mismatch"));
}
