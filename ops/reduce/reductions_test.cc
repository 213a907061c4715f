#include "src/run/testing.h"

namespace onnxv::testing {
namespace {

constexpr float kInfinity = __builtin_inff(), kNaN = __builtin_nanf("");

// [[1, 2], [-3, 4]] reduced along axis 1 without keepdims.
const struct { const char* op; std::vector<float> rows; } kRows[] = {
    {"ReduceL1", {3, 7}},      {"ReduceL2", {2.23606801f, 5}},          {"ReduceMax", {2, 4}},  {"ReduceMean", {1.5f, 0.5f}},
    {"ReduceMin", {1, -3}},    {"ReduceProd", {2, -12}},                {"ReduceSum", {3, 1}},  {"ReduceSumSquare", {5, 25}},
    {"ReduceLogSum", {1.09861231f, 0}},  // ln 3, ln 1
    {"ReduceLogSumExp", {2.31326175f, 4.00091147f}}};  // 2 + ln(1 + e^-1), 4 + ln(1 + e^-7)

void check_attribute_version(int64_t version) {
  const Tensor x = floats({2, 2}, {1, 2, -3, 4});
  for (const auto& row : kRows) {
    if (std::string(row.op) == "ReduceSum" && version >= 13) continue;
    CAPTURE(row.op);
    CHECK(same(NodeUnderTest(row.op, version).integers("axes", {1}).attribute("keepdims", 0).input(x).one(), floats({2}, row.rows)));
    CHECK(NodeUnderTest(row.op, version).integers("axes", {2}).input(x).error().find("schema/attribute-range") == 0);
    CHECK(NodeUnderTest(row.op, version).integers("axes", {1, 1}).input(x).error().find("schema/attribute-value") == 0);
    CHECK(NodeUnderTest(row.op, version).input(x).one().shape() == Shape{1, 1});
  }
}

TEST_CASE("ReduceL1-1, ReduceL2-1, ReduceMax-1, ReduceMean-1, ReduceMin-1, ReduceProd-1, ReduceSum-1, ReduceSumSquare-1, ReduceLogSum-1, ReduceLogSumExp-1") {
  check_attribute_version(1);
}
TEST_CASE("ReduceL1-11, ReduceL2-11, ReduceMax-11, ReduceMean-11, ReduceMin-11, ReduceProd-11, ReduceSum-11, ReduceSumSquare-11, ReduceLogSum-11, ReduceLogSumExp-11") {
  check_attribute_version(11);
}
TEST_CASE("ReduceMax-12, ReduceMin-12: 8-bit integers") {
  const Tensor x = int8s({3}, {-5, 7, 1});
  CHECK(same(NodeUnderTest("ReduceMax", 12).attribute("keepdims", 0).input(x).one(), int8s({}, {7})));
  CHECK(same(NodeUnderTest("ReduceMin", 12).attribute("keepdims", 0).input(x).one(), int8s({}, {-5})));
}
TEST_CASE("ReduceL1-13, ReduceL2-13, ReduceMax-13, ReduceMean-13, ReduceMin-13, ReduceProd-13, ReduceSumSquare-13, ReduceLogSum-13, ReduceLogSumExp-13") {
  check_attribute_version(13);
}

TEST_CASE("ReduceSum-13, ReduceL1-18, ReduceL2-18, ReduceMax-18, ReduceMean-18, ReduceMin-18, ReduceProd-18, ReduceSumSquare-18, ReduceLogSum-18, ReduceLogSumExp-18: axes are an input") {
  const Tensor x = floats({2, 2}, {1, 2, -3, 4});
  for (const auto& row : kRows) {
    CAPTURE(row.op);
    CHECK(same(NodeUnderTest(row.op, 18).attribute("keepdims", 0).input(x).input(int64s({1}, {-1})).one(), floats({2}, row.rows)));
  }
  // Without axes and with noop_with_empty_axes the pointwise part stays.
  CHECK(same(NodeUnderTest("ReduceL1", 18).attribute("noop_with_empty_axes", 1).input(x).one(), floats({2, 2}, {1, 2, 3, 4})));
  CHECK(same(NodeUnderTest("ReduceSumSquare", 18).attribute("noop_with_empty_axes", 1).input(x).input(int64s({0}, {})).one(),
             floats({2, 2}, {1, 4, 9, 16})));
  CHECK(same(NodeUnderTest("ReduceSum", 13).attribute("keepdims", 0).input(x).one(), floats({}, {4})));
}

TEST_CASE("ReduceMax-20, ReduceMin-20: Bool") {
  const Tensor x = bools({2, 2}, {false, true, false, false});
  CHECK(same(NodeUnderTest("ReduceMax", 20).attribute("keepdims", 0).input(x).input(int64s({1}, {1})).one(), bools({2}, {true, false})));
  CHECK(same(NodeUnderTest("ReduceMin", 20).attribute("keepdims", 0).input(x).input(int64s({1}, {1})).one(), bools({2}, {false, false})));
}

TEST_CASE("ReduceSum-13, ReduceProd-18, ReduceL2-18: nothing overflows on the way") {
  CHECK(same(NodeUnderTest("ReduceSum", 13).attribute("keepdims", 0).input(floats({3}, {3e38f, 3e38f, -3e38f})).one(), floats({}, {3e38f})));
  CHECK(same(NodeUnderTest("ReduceProd", 18).attribute("keepdims", 0).input(floats({3}, {0x1p100f, 0x1p100f, 0x1p-100f})).one(), floats({}, {0x1p100f})));
  CHECK(same(NodeUnderTest("ReduceL2", 18).attribute("keepdims", 0).input(floats({2}, {0x1.8p100f, 0x1p101f})).one(), floats({}, {0x1.4p101f})));
  CHECK(same(NodeUnderTest("ReduceSum", 13).attribute("keepdims", 0).input(int32s({2}, {INT32_MAX, 1})).one(), int32s({}, {INT32_MIN})));
}

// Lines of eight and more are added plainly first: what that leaves open must come out right too.
TEST_CASE("ReduceSum-13, ReduceMean-18, ReduceL1-18, ReduceL2-18, ReduceSumSquare-18: long lines") {
  constexpr float kInfinity = __builtin_inff();
  // One line a row: it cancels; it is a tie between 2^24 and 2^24 + 2; all -0; infinities of both signs; an infinity.
  std::vector<float> rows(5 * 9, 0.0f);
  rows[0] = 1e8f, rows[4] = 1, rows[8] = -1e8f;
  rows[9] = 16777216, rows[13] = 1;
  for (size_t i = 18; i < 27; ++i) rows[i] = -0.0f;
  rows[28] = kInfinity, rows[35] = -kInfinity;
  rows[40] = -kInfinity;
  const std::vector<float> sums{1, 16777216, -0.0f, __builtin_nanf(""), -kInfinity};
  std::vector<float> columns(rows.size());
  for (size_t line = 0; line < 5; ++line) {
    for (size_t i = 0; i < 9; ++i) columns[i * 5 + line] = rows[line * 9 + i];
  }
  const auto reduce = [](const char* op, int opset, Tensor x, int64_t axis) {
    return NodeUnderTest(op, opset).attribute("keepdims", 0).input(std::move(x)).input(int64s({1}, {axis})).one();
  };
  CHECK(same(reduce("ReduceSum", 13, floats({5, 9}, rows), 1), floats({5}, sums)));
  CHECK(same(reduce("ReduceSum", 13, floats({9, 5}, columns), 0), floats({5}, sums)));
  CHECK(same(reduce("ReduceMean", 18, floats({1, 8}, {1, 2, 3, 4, 5, 6, 7, 8}), 1), floats({1}, {4.5f})));
  CHECK(same(reduce("ReduceL1", 18, floats({1, 8}, {-1, 2, -3, 4, -5, 6, -7, 8}), 1), floats({1}, {36})));
  CHECK(same(reduce("ReduceSumSquare", 18, floats({1, 8}, {-1, 2, -3, 4, -5, 6, -7, 8}), 1), floats({1}, {204})));
  CHECK(same(reduce("ReduceL2", 18, floats({1, 9}, {3, -3, 3, 3, -3, 3, 3, 3, 3}), 1), floats({1}, {9})));
}

TEST_CASE("ReduceSum-13, ReduceMax-18, ReduceMean-18, ReduceProd-18, ReduceLogSumExp-18: the empty set") {
  const Tensor none = floats({0}, {});
  const auto value = [&](const char* op) { return NodeUnderTest(op, 18).attribute("keepdims", 0).input(none).one(); };
  CHECK(same(value("ReduceSum"), floats({}, {0})));
  CHECK(same(value("ReduceProd"), floats({}, {1})));
  CHECK(same(value("ReduceMax"), floats({}, {-kInfinity})));
  CHECK(same(value("ReduceMin"), floats({}, {kInfinity})));
  CHECK(same(value("ReduceMean"), floats({}, {kNaN})));
  CHECK(same(value("ReduceLogSumExp"), floats({}, {-kInfinity})));
  CHECK(same(NodeUnderTest("ReduceMax", 18).attribute("keepdims", 0).input(int32s({0}, {})).one(), int32s({}, {INT32_MIN})));
  CHECK(NodeUnderTest("ReduceMean", 18).attribute("keepdims", 0).input(int32s({0}, {})).error().find("undefined/empty-reduction") == 0);
}

TEST_CASE("ReduceMean-18, ReduceL2-18: integers are truncated; ReduceMax-18: NaN propagates from anywhere") {
  CHECK(same(NodeUnderTest("ReduceMean", 18).attribute("keepdims", 0).input(int32s({2}, {-3, -4})).one(), int32s({}, {-3})));
  CHECK(same(NodeUnderTest("ReduceL2", 18).attribute("keepdims", 0).input(int32s({2}, {3, -4})).one(), int32s({}, {5})));
  CHECK(same(NodeUnderTest("ReduceMax", 18).attribute("keepdims", 0).input(floats({3}, {1, kNaN, 3})).one(), floats({}, {kNaN})));
  CHECK(same(NodeUnderTest("ReduceLogSumExp", 18).attribute("keepdims", 0).input(floats({2}, {kInfinity, -kInfinity})).one(), floats({}, {kInfinity})));
}

TEST_CASE("ReduceLogSum-18, ReduceLogSumExp-18: integers are truncated, and a sum without a logarithm is an error") {
  const auto value = [](const char* op, Tensor x) { return NodeUnderTest(op, 18).attribute("keepdims", 0).input(x).input(int64s({1}, {1})); };
  CHECK(same(value("ReduceLogSum", int32s({2, 2}, {1, 2, 3, 5})).one(), int32s({2}, {1, 2})));        // ln 3 = 1.09…, ln 8 = 2.07…
  CHECK(same(value("ReduceLogSumExp", int32s({2, 2}, {0, 0, 1, 2})).one(), int32s({2}, {0, 2})));  // 0.69…, 2.31…
  CHECK(value("ReduceLogSum", int32s({2, 2}, {1, 2, 0, 0})).error() ==
        "undefined/integer-logarithm: node \"under_test\" (ReduceLogSum-18): the sum of element 1 is not above 0, has no logarithm that is an integer");
}

}  // namespace
}  // namespace onnxv::testing
