#include "src/run/testing.h"

using namespace onnxv;           // NOLINT
using namespace onnxv::testing;  // NOLINT

namespace {

const Tensor kSix = floats({2, 3}, {1, 2, 3, 4, 5, 6});

NodeUnderTest reshape(int64_t opset, const Tensor& data, std::vector<int64_t> shape) {
  NodeUnderTest node("Reshape", opset);
  const auto length = static_cast<int64_t>(shape.size());
  return node.input(data).input(int64s({length}, std::move(shape)));
}

bool has(const std::string& line, std::string_view part) {
  return line.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("Reshape-1 takes the shape from an attribute, 0 copies, -1 takes what is left") {
  const Tensor data = floats({2, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  CHECK(same(NodeUnderTest("Reshape", 1).integers("shape", {0, -1}).input(data).one(),
             floats({2, 6}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})));
  CHECK(same(NodeUnderTest("Reshape", 1)
                 .integers("shape", {6})
                 .integers("consumed_inputs", {0})
                 .input(kSix)
                 .one(),
             floats({6}, {1, 2, 3, 4, 5, 6})));
}

TEST_CASE("Reshape-1 errors") {
  CHECK(has(NodeUnderTest("Reshape", 1).input(kSix).error(), "schema/attribute-missing"));
  CHECK(has(NodeUnderTest("Reshape", 1).integers("shape", {4}).input(kSix).error(),
            "schema/attribute-range: node \"under_test\" (Reshape-1): shape is [4], must fit data "
            "of shape [2,3]"));
  CHECK(has(NodeUnderTest("Reshape", 1).integers("shape", {-1, -1}).input(kSix).error(),
            "schema/attribute-range"));
}

TEST_CASE("Reshape-5 takes the shape from an input") {
  CHECK(same(reshape(5, kSix, {3, 2}).one(), floats({3, 2}, {1, 2, 3, 4, 5, 6})));
  CHECK(same(reshape(5, kSix, {-1}).one(), floats({6}, {1, 2, 3, 4, 5, 6})));
  CHECK(same(reshape(5, kSix, {0, 3, 1}).one(), floats({2, 3, 1}, {1, 2, 3, 4, 5, 6})));
}

TEST_CASE("Reshape-5 knows scalars and empty tensors") {
  CHECK(same(reshape(5, floats({1, 1}, {7}), {}).one(), floats({}, {7})));
  CHECK(same(reshape(5, floats({}, {7}), {1, -1}).one(), floats({1, 1}, {7})));
  const Tensor empty = floats({0, 3}, {});
  CHECK(same(reshape(5, empty, {-1}).one(), floats({0}, {})));
  CHECK(same(reshape(5, empty, {3, -1}).one(), floats({3, 0}, {})));
  CHECK(same(reshape(5, empty, {0, 0}).one(), empty));
  // Nothing says which dimension -1 is when the others give 0.
  CHECK(has(reshape(5, empty, {0, -1}).error(), "undefined/input-range"));
}

TEST_CASE("Reshape-5 moves every type") {
  CHECK(same(reshape(5, strings({2}, {"a", ""}), {2, 1}).one(), strings({2, 1}, {"a", ""})));
  CHECK(same(reshape(5, bools({1, 2}, {true, false}), {2}).one(), bools({2}, {true, false})));
}

TEST_CASE("Reshape-5 errors depend on the values of an input") {
  CHECK(has(reshape(5, kSix, {4, 2}).error(), "undefined/input-range"));
  CHECK(has(reshape(5, kSix, {-1, 4}).error(), "undefined/input-range"));
  CHECK(has(reshape(5, kSix, {-1, 2, -1}).error(), "may hold -1 once"));
  CHECK(has(reshape(5, kSix, {-2, 3}).error(), "shape[0] is -2, must be -1 or more"));
  CHECK(has(reshape(5, kSix, {2, 3, 0}).error(), "has no dimension to copy there"));
  CHECK(has(reshape(5, kSix, {}).error(), "undefined/input-range"));
  CHECK(has(reshape(5, kSix, {int64_t{1} << 40, int64_t{1} << 40}).error(),
            "undefined/input-range"));
  CHECK(has(reshape(5, kSix, {int64_t{1} << 40, int64_t{1} << 40, -1}).error(),
            "must fit data of shape"));
  // A zero behind a product beyond int64: no elements.
  CHECK(same(reshape(14, floats({0}, {}), {INT64_MAX, 4, 0}).attribute("allowzero", 1).run()[0].tensor(),
             floats({INT64_MAX, 4, 0}, {})));
  CHECK(has(NodeUnderTest("Reshape", 5).input(kSix).input(int64s({}, {6})).error(),
            "schema/rank-mismatch"));
}

TEST_CASE("Reshape-13 moves bfloat16") {
  CHECK(same(reshape(13, codes(DType::kBfloat16, {2}, {0x3F80, 0x7FC1}), {2, 1}).one(),
             codes(DType::kBfloat16, {2, 1}, {0x3F80, 0x7FC1})));
}

TEST_CASE("Reshape-14 takes zeros as they are when it may") {
  const Tensor empty = floats({0, 3}, {});
  CHECK(same(reshape(14, empty, {3, 0}).attribute("allowzero", 1).one(), floats({3, 0}, {})));
  CHECK(same(reshape(14, kSix, {0, -1}).one(), kSix));
  CHECK(has(reshape(14, empty, {3, 0}).error(), "undefined/input-range"));  // 0 copies the 3
  CHECK(
      has(reshape(14, empty, {0, -1}).attribute("allowzero", 1).error(), "undefined/input-range"));
  CHECK(has(reshape(14, kSix, {0, 3}).attribute("allowzero", 1).error(), "undefined/input-range"));
}

TEST_CASE("Reshape-21 keeps packed types packed") {
  CHECK(same(reshape(21, codes(DType::kInt4, {3}, {1, 15, 8}), {3, 1}).one(),
             codes(DType::kInt4, {3, 1}, {1, 15, 8})));
}

TEST_CASE("Reshape-25 keeps two-bit types packed") {
  CHECK(same(reshape(25, codes(DType::kUint2, {5}, {1, 2, 3, 0, 1}), {5, 1}).one(),
             codes(DType::kUint2, {5, 1}, {1, 2, 3, 0, 1})));
}

TEST_CASE("Flatten-1 makes a matrix of the axes before and from `axis` on") {
  const Tensor data = floats({2, 1, 3}, {1, 2, 3, 4, 5, 6});
  CHECK(same(NodeUnderTest("Flatten", 1).input(data).one(), floats({2, 3}, {1, 2, 3, 4, 5, 6})));
  CHECK(same(NodeUnderTest("Flatten", 1).attribute("axis", 0).input(data).one(),
             floats({1, 6}, {1, 2, 3, 4, 5, 6})));
  CHECK(same(NodeUnderTest("Flatten", 1).attribute("axis", 3).input(data).one(),
             floats({6, 1}, {1, 2, 3, 4, 5, 6})));
}

TEST_CASE("Flatten-1 knows no negative axis") {
  CHECK(has(
      NodeUnderTest("Flatten", 1).attribute("axis", -1).input(kSix).error(),
      "schema/attribute-range: node \"under_test\" (Flatten-1): axis is -1, must be in [0, 2]"));
  CHECK(has(NodeUnderTest("Flatten", 9).attribute("axis", -1).input(kSix).error(),
            "schema/attribute-range"));
  CHECK(has(NodeUnderTest("Flatten", 1).attribute("axis", 3).input(kSix).error(),
            "schema/attribute-range"));
}

TEST_CASE("Flatten-9 takes every type, empty tensors and scalars") {
  CHECK(same(NodeUnderTest("Flatten", 9).input(strings({2, 2}, {"a", "b", "c", "d"})).one(),
             strings({2, 2}, {"a", "b", "c", "d"})));
  CHECK(same(NodeUnderTest("Flatten", 9).attribute("axis", 2).input(int64s({2, 0, 3}, {})).one(),
             int64s({0, 3}, {})));
  CHECK(same(NodeUnderTest("Flatten", 9).attribute("axis", 0).input(int64s({}, {5})).one(),
             int64s({1, 1}, {5})));
  CHECK(has(NodeUnderTest("Flatten", 9).input(int64s({}, {5})).error(), "schema/attribute-range"));
}

TEST_CASE("Flatten-11 counts a negative axis from the back") {
  const Tensor data = floats({2, 1, 3}, {1, 2, 3, 4, 5, 6});
  CHECK(same(NodeUnderTest("Flatten", 11).attribute("axis", -1).input(data).one(),
             floats({2, 3}, {1, 2, 3, 4, 5, 6})));
  CHECK(same(NodeUnderTest("Flatten", 11).attribute("axis", -3).input(data).one(),
             floats({1, 6}, {1, 2, 3, 4, 5, 6})));
  CHECK(has(NodeUnderTest("Flatten", 11).attribute("axis", -4).input(data).error(),
            "must be in [-3, 3]"));
}

TEST_CASE("Flatten-25 keeps packed types") {
  CHECK(same(NodeUnderTest("Flatten", 25)
                 .input(codes(DType::kInt2, {3}, {1, 2, 3}))
                 .attribute("axis", 0)
                 .one(),
             codes(DType::kInt2, {1, 3}, {1, 2, 3})));
}
