#include "src/run/testing.h"

using namespace onnxv;           // NOLINT
using namespace onnxv::testing;  // NOLINT

namespace {

bool has(const std::string& line, std::string_view part) {
  return line.find(part) != std::string::npos;
}

const Tensor kA = floats({1, 2}, {1, 2});
const Tensor kB = floats({1, 2}, {3, 4});
const Tensor kFive = floats({5}, {1, 2, 3, 4, 5});

NodeUnderTest split(int64_t opset, const Tensor& input, size_t outputs) {
  return NodeUnderTest("Split", opset).input(input).outputs(outputs);
}

}  // namespace

TEST_CASE("Concat-1 joins along axis 1 unless told") {
  CHECK(same(NodeUnderTest("Concat", 1).input(kA).input(kB).one(), floats({1, 4}, {1, 2, 3, 4})));
  CHECK(same(NodeUnderTest("Concat", 1).attribute("axis", 0).input(kA).input(kB).one(),
             floats({2, 2}, {1, 2, 3, 4})));
  CHECK(has(NodeUnderTest("Concat", 1).attribute("axis", -1).input(kA).input(kB).error(),
            "must be in [0, 1]"));
  CHECK(has(NodeUnderTest("Concat", 1).input(kFive).error(), "schema/attribute-range"));
}

TEST_CASE("Concat-4 must be told its axis") {
  CHECK(same(NodeUnderTest("Concat", 4)
                 .attribute("axis", 0)
                 .input(strings({1}, {"a"}))
                 .input(strings({2}, {"b", "c"}))
                 .one(),
             strings({3}, {"a", "b", "c"})));
  CHECK(has(NodeUnderTest("Concat", 4).input(kA).input(kB).error(), "schema/attribute-missing"));
  CHECK(has(NodeUnderTest("Concat", 4).attribute("axis", -1).input(kA).error(),
            "schema/attribute-range"));
}

TEST_CASE("Concat-11 counts a negative axis from the back") {
  CHECK(same(NodeUnderTest("Concat", 11).attribute("axis", -1).input(kA).input(kB).input(kA).one(),
             floats({1, 6}, {1, 2, 3, 4, 1, 2})));
  CHECK(same(NodeUnderTest("Concat", 11).attribute("axis", -2).input(kA).one(), kA));
  CHECK(same(
      NodeUnderTest("Concat", 11).attribute("axis", 0).input(floats({0, 2}, {})).input(kA).one(),
      kA));
}

TEST_CASE("Concat-11 errors") {
  CHECK(has(NodeUnderTest("Concat", 11).attribute("axis", 0).input(kA).input(kFive).error(),
            "schema/shape-mismatch"));
  CHECK(has(NodeUnderTest("Concat", 11)
                .attribute("axis", 0)
                .input(kA)
                .input(floats({1, 3}, {1, 2, 3}))
                .error(),
            "schema/shape-mismatch"));
  // An empty line is no wildcard, as it once was in NumPy.
  CHECK(
      has(NodeUnderTest("Concat", 11).attribute("axis", 0).input(floats({0}, {})).input(kA).error(),
          "schema/shape-mismatch"));
  CHECK(has(NodeUnderTest("Concat", 11)
                .attribute("axis", 0)
                .input(floats({}, {1}))
                .input(floats({}, {2}))
                .error(),
            "schema/attribute-range"));
  CHECK(has(NodeUnderTest("Concat", 11).attribute("axis", -3).input(kA).error(),
            "must be in [-2, 1]"));
}

TEST_CASE("Concat-13 takes bfloat16 and keeps NaN's bits") {
  CHECK(same(NodeUnderTest("Concat", 13)
                 .attribute("axis", 0)
                 .input(codes(DType::kBfloat16, {1}, {0x7FC1}))
                 .input(codes(DType::kBfloat16, {1}, {2}))
                 .one(),
             codes(DType::kBfloat16, {2}, {0x7FC1, 2})));
}

TEST_CASE("Split-1 takes lengths from the attribute or from floats") {
  NodeUnderTest by_attribute = split(1, kFive, 2).attribute("axis", 0).integers("split", {2, 3});
  CHECK(same(by_attribute.output(0), floats({2}, {1, 2})));
  CHECK(same(by_attribute.output(1), floats({3}, {3, 4, 5})));
  NodeUnderTest by_input = split(1, kFive, 2).attribute("axis", 0).input(floats({2}, {4, 1}));
  CHECK(same(by_input.output(1), floats({1}, {5})));
  CHECK(same(split(1, floats({4}, {1, 2, 3, 4}), 2).attribute("axis", 0).output(1),
             floats({2}, {3, 4})));
}

TEST_CASE("Split-1 errors") {
  CHECK(has(split(1, kFive, 5).error(), "schema/attribute-missing"));
  CHECK(has(split(1, kFive, 5).attribute("axis", -1).error(), "schema/attribute-range"));
  CHECK(has(split(1, kFive, 2).attribute("axis", 0).input(floats({2}, {2.5, 2.5})).error(),
            "undefined/input-range"));
  CHECK(has(split(1, kFive, 2)
                .attribute("axis", 0)
                .integers("split", {2, 3})
                .input(floats({2}, {3, 2}))
                .error(),
            "must agree with the attribute"));
  CHECK(has(split(1, kFive, 2).attribute("axis", 0).error(), "schema/shape-mismatch"));
}

TEST_CASE("Split-2 splits axis 0 equally unless told") {
  NodeUnderTest equal = split(2, floats({2, 2}, {1, 2, 3, 4}), 2);
  CHECK(same(equal.output(0), floats({1, 2}, {1, 2})));
  CHECK(same(equal.output(1), floats({1, 2}, {3, 4})));
  CHECK(same(split(2, floats({2, 3}, {1, 2, 3, 4, 5, 6}), 2)
                 .attribute("axis", -1)
                 .integers("split", {1, 2})
                 .output(1),
             floats({2, 2}, {2, 3, 5, 6})));
  CHECK(has(split(2, kFive, 2).error(), "must divide into 2 equal parts"));
}

TEST_CASE("Split-11 allows lengths of 0") {
  NodeUnderTest node = split(11, strings({2}, {"a", "b"}), 3).integers("split", {0, 2, 0});
  CHECK(same(node.output(0), strings({0}, {})));
  CHECK(same(node.output(1), strings({2}, {"a", "b"})));
  CHECK(same(node.output(2), strings({0}, {})));
}

TEST_CASE("Split-11 wants one length for each output, together the axis") {
  CHECK(has(split(11, kFive, 2).integers("split", {2, 2}).error(), "schema/attribute-range"));
  CHECK(has(split(11, kFive, 2).integers("split", {2, 2, 1}).error(),
            "one length for each of the 2 outputs"));
  CHECK(has(split(11, kFive, 2).integers("split", {-1, 6}).error(), "must not be negative"));
  CHECK(has(split(11, kFive, 1).attribute("axis", 1).error(), "must be in [-1, 0]"));
}

TEST_CASE("Split-13 takes lengths from an input") {
  CHECK(same(split(13, kFive, 2).input(int64s({2}, {1, 4})).output(1), floats({4}, {2, 3, 4, 5})));
  CHECK(same(split(13, floats({0, 2}, {}), 2).output(1), floats({0, 2}, {})));
  CHECK(same(split(13, codes(DType::kBfloat16, {2}, {1, 2}), 2).output(1),
             codes(DType::kBfloat16, {1}, {2})));
  CHECK(has(split(13, kFive, 2).input(int64s({2}, {1, 3})).error(), "undefined/input-range"));
  CHECK(has(split(13, kFive, 2).error(), "schema/shape-mismatch"));
}

TEST_CASE("Split-18 makes the last part smaller") {
  NodeUnderTest node = split(18, kFive, 2).attribute("num_outputs", 2);
  CHECK(same(node.output(0), floats({3}, {1, 2, 3})));
  CHECK(same(node.output(1), floats({2}, {4, 5})));
  CHECK(same(split(18, floats({4}, {1, 2, 3, 4}), 3).attribute("num_outputs", 3).output(2),
             floats({0}, {})));
  CHECK(same(split(18, kFive, 2).input(int64s({2}, {0, 5})).output(1), kFive));
}

TEST_CASE("Split-18 errors") {
  CHECK(has(split(18, kFive, 2).error(), "schema/attribute-conflict"));
  CHECK(has(split(18, kFive, 2).attribute("num_outputs", 2).input(int64s({2}, {2, 3})).error(),
            "schema/attribute-conflict"));
  CHECK(has(split(18, kFive, 2).attribute("num_outputs", 3).error(), "schema/attribute-range"));
  // 2, 2, 1 leaves nothing for a fourth part.
  CHECK(has(split(18, kFive, 4).attribute("num_outputs", 4).error(), "schema/shape-mismatch"));
}
