#include "src/run/testing.h"

using namespace onnxv;           // NOLINT
using namespace onnxv::testing;  // NOLINT

namespace {

bool has(const std::string& line, std::string_view part) { return line.find(part) != std::string::npos; }

NodeUnderTest lp(int64_t opset, const Tensor& x, std::vector<int64_t> kernel) {
  return NodeUnderTest("LpPool", opset).input(x).integers("kernel_shape", std::move(kernel));
}
NodeUnderTest global(int64_t opset, const Tensor& x) { return NodeUnderTest("GlobalLpPool", opset).input(x); }

const Tensor kTriples = floats({1, 1, 4}, {3, -4, 0, 5});

}  // namespace

TEST_CASE("LpPool-1 takes a real p") {
  CHECK(same(lp(1, kTriples, {2}).one(), floats({1, 1, 3}, {5, 4, 5})));
  CHECK(same(lp(1, kTriples, {2}).attribute("p", 1.0).one(), floats({1, 1, 3}, {7, 4, 5})));
  // (|x|^2.5)^(1/2.5) is |x|.
  CHECK(same(lp(1, kTriples, {1}).attribute("p", 2.5).one(), floats({1, 1, 4}, {3, 4, 0, 5})));
  // (1 + 1)^(1/0.5) = 4
  CHECK(same(lp(1, floats({1, 1, 2}, {1, -1}), {2}).attribute("p", 0.5).one(), floats({1, 1, 1}, {4})));
}

TEST_CASE("LpPool-1 without kernel_shape has no value") {
  CHECK(has(NodeUnderTest("LpPool", 1).input(kTriples).error(), "undefined/kernel-shape"));
}

TEST_CASE("LpPool-2 takes an integer p, padding adding nothing") {
  // 27 + 64 + 125 = 216 = 6^3
  CHECK(same(lp(2, floats({1, 1, 3}, {3, -4, 5}), {3}).attribute("p", 3).one(), floats({1, 1, 1}, {6})));
  CHECK(same(lp(2, kTriples, {2}).integers("pads", {1, 0}).integers("strides", {2}).one(), floats({1, 1, 2}, {3, 4})));
  CHECK(same(lp(2, kTriples, {2}).attribute("p", 1).one(), floats({1, 1, 3}, {7, 4, 5})));
}

TEST_CASE("LpPool-2 sees a root that is exactly between two values") {
  // 1 + 6^3 + 8^3 = 9^3: the root is 9 · 1864137 = 2^24 + 17, between 2^24 + 16 and 2^24 + 18.
  CHECK(same(lp(2, floats({1, 1, 3}, {1864137, 11184822, 14913096}), {3}).attribute("p", 3).one(),
             floats({1, 1, 1}, {0x1p24F + 16})));
}

TEST_CASE("LpPool-2 never overflows in between") {
  CHECK(same(lp(2, floats({1, 1, 2}, {0x3p100F, 0x4p100F}), {2}).one(), floats({1, 1, 1}, {0x5p100F})));
  CHECK(same(lp(2, doubles({1, 1, 2}, {0x3p600, 0x4p600}), {2}).one(), doubles({1, 1, 1}, {0x5p600})));
  CHECK(same(lp(2, doubles({1, 1, 2}, {0x3p-600, 0x4p-600}), {2}).one(), doubles({1, 1, 1}, {0x5p-600})));
}

TEST_CASE("LpPool-11 pads for SAME") {
  CHECK(same(lp(11, kTriples, {2}).attribute("auto_pad", "SAME_UPPER").one(), floats({1, 1, 4}, {5, 4, 5, 5})));
}

TEST_CASE("LpPool-18 spreads the kernel and rounds sizes up") {
  CHECK(same(lp(18, floats({1, 1, 3}, {3, 9, 4}), {2}).integers("dilations", {2}).one(), floats({1, 1, 1}, {5})));
  CHECK(same(lp(18, floats({1, 1, 3}, {3, 4, 6}), {2}).integers("strides", {2}).attribute("ceil_mode", 1).one(),
             floats({1, 1, 2}, {5, 6})));
}

TEST_CASE("LpPool-22 takes bfloat16") {
  CHECK(same(lp(22, codes(DType::kBfloat16, {1, 1, 2}, {0x4040, 0x4080}), {2}).one(),
             codes(DType::kBfloat16, {1, 1, 1}, {0x40A0})));
}

TEST_CASE("LpPool-2 refuses p below one") {
  CHECK(has(lp(2, kTriples, {2}).attribute("p", 0).error(), "schema/attribute-range"));
  CHECK(has(lp(2, kTriples, {2}).attribute("p", -1).error(), "schema/attribute-range"));
  CHECK(has(lp(1, kTriples, {2}).attribute("p", 0.0).error(), "schema/attribute-range"));
}

TEST_CASE("GlobalLpPool-1 takes a real p") {
  CHECK(same(global(1, floats({1, 2, 2}, {3, 4, -5, 12})).one(), floats({1, 2, 1}, {5, 13})));
  CHECK(same(global(1, floats({1, 1, 2}, {1, -1})).attribute("p", 0.5).one(), floats({1, 1, 1}, {4})));
  CHECK(same(global(1, floats({1, 2}, {-3, 0})).one(), floats({1, 2}, {3, 0})));
}

TEST_CASE("GlobalLpPool-2 takes an integer p") {
  CHECK(same(global(2, floats({1, 1, 1, 3}, {3, -4, 5})).attribute("p", 3).one(), floats({1, 1, 1, 1}, {6})));
  CHECK(same(global(2, floats({1, 1, 2}, {3, -4})).attribute("p", 1).one(), floats({1, 1, 1}, {7})));
  CHECK(same(global(2, floats({1, 1, 0}, {})).one(), floats({1, 1, 1}, {0})));
  CHECK(has(global(2, floats({1, 1, 1}, {1})).attribute("p", 0).error(), "schema/attribute-range"));
}

TEST_CASE("GlobalLpPool-22 takes bfloat16") {
  CHECK(same(global(22, codes(DType::kBfloat16, {1, 1, 2}, {0x4040, 0x4080})).one(),
             codes(DType::kBfloat16, {1, 1, 1}, {0x40A0})));
}
