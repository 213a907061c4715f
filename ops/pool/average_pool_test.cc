#include "src/run/testing.h"

using namespace onnxv;           // NOLINT
using namespace onnxv::testing;  // NOLINT

namespace {

bool has(const std::string& line, std::string_view part) { return line.find(part) != std::string::npos; }

constexpr float kNan = __builtin_nanf("");

NodeUnderTest average(int64_t opset, const Tensor& x, std::vector<int64_t> kernel) {
  return NodeUnderTest("AveragePool", opset).input(x).integers("kernel_shape", std::move(kernel));
}

const Tensor kFour = floats({1, 1, 4}, {1, 2, 3, 4});
const Tensor kFive = floats({1, 1, 5}, {1, 2, 3, 4, 5});

}  // namespace

TEST_CASE("AveragePool-1 divides by the cells of X alone") {
  CHECK(same(average(1, kFour, {2}).one(), floats({1, 1, 3}, {1.5F, 2.5F, 3.5F})));
  CHECK(same(average(1, kFour, {2}).integers("strides", {2}).integers("pads", {1, 1}).one(),
             floats({1, 1, 3}, {1, 2.5F, 4})));
  CHECK(same(average(1, floats({1, 1, 2, 2}, {1, 2, 3, 4}), {2, 2}).integers("pads", {1, 1, 1, 1}).one(),
             floats({1, 1, 3, 3}, {1, 1.5F, 2, 2, 2.5F, 3, 3, 3.5F, 4})));
}

TEST_CASE("AveragePool-7 counts the padding when asked") {
  CHECK(same(average(7, kFour, {2}).integers("strides", {2}).integers("pads", {1, 1}).attribute("count_include_pad", 1).one(),
             floats({1, 1, 3}, {0.5F, 2.5F, 2})));
  CHECK(same(average(7, kFour, {2}).integers("strides", {2}).integers("pads", {1, 1}).one(), floats({1, 1, 3}, {1, 2.5F, 4})));
}

TEST_CASE("AveragePool-10 never counts what only ceil_mode reaches") {
  CHECK(same(average(10, kFive, {2}).integers("strides", {2}).attribute("ceil_mode", 1).attribute("count_include_pad", 1).one(),
             floats({1, 1, 3}, {1.5F, 3.5F, 5})));
  CHECK(same(average(10, kFive, {2}).integers("strides", {2}).one(), floats({1, 1, 2}, {1.5F, 3.5F})));
  // The second window would start in the padding.
  CHECK(same(average(10, floats({1, 1, 3}, {1, 2, 3}), {2}).integers("strides", {3}).integers("pads", {0, 1}).attribute("ceil_mode", 1).one(),
             floats({1, 1, 1}, {1.5F})));
}

TEST_CASE("AveragePool-11 pads for SAME, and rounds sizes up") {
  CHECK(same(average(11, kFour, {2}).attribute("auto_pad", "SAME_UPPER").one(), floats({1, 1, 4}, {1.5F, 2.5F, 3.5F, 4})));
  CHECK(same(average(11, kFour, {2}).attribute("auto_pad", "SAME_UPPER").attribute("count_include_pad", 1).one(),
             floats({1, 1, 4}, {1.5F, 2.5F, 3.5F, 2})));
  CHECK(same(average(11, kFour, {2}).attribute("auto_pad", "SAME_LOWER").one(), floats({1, 1, 4}, {1, 1.5F, 2.5F, 3.5F})));
  CHECK(same(average(11, kFive, {2}).attribute("auto_pad", "SAME_UPPER").integers("strides", {2}).one(),
             floats({1, 1, 3}, {1.5F, 3.5F, 5})));
  CHECK(same(average(11, kFive, {2}).attribute("auto_pad", "VALID").integers("strides", {2}).one(),
             floats({1, 1, 2}, {1.5F, 3.5F})));
}

TEST_CASE("AveragePool-19 spreads the kernel") {
  CHECK(same(average(19, kFive, {2}).integers("dilations", {2}).one(), floats({1, 1, 3}, {2, 3, 4})));
}

TEST_CASE("AveragePool-22 takes bfloat16") {
  CHECK(same(average(22, codes(DType::kBfloat16, {1, 1, 2}, {0x3F80, 0x4000}), {2}).one(),
             codes(DType::kBfloat16, {1, 1, 1}, {0x3FC0})));
}

TEST_CASE("AveragePool-11 rounds once, and keeps what IEEE 754 says") {
  CHECK(same(average(11, floats({1, 1, 4}, {1e30F, 1, -1e30F, 3}), {4}).one(), floats({1, 1, 1}, {1})));
  // 1/3 to the nearest float32.
  CHECK(same(average(11, floats({1, 1, 3}, {1, 0, 0}), {3}).one(), codes(DType::kFloat, {1, 1, 1}, {0x3EAAAAAB})));
  CHECK(same(average(11, floats({1, 1, 3}, {1, kNan, 3}), {1}).one(), floats({1, 1, 3}, {1, kNan, 3})));
  CHECK(same(average(11, floats({1, 1, 2}, {-0.0F, -0.0F}), {2}).integers("pads", {1, 0}).one(),
             floats({1, 1, 2}, {-0.0F, -0.0F})));
  CHECK(same(average(11, floats({1, 1, 2}, {-0.0F, -0.0F}), {2}).integers("pads", {1, 0}).attribute("count_include_pad", 1).one(),
             floats({1, 1, 2}, {0, -0.0F})));
  // A window of padding alone counts nothing.
  CHECK(same(average(11, floats({1, 1, 1}, {5}), {1}).integers("pads", {1, 0}).one(), floats({1, 1, 2}, {kNan, 5})));
}

TEST_CASE("AveragePool-11 refuses windows that do not fit") {
  CHECK(has(average(11, kFour, {5}).error(), "schema/empty-window"));
  CHECK(has(average(11, kFour, {2, 2}).error(), "schema/attribute-length"));
  CHECK(has(average(11, kFour, {2}).attribute("auto_pad", "VALID").integers("pads", {1, 0}).error(), "schema/attribute-conflict"));
  CHECK(has(average(11, floats({2, 2}, {1, 2, 3, 4}), {2}).error(), "schema/rank"));
}

TEST_CASE("GlobalAveragePool-1 averages each channel") {
  CHECK(same(NodeUnderTest("GlobalAveragePool", 1).input(floats({1, 2, 2, 2}, {1, 2, 3, 4, 10, 10, 10, 11})).one(),
             floats({1, 2, 1, 1}, {2.5F, 10.25F})));
  CHECK(same(NodeUnderTest("GlobalAveragePool", 1).input(floats({1, 2}, {1, -0.0F})).one(), floats({1, 2}, {1, -0.0F})));
  CHECK(same(NodeUnderTest("GlobalAveragePool", 1).input(floats({1, 2, 0}, {})).one(), floats({1, 2, 1}, {kNan, kNan})));
  CHECK(has(NodeUnderTest("GlobalAveragePool", 1).input(floats({2}, {1, 2})).error(), "schema/rank"));
}

TEST_CASE("GlobalAveragePool-22 takes bfloat16") {
  CHECK(same(NodeUnderTest("GlobalAveragePool", 22).input(codes(DType::kBfloat16, {1, 1, 2}, {0x3F80, 0x4000})).one(),
             codes(DType::kBfloat16, {1, 1, 1}, {0x3FC0})));
}
