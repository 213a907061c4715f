#include "src/run/testing.h"

using namespace onnxv;           // NOLINT
using namespace onnxv::testing;  // NOLINT

namespace {

bool has(const std::string& line, std::string_view part) {
  return line.find(part) != std::string::npos;
}

const Tensor kEight = floats({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
const Tensor kTen = floats({10}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});

Tensor list(std::vector<int64_t> values) {
  const auto length = static_cast<int64_t>(values.size());
  return int64s({length}, std::move(values));
}

// One cut of a line of ten.
NodeUnderTest cut(int64_t opset, int64_t start, int64_t end, int64_t step) {
  NodeUnderTest node("Slice", opset);
  return node.input(kTen)
      .input(list({start}))
      .input(list({end}))
      .input(list({0}))
      .input(list({step}));
}

}  // namespace

TEST_CASE("Slice-1 takes starts and ends from attributes") {
  // The text's examples.
  CHECK(same(NodeUnderTest("Slice", 1)
                 .integers("axes", {0, 1})
                 .integers("starts", {1, 0})
                 .integers("ends", {2, 3})
                 .input(kEight)
                 .one(),
             floats({1, 3}, {5, 6, 7})));
  CHECK(same(NodeUnderTest("Slice", 1)
                 .integers("starts", {0, 1})
                 .integers("ends", {-1, 1000})
                 .input(kEight)
                 .one(),
             floats({1, 3}, {2, 3, 4})));
  CHECK(same(
      NodeUnderTest("Slice", 1).integers("starts", {1}).integers("ends", {2}).input(kEight).one(),
      floats({1, 4}, {5, 6, 7, 8})));
  CHECK(same(NodeUnderTest("Slice", 1)
                 .integers("axes", {-1})
                 .integers("starts", {-2})
                 .integers("ends", {INT64_MAX})
                 .input(kEight)
                 .one(),
             floats({2, 2}, {3, 4, 7, 8})));
}

TEST_CASE("Slice-1 errors") {
  CHECK(has(NodeUnderTest("Slice", 1).integers("starts", {1}).input(kEight).error(),
            "schema/attribute-missing"));
  CHECK(has(NodeUnderTest("Slice", 1)
                .integers("starts", {1})
                .integers("ends", {2, 3})
                .input(kEight)
                .error(),
            "schema/shape-mismatch"));
  CHECK(has(NodeUnderTest("Slice", 1)
                .integers("starts", {1, 1})
                .integers("ends", {2, 3})
                .integers("axes", {0, 0})
                .input(kEight)
                .error(),
            "schema/attribute-range"));
  CHECK(has(NodeUnderTest("Slice", 1)
                .integers("starts", {0, 0, 0})
                .integers("ends", {1, 1, 1})
                .input(kEight)
                .error(),
            "schema/shape-mismatch"));
}

TEST_CASE("Slice-10 takes everything from inputs, with steps") {
  CHECK(same(NodeUnderTest("Slice", 10)
                 .input(kEight)
                 .input(list({1, 0}))
                 .input(list({2, 3}))
                 .input(list({0, 1}))
                 .input(list({1, 2}))
                 .one(),
             floats({1, 2}, {5, 7})));
  CHECK(same(
      NodeUnderTest("Slice", 10).input(kEight).input(list({0, 1})).input(list({-1, 1000})).one(),
      floats({1, 3}, {2, 3, 4})));
  CHECK(same(NodeUnderTest("Slice", 10)
                 .input(kEight)
                 .input(int32s({1}, {1}))
                 .input(int32s({1}, {3}))
                 .input(int32s({1}, {1}))
                 .one(),
             floats({2, 2}, {2, 3, 6, 7})));
  CHECK(same(NodeUnderTest("Slice", 10)
                 .input(kTen)
                 .input(list({8}))
                 .input(list({1}))
                 .no_input()
                 .input(list({-3}))
                 .one(),
             floats({3}, {8, 5, 2})));
  CHECK(same(cut(10, -20, -30, -1).one(), floats({1}, {0})));
  CHECK(has(cut(10, 0, 5, 0).error(), "undefined/input-range"));
}

TEST_CASE("Slice-11 counts negative axes from the back") {
  CHECK(same(NodeUnderTest("Slice", 11)
                 .input(kEight)
                 .input(list({1}))
                 .input(list({3}))
                 .input(list({-1}))
                 .one(),
             floats({2, 2}, {2, 3, 6, 7})));
  CHECK(same(NodeUnderTest("Slice", 11)
                 .input(kEight)
                 .input(list({1}))
                 .input(list({3}))
                 .input(int64s({}, {-1}))
                 .one(),
             floats({2, 2}, {2, 3, 6, 7})));
  CHECK(same(cut(11, -20, -30, -1).one(), floats({1}, {0})));
}

TEST_CASE("Slice-13 clamps as the text says") {
  CHECK(same(cut(13, -3, 100, 1).one(), floats({3}, {7, 8, 9})));
  CHECK(same(cut(13, -100, 2, 1).one(), floats({2}, {0, 1})));
  CHECK(same(cut(13, 5, 2, 1).one(), floats({0}, {})));
  CHECK(same(cut(13, 12, 20, 1).one(), floats({0}, {})));
  CHECK(same(cut(13, 12, 6, -1).one(), floats({3}, {9, 8, 7})));
  CHECK(same(cut(13, 2, -100, -1).one(), floats({3}, {2, 1, 0})));
  // -1 means the last element, so nothing lies between.
  CHECK(same(cut(13, 2, -1, -1).one(), floats({0}, {})));
  // Python would take nothing here; the clamp leaves start at 0 and end before it.
  CHECK(same(cut(13, -20, -30, -1).one(), floats({1}, {0})));
}

TEST_CASE("Slice-13 survives the extremes of int64") {
  CHECK(
      same(cut(13, INT64_MAX, INT64_MIN, -1).one(), floats({10}, {9, 8, 7, 6, 5, 4, 3, 2, 1, 0})));
  CHECK(same(cut(13, 0, INT64_MAX, INT64_MAX).one(), floats({1}, {0})));
  CHECK(same(cut(13, -1, INT64_MIN, INT64_MIN).one(), floats({1}, {9})));
  CHECK(same(cut(13, INT64_MIN, INT64_MAX, 4).one(), floats({3}, {0, 4, 8})));
}

TEST_CASE("Slice-13 leaves scalars, cuts empty axes and strings") {
  CHECK(
      same(NodeUnderTest("Slice", 13).input(floats({}, {5})).input(list({})).input(list({})).one(),
           floats({}, {5})));
  CHECK(same(NodeUnderTest("Slice", 13)
                 .input(floats({0, 2}, {}))
                 .input(list({-1}))
                 .input(list({-5}))
                 .input(list({0}))
                 .input(list({-1}))
                 .one(),
             floats({0, 2}, {})));
  CHECK(same(NodeUnderTest("Slice", 13)
                 .input(strings({3}, {"a", "b", "c"}))
                 .input(list({-1}))
                 .input(list({-4}))
                 .no_input()
                 .input(list({-2}))
                 .one(),
             strings({2}, {"c", "a"})));
  CHECK(same(NodeUnderTest("Slice", 13)
                 .input(codes(DType::kBfloat16, {2}, {1, 2}))
                 .input(list({1}))
                 .input(list({2}))
                 .one(),
             codes(DType::kBfloat16, {1}, {2})));
}

TEST_CASE("Slice-13 errors") {
  CHECK(has(cut(13, 0, 5, 0).error(),
            "undefined/input-range: node \"under_test\" (Slice-13): steps[0] is 0, must not be 0"));
  const auto sliced = [](Tensor starts, Tensor ends, Tensor axes, Tensor steps) {
    return NodeUnderTest("Slice", 13)
        .input(kEight)
        .input(starts)
        .input(ends)
        .input(axes)
        .input(steps)
        .error();
  };
  CHECK(has(sliced(list({0, 0}), list({1, 1}), list({0, 0}), list({1, 1})),
            "must name each axis once"));
  CHECK(has(sliced(list({0, 0}), list({1, 1}), list({0, -2}), list({1, 1})),
            "must name each axis once"));
  CHECK(has(sliced(list({0}), list({1}), list({2}), list({1})), "undefined/input-range"));
  CHECK(has(sliced(list({0, 0}), list({1}), list({0}), list({1})), "schema/shape-mismatch"));
  CHECK(has(sliced(list({0}), list({1}), list({0, 1}), list({1})), "schema/shape-mismatch"));
  CHECK(has(sliced(list({0}), list({1}), list({0}), list({1, 1})), "schema/shape-mismatch"));
  CHECK(has(sliced(int64s({1, 1}, {0}), list({1}), list({0}), list({1})), "schema/rank-mismatch"));
}
