#include "ops/control/small_graphs.h"
#include "src/run/testing.h"

namespace onnxv::testing {
namespace {

constexpr DType kInt = DType::kInt64;

// s' = s + x; y = s'.
Graph running_sum(std::vector<DeclaredDim> shape) {
  return graph({port("s", kInt, shape), port("x", kInt, shape)},
               {node("Add", {"s", "x"}, {"s2"}), node("Identity", {"s2"}, {"y"})},
               {port("s2", kInt, shape), port("y", kInt, shape)});
}

NodeUnderTest sum_scan(int64_t opset, Tensor start, Tensor x) {
  const std::vector<DeclaredDim> shape(static_cast<size_t>(start.rank()), DeclaredDim("N"));
  return NodeUnderTest("Scan", opset)
      .attribute("body", running_sum(shape))
      .attribute("num_scan_inputs", 1)
      .input(std::move(start))
      .input(std::move(x))
      .outputs(2);
}

void check_default(int64_t opset) {
  CAPTURE(opset);
  // Rows 1 2 / 3 4 / 5 6 from 10 20: 11 22 / 14 26 / 19 32.
  NodeUnderTest scan = sum_scan(opset, int64s({2}, {10, 20}), int64s({3, 2}, {1, 2, 3, 4, 5, 6}));
  CHECK(same(scan.output(0), int64s({2}, {19, 32})));
  CHECK(same(scan.output(1), int64s({3, 2}, {11, 22, 14, 26, 19, 32})));
}

}  // namespace

TEST_CASE("Scan-9 along axis 0") { check_default(9); }
TEST_CASE("Scan-11 along axis 0") { check_default(11); }
TEST_CASE("Scan-16 along axis 0") { check_default(16); }
TEST_CASE("Scan-19 along axis 0") { check_default(19); }
TEST_CASE("Scan-21 along axis 0") { check_default(21); }
TEST_CASE("Scan-23 along axis 0") { check_default(23); }
TEST_CASE("Scan-24 along axis 0") { check_default(24); }
TEST_CASE("Scan-25 along axis 0") { check_default(25); }

TEST_CASE("Scan-9 reversed input, prepended output") {
  // Elements come as 5 6 / 3 4 / 1 2: sums 15 26 / 18 30 / 19 32; prepended: the last first.
  NodeUnderTest scan = sum_scan(9, int64s({2}, {10, 20}), int64s({3, 2}, {1, 2, 3, 4, 5, 6}))
                           .integers("scan_input_directions", {1})
                           .integers("scan_output_directions", {1});
  CHECK(same(scan.output(1), int64s({3, 2}, {19, 32, 18, 30, 15, 26})));
  NodeUnderTest appended =
      sum_scan(9, int64s({2}, {10, 20}), int64s({3, 2}, {1, 2, 3, 4, 5, 6})).integers("scan_input_directions", {1});
  CHECK(same(appended.output(1), int64s({3, 2}, {15, 26, 18, 30, 19, 32})));
}

TEST_CASE("Scan-11 other axes, counted from the back") {
  // Columns 1 3 5 / 2 4 6 of the same matrix: sums 11 23 35 / 13 27 41, side by side.
  NodeUnderTest scan = sum_scan(11, int64s({3}, {10, 20, 30}), int64s({3, 2}, {1, 2, 3, 4, 5, 6}))
                           .integers("scan_input_axes", {-1})
                           .integers("scan_output_axes", {-1});
  CHECK(same(scan.output(0), int64s({3}, {13, 27, 41})));
  CHECK(same(scan.output(1), int64s({3, 2}, {11, 13, 23, 27, 35, 41})));
}

TEST_CASE("Scan-11 zero iterations") {
  NodeUnderTest scan = sum_scan(11, int64s({2}, {10, 20}), int64s({2, 0}, {}))
                           .integers("scan_input_axes", {1})
                           .integers("scan_output_axes", {1});
  CHECK(same(scan.output(0), int64s({2}, {10, 20})));
  CHECK(same(scan.output(1), int64s({2, 0}, {})));
  const Graph undeclared =
      graph({port("s", kInt), port("x", kInt)}, {node("Add", {"s", "x"}, {"s2"}), node("Identity", {"s2"}, {"y"})},
            {port("s2", kInt), port("y", kInt)});
  CHECK(NodeUnderTest("Scan", 11)
            .attribute("body", undeclared)
            .attribute("num_scan_inputs", 1)
            .input(int64s({2}, {1, 2}))
            .input(int64s({0, 2}, {}))
            .outputs(2)
            .error()
            .find("undefined/zero-trip-scan") == 0);
}

TEST_CASE("Scan-11 errors") {
  const Tensor start = int64s({2}, {0, 0});
  const Tensor x = int64s({3, 2}, {1, 2, 3, 4, 5, 6});
  CHECK(sum_scan(11, start, x).integers("scan_input_axes", {2}).error().find("schema/attribute-range") == 0);
  CHECK(sum_scan(11, start, x).integers("scan_output_axes", {-3}).error().find("schema/attribute-range") == 0);
  CHECK(sum_scan(11, start, x).integers("scan_input_directions", {2}).error().find("schema/attribute-range") == 0);
  CHECK(sum_scan(11, start, x).integers("scan_output_directions", {0, 0}).error().find("schema/list-length") == 0);
  // A state that changes its shape: [1] becomes [2].
  CHECK(sum_scan(11, int64s({1}, {0}), x).error().find("body output \"s2\" changes its shape to [2], must stay [1]") !=
        std::string::npos);
  CHECK(NodeUnderTest("Scan", 11)
            .attribute("body", running_sum({"N"}))
            .attribute("num_scan_inputs", 3)
            .input(start)
            .input(x)
            .outputs(2)
            .error()
            .find("num_scan_inputs is 3, must be in [1, 2]") != std::string::npos);
}

TEST_CASE("Scan-11 inputs of different lengths") {
  const Graph body = graph({port("a", kInt), port("b", kInt)}, {node("Add", {"a", "b"}, {"y"})}, {port("y", kInt)});
  CHECK(NodeUnderTest("Scan", 11)
            .attribute("body", body)
            .attribute("num_scan_inputs", 2)
            .input(int64s({2}, {1, 2}))
            .input(int64s({3}, {1, 2, 3}))
            .error()
            .find("schema/shape-mismatch") == 0);
}

TEST_CASE("Scan-8 batches of different lengths, the second reversed") {
  // Batch 0: start 100, elements 1 2 (length 2): 101 103. Batch 1: start 200, elements 4 5 6: 204 209 215.
  const auto scan = [](std::vector<int64_t> directions) {
    return NodeUnderTest("Scan", 8)
        .attribute("body", running_sum({}))
        .attribute("num_scan_inputs", 1)
        .integers("directions", std::move(directions))
        .input(int64s({2}, {2, 3}))
        .input(int64s({2}, {100, 200}))
        .input(int64s({2, 3}, {1, 2, 3, 4, 5, 6}))
        .outputs(2);
  };
  NodeUnderTest forward = scan({0});
  CHECK(same(forward.output(0), int64s({2}, {103, 215})));
  CHECK(same(forward.output(1), int64s({2, 3}, {101, 103, 0, 204, 209, 215})));
  const std::vector<UnspecifiedMark> marks = forward.unspecified();
  REQUIRE(marks.size() == 1);
  CHECK(marks[0].output == 1);
  CHECK(marks[0].slug == "scan-rows-beyond-length");
  CHECK(marks[0].elements == std::vector<uint8_t>{0, 0, 1, 0, 0, 0});
  // Reversed: only the first two of batch 0, from the second on: 102 103; batch 1: 206 211 215.
  CHECK(same(scan({1}).output(1), int64s({2, 3}, {102, 103, 0, 206, 211, 215})));
}

TEST_CASE("Scan-8 without lengths, and a batch of none") {
  const auto scan = [](Tensor start, Tensor x) {
    return NodeUnderTest("Scan", 8)
        .attribute("body", running_sum({}))
        .attribute("num_scan_inputs", 1)
        .no_input()
        .input(std::move(start))
        .input(std::move(x))
        .outputs(2);
  };
  CHECK(same(scan(int64s({1}, {1}), int64s({1, 2}, {2, 3})).output(1), int64s({1, 2}, {3, 6})));
  CHECK(scan(int64s({1}, {1}), int64s({1, 2}, {2, 3})).unspecified().empty());
  NodeUnderTest none = scan(int64s({0}, {}), int64s({0, 4}, {}));
  CHECK(same(none.output(0), int64s({0}, {})));
  CHECK(same(none.output(1), int64s({0, 4}, {})));
}

TEST_CASE("Scan-8 errors") {
  const auto error = [](Tensor lengths, Tensor start) {
    return NodeUnderTest("Scan", 8)
        .attribute("body", running_sum({}))
        .attribute("num_scan_inputs", 1)
        .input(std::move(lengths))
        .input(std::move(start))
        .input(int64s({2, 3}, {1, 2, 3, 4, 5, 6}))
        .outputs(2)
        .error();
  };
  CHECK(error(int64s({2}, {2, 4}), int64s({2}, {0, 0})).find("undefined/index-range") == 0);
  CHECK(error(int64s({2}, {-1, 3}), int64s({2}, {0, 0})).find("sequence_lens holds -1, must be in [0, 3]") !=
        std::string::npos);
  CHECK(error(int64s({1}, {2}), int64s({2}, {0, 0})).find("schema/shape-mismatch") == 0);
  CHECK(error(int64s({2}, {1, 1}), int64s({3}, {0, 0, 0})).find("schema/shape-mismatch") == 0);
}

}  // namespace onnxv::testing
