#include "src/run/testing.h"

using namespace onnxv;           // NOLINT
using namespace onnxv::testing;  // NOLINT

namespace {

bool has(const std::string& line, std::string_view part) { return line.find(part) != std::string::npos; }

constexpr float kNan = __builtin_nanf("");
constexpr float kInf = __builtin_inff();

NodeUnderTest greatest(int64_t opset, const Tensor& x, std::vector<int64_t> kernel) {
  NodeUnderTest node("MaxPool", opset);
  return node.input(x).integers("kernel_shape", std::move(kernel)).outputs(opset < 8 ? 1 : 2);
}

const Tensor kFour = floats({1, 1, 4}, {1, 3, 2, 4});

}  // namespace

TEST_CASE("MaxPool-1 picks the greatest of each window") {
  CHECK(same(greatest(1, kFour, {2}).one(), floats({1, 1, 3}, {3, 3, 4})));
  CHECK(same(greatest(1, kFour, {3}).integers("strides", {2}).integers("pads", {1, 1}).one(), floats({1, 1, 2}, {3, 4})));
  // Padding never wins.
  CHECK(same(greatest(1, floats({1, 1, 2}, {-1, -2}), {2}).integers("pads", {1, 1}).one(), floats({1, 1, 3}, {-1, -1, -2})));
}

TEST_CASE("MaxPool-8 says where it was found") {
  NodeUnderTest node = greatest(8, floats({1, 2, 3}, {1, 5, 5, 9, 8, 7}), {2});
  CHECK(same(node.output(0), floats({1, 2, 2}, {5, 5, 9, 8})));
  CHECK(same(node.output(1), int64s({1, 2, 2}, {1, 1, 3, 4})));
  NodeUnderTest padded = greatest(8, floats({1, 1, 2}, {4, 5}), {2}).integers("pads", {1, 0});
  CHECK(same(padded.output(1), int64s({1, 1, 2}, {0, 1})));
  CHECK(same(greatest(8, kFour, {2}).outputs(1).one(), floats({1, 1, 3}, {3, 3, 4})));
}

TEST_CASE("MaxPool-8 counts columns first with storage_order 1") {
  // 6 stands in row 1, column 1 of 2 x 3; the second channel starts at 6.
  const Tensor x = floats({1, 2, 2, 3}, {1, 2, 3, 4, 6, 5, 9, 1, 1, 1, 1, 2});
  CHECK(same(greatest(8, x, {2, 2}).output(1), int64s({1, 2, 1, 2}, {4, 4, 6, 11})));
  CHECK(same(greatest(8, x, {2, 2}).attribute("storage_order", 1).output(1), int64s({1, 2, 1, 2}, {3, 3, 6, 11})));
  CHECK(has(greatest(8, x, {2, 2}).attribute("storage_order", 2).error(), "schema/attribute-value"));
}

TEST_CASE("MaxPool-10 spreads the kernel and rounds sizes up") {
  CHECK(same(greatest(10, floats({1, 1, 4}, {1, 9, 2, 3}), {2}).integers("dilations", {2}).output(0),
             floats({1, 1, 2}, {2, 9})));
  NodeUnderTest ceiled = greatest(10, floats({1, 1, 3}, {2, 1, 0}), {2}).integers("strides", {2}).attribute("ceil_mode", 1);
  CHECK(same(ceiled.output(0), floats({1, 1, 2}, {2, 0})));
  CHECK(same(ceiled.output(1), int64s({1, 1, 2}, {0, 2})));
  // A window that starts in the end padding is dropped.
  CHECK(same(greatest(10, floats({1, 1, 3}, {1, 2, 3}), {2}).integers("strides", {3}).integers("pads", {0, 1}).attribute("ceil_mode", 1).output(0),
             floats({1, 1, 1}, {2})));
}

TEST_CASE("MaxPool-11 pads for SAME") {
  NodeUnderTest node = greatest(11, floats({1, 1, 3}, {1, 2, 3}), {2}).attribute("auto_pad", "SAME_LOWER");
  CHECK(same(node.output(0), floats({1, 1, 3}, {1, 2, 3})));
  CHECK(same(node.output(1), int64s({1, 1, 3}, {0, 1, 2})));
}

TEST_CASE("MaxPool-12 takes bytes") {
  CHECK(same(greatest(12, int8s({1, 1, 3}, {-128, -3, 2}), {2}).output(0), int8s({1, 1, 2}, {-3, 2})));
  CHECK(same(greatest(12, uint8s({1, 1, 3}, {200, 3, 2}), {2}).output(0), uint8s({1, 1, 2}, {200, 3})));
}

TEST_CASE("MaxPool-12 marks windows without an element") {
  NodeUnderTest node = greatest(12, floats({1, 1, 1}, {5}), {1}).integers("pads", {1, 0});
  CHECK(same(node.output(0), floats({1, 1, 2}, {-kInf, 5})));
  CHECK(same(node.output(1), int64s({1, 1, 2}, {-1, 0})));
  REQUIRE(node.unspecified().size() == 2);
  CHECK(node.unspecified()[0].slug == "empty-window");
  CHECK(node.unspecified()[0].elements == std::vector<uint8_t>{1, 0});
  CHECK(same(greatest(12, int8s({1, 1, 1}, {5}), {1}).integers("pads", {1, 0}).output(0), int8s({1, 1, 2}, {-128, 5})));
  CHECK(same(greatest(12, uint8s({1, 1, 1}, {5}), {1}).integers("pads", {1, 0}).output(0), uint8s({1, 1, 2}, {0, 5})));
}

TEST_CASE("MaxPool-12 lets NaN through, marked") {
  NodeUnderTest node = greatest(12, floats({1, 1, 4}, {1, kNan, kNan, 2}), {2}).integers("strides", {2});
  CHECK(same(node.output(0), floats({1, 1, 2}, {kNan, kNan})));
  CHECK(same(node.output(1), int64s({1, 1, 2}, {1, 2})));
  REQUIRE(node.unspecified().size() == 2);
  CHECK(node.unspecified()[0].slug == "maximum-nan");
}

TEST_CASE("MaxPool-12 takes the first of two zeros, marked") {
  NodeUnderTest node = greatest(12, floats({1, 1, 3}, {-0.0F, 0, -1}), {2});
  CHECK(same(node.output(0), floats({1, 1, 2}, {-0.0F, 0})));
  CHECK(same(node.output(1), int64s({1, 1, 2}, {0, 1})));
  REQUIRE(node.unspecified().size() == 2);
  CHECK(node.unspecified()[0].slug == "zero-of-both-signs");
  CHECK(node.unspecified()[0].elements == std::vector<uint8_t>{1, 0});
}

TEST_CASE("MaxPool-22 takes bfloat16") {
  CHECK(same(greatest(22, codes(DType::kBfloat16, {1, 1, 2}, {0xBF80, 0xC000}), {2}).output(0),
             codes(DType::kBfloat16, {1, 1, 1}, {0xBF80})));
}

TEST_CASE("MaxPool-12 refuses windows that do not fit") {
  CHECK(has(greatest(12, kFour, {5}).error(), "schema/empty-window"));
  CHECK(has(greatest(12, kFour, {0}).error(), "schema/attribute-range"));
  CHECK(has(greatest(12, floats({1, 4}, {1, 2, 3, 4}), {2}).error(), "schema/rank"));
}

TEST_CASE("GlobalMaxPool-1 picks the greatest of each channel") {
  CHECK(same(NodeUnderTest("GlobalMaxPool", 1).input(floats({1, 2, 2, 2}, {1, 4, 3, 2, -4, -2, -3, -5})).one(),
             floats({1, 2, 1, 1}, {4, -2})));
  CHECK(same(NodeUnderTest("GlobalMaxPool", 1).input(floats({1, 2}, {1, 2})).one(), floats({1, 2}, {1, 2})));
  NodeUnderTest node = NodeUnderTest("GlobalMaxPool", 1).input(floats({1, 3, 2}, {-0.0F, 0, kNan, 1, 2, 3}));
  CHECK(same(node.one(), floats({1, 3, 1}, {0, kNan, 3})));
  CHECK(node.unspecified().size() == 2);
  CHECK(has(NodeUnderTest("GlobalMaxPool", 1).input(floats({1, 2, 0}, {})).error(), "schema/empty-window"));
}

TEST_CASE("GlobalMaxPool-22 takes bfloat16") {
  CHECK(same(NodeUnderTest("GlobalMaxPool", 22).input(codes(DType::kBfloat16, {1, 1, 2}, {0xBF80, 0xC000})).one(),
             codes(DType::kBfloat16, {1, 1, 1}, {0xBF80})));
}
