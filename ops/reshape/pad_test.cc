#include "src/run/testing.h"

using namespace onnxv;           // NOLINT
using namespace onnxv::testing;  // NOLINT

namespace {

bool has(const std::string& line, std::string_view part) {
  return line.find(part) != std::string::npos;
}

const Tensor kRows = floats({3, 2}, {1.0, 1.25, 2.25, 3.5, 4.5, 5.75});
const Tensor kFive = floats({5}, {1, 2, 3, 4, 5});

Tensor list(std::vector<int64_t> values) {
  const auto length = static_cast<int64_t>(values.size());
  return int64s({length}, std::move(values));
}

NodeUnderTest pad(int64_t opset, const char* mode, const Tensor& data, std::vector<int64_t> pads) {
  return NodeUnderTest("Pad", opset)
      .attribute("mode", mode)
      .input(data)
      .input(list(std::move(pads)));
}

}  // namespace

TEST_CASE("Pad-1 reads its attribute as all begins, then all ends") {
  CHECK(same(NodeUnderTest("Pad", 1).integers("paddings", {0, 2, 0, 0}).input(kRows).one(),
             floats({3, 4}, {0, 0, 1.0, 1.25, 0, 0, 2.25, 3.5, 0, 0, 4.5, 5.75})));
  // The text's example has the pads of axis 0 first; read so, they would be added at the rows' end.
  CHECK(same(NodeUnderTest("Pad", 1)
                 .integers("paddings", {0, 0, 2, 0})
                 .attribute("value", 9.0)
                 .input(kRows)
                 .one(),
             floats({5, 2}, {1.0, 1.25, 2.25, 3.5, 4.5, 5.75, 9, 9, 9, 9})));
  CHECK(same(NodeUnderTest("Pad", 1)
                 .integers("paddings", {1, 1})
                 .attribute("mode", "edge")
                 .input(kFive)
                 .one(),
             floats({7}, {1, 1, 2, 3, 4, 5, 5})));
}

TEST_CASE("Pad-1 errors") {
  CHECK(has(NodeUnderTest("Pad", 1).input(kFive).error(), "schema/attribute-missing"));
  CHECK(has(NodeUnderTest("Pad", 1).integers("paddings", {1}).input(kFive).error(),
            "schema/shape-mismatch"));
  CHECK(has(NodeUnderTest("Pad", 1).integers("paddings", {-3, -3}).input(kFive).error(),
            "schema/attribute-range: node \"under_test\" (Pad-1): paddings is [-3,-3], must leave "
            "a length of 0 or more"));
  CHECK(has(NodeUnderTest("Pad", 1)
                .integers("paddings", {1, 1})
                .attribute("mode", "wrap")
                .input(kFive)
                .error(),
            "schema/attribute-value"));
}

TEST_CASE("Pad-2 calls its attribute pads, and crops") {
  CHECK(same(NodeUnderTest("Pad", 2).integers("pads", {0, 2, 0, 0}).input(kRows).one(),
             floats({3, 4}, {0, 0, 1.0, 1.25, 0, 0, 2.25, 3.5, 0, 0, 4.5, 5.75})));
  CHECK(same(NodeUnderTest("Pad", 2).integers("pads", {-1, 1}).input(kFive).one(),
             floats({5}, {2, 3, 4, 5, 0})));
  // The float32 value 0.1 rounded once to float16 is 0x2E66.
  CHECK(same(NodeUnderTest("Pad", 2)
                 .integers("pads", {1, 0})
                 .attribute("value", 0.1)
                 .input(codes(DType::kFloat16, {1}, {0x3C00}))
                 .one(),
             codes(DType::kFloat16, {2}, {0x2E66, 0x3C00})));
  CHECK(same(NodeUnderTest("Pad", 2)
                 .integers("pads", {1, 0})
                 .attribute("value", 0.5)
                 .input(doubles({1}, {2}))
                 .one(),
             doubles({2}, {0.5, 2})));
}

TEST_CASE("Pad-11 takes pads and constant_value from inputs") {
  CHECK(same(pad(11, "constant", kRows, {0, 2, 0, 0}).one(),
             floats({3, 4}, {0, 0, 1.0, 1.25, 0, 0, 2.25, 3.5, 0, 0, 4.5, 5.75})));
  CHECK(same(pad(11, "constant", kFive, {1, 0}).input(floats({}, {7})).one(),
             floats({6}, {7, 1, 2, 3, 4, 5})));
  CHECK(same(pad(11, "constant", kFive, {1, 0}).input(floats({1}, {7})).one(),
             floats({6}, {7, 1, 2, 3, 4, 5})));
  // The text's examples of the other modes.
  CHECK(same(pad(11, "reflect", kRows, {0, 2, 0, 0}).one(),
             floats({3, 4}, {1.0, 1.25, 1.0, 1.25, 2.25, 3.5, 2.25, 3.5, 4.5, 5.75, 4.5, 5.75})));
  CHECK(same(pad(11, "edge", kRows, {0, 2, 0, 0}).one(),
             floats({3, 4}, {1.0, 1.0, 1.0, 1.25, 2.25, 2.25, 2.25, 3.5, 4.5, 4.5, 4.5, 5.75})));
}

TEST_CASE("Pad-11 reflects again and again") {
  CHECK(same(pad(11, "reflect", floats({3}, {1, 2, 3}), {5, 4}).one(),
             floats({12}, {2, 1, 2, 3, 2, 1, 2, 3, 2, 1, 2, 3})));
  CHECK(same(pad(11, "reflect", floats({1}, {4}), {2, 1}).one(), floats({4}, {4, 4, 4, 4})));
}

TEST_CASE("Pad-11 crops first") {
  // [2,3,4,5] is left, and reflected at its own ends.
  CHECK(same(pad(11, "reflect", kFive, {-1, 2}).one(), floats({6}, {2, 3, 4, 5, 4, 3})));
  CHECK(same(pad(11, "edge", kFive, {2, -3}).one(), floats({4}, {1, 1, 1, 2})));
  // Constants alone can be cropped past the other end.
  CHECK(
      same(pad(11, "constant", kFive, {-6, 3}).input(floats({}, {7})).one(), floats({2}, {7, 7})));
  CHECK(same(pad(11, "constant", kFive, {-5, 0}).one(), floats({0}, {})));
  CHECK(same(pad(11, "edge", kFive, {-5, 0}).one(), floats({0}, {})));
}

TEST_CASE("Pad-11 errors") {
  CHECK(has(pad(11, "edge", kFive, {-6, 3}).error(), "must leave an element to repeat"));
  CHECK(has(pad(11, "reflect", floats({0}, {}), {1, 0}).error(), "undefined/input-range"));
  CHECK(has(pad(11, "constant", kFive, {-3, -3}).error(), "undefined/input-range"));
  CHECK(has(pad(11, "constant", kFive, {1}).error(), "schema/shape-mismatch"));
  CHECK(has(pad(11, "constant", kFive, {1, 0}).input(floats({2}, {7, 8})).error(),
            "schema/not-one-element"));
  CHECK(has(pad(11, "wrap", kFive, {1, 0}).error(), "must be constant, reflect or edge"));
  CHECK(has(pad(11, "constant", kFive, {INT64_MAX, 0}).error(), "limit/size-overflow"));
}

TEST_CASE("Pad-13 fills with the zero of any type") {
  CHECK(same(pad(13, "constant", strings({1}, {"a"}), {1, 1}).one(), strings({3}, {"", "a", ""})));
  CHECK(same(pad(13, "constant", strings({1}, {"a"}), {1, 0}).input(strings({}, {"z"})).one(),
             strings({2}, {"z", "a"})));
  CHECK(same(pad(13, "constant", bools({1}, {true}), {0, 1}).one(), bools({2}, {true, false})));
  CHECK(same(pad(13, "constant", floats({}, {5}), {}).one(), floats({}, {5})));
  CHECK(same(pad(13, "constant", floats({0, 1}, {}), {1, 0, 0, 1}).one(), floats({1, 2}, {0, 0})));
}

TEST_CASE("Pad-18 pads the named axes") {
  CHECK(same(pad(18, "constant", kRows, {1, 0}).no_input().input(list({-1})).one(),
             floats({3, 3}, {0, 1.0, 1.25, 0, 2.25, 3.5, 0, 4.5, 5.75})));
  CHECK(same(pad(18, "constant", floats({1, 1}, {5}), {1, 0, 0, 1})
                 .no_input()
                 .input(int32s({2}, {1, 0}))
                 .one(),
             floats({2, 2}, {0, 5, 0, 0})));
  CHECK(same(pad(18, "constant", kFive, {1, 0}).input(floats({}, {9})).input(int64s({}, {0})).one(),
             floats({6}, {9, 1, 2, 3, 4, 5})));
  CHECK(same(pad(18, "edge", kFive, {1, 0}).one(), floats({6}, {1, 1, 2, 3, 4, 5})));
  CHECK(has(pad(18, "constant", kRows, {1, 0, 0, 0}).no_input().input(list({0, -2})).error(),
            "must name each axis once"));
  CHECK(has(pad(18, "constant", kRows, {1, 0}).no_input().input(list({2})).error(),
            "undefined/input-range"));
  CHECK(has(pad(18, "wrap", kFive, {1, 0}).error(), "schema/attribute-value"));
}

TEST_CASE("Pad-19 wraps around") {
  CHECK(same(pad(19, "wrap", kRows, {2, 1, 1, 1}).one(),
             floats({6, 4}, {3.5, 2.25, 3.5, 2.25, 5.75, 4.5, 5.75, 4.5, 1.25, 1.0, 1.25, 1.0,
                             3.5, 2.25, 3.5, 2.25, 5.75, 4.5, 5.75, 4.5, 1.25, 1.0, 1.25, 1.0})));
  CHECK(same(pad(19, "wrap", floats({2}, {1, 2}), {5, 3}).one(),
             floats({10}, {2, 1, 2, 1, 2, 1, 2, 1, 2, 1})));
  CHECK(same(pad(19, "constant", kFive, {-2, 0}).one(), floats({3}, {3, 4, 5})));
}

TEST_CASE("Pad-21 pads packed types") {
  CHECK(same(pad(21, "constant", codes(DType::kInt4, {3}, {1, 15, 8}), {1, 1})
                 .input(codes(DType::kInt4, {}, {7}))
                 .one(),
             codes(DType::kInt4, {5}, {7, 1, 15, 8, 7})));
}

TEST_CASE("Pad-25 pads two-bit types") {
  CHECK(same(pad(25, "reflect", codes(DType::kUint2, {3}, {1, 2, 3}), {2, 2}).one(),
             codes(DType::kUint2, {7}, {3, 2, 1, 2, 3, 2, 1})));
}
