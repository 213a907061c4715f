#include "src/run/testing.h"

using namespace onnxv;           // NOLINT
using namespace onnxv::testing;  // NOLINT

namespace {

bool has(const std::string& line, std::string_view part) {
  return line.find(part) != std::string::npos;
}

const Tensor kRows = floats({3, 2}, {1, 2, 3, 4, 5, 6});

NodeUnderTest gather(int64_t opset, const Tensor& data, const Tensor& indices, int64_t axis = 0) {
  return NodeUnderTest("Gather", opset).attribute("axis", axis).input(data).input(indices);
}

NodeUnderTest gather_elements(int64_t opset, const Tensor& data, const Tensor& indices,
                              int64_t axis = 0) {
  return NodeUnderTest("GatherElements", opset).attribute("axis", axis).input(data).input(indices);
}

NodeUnderTest gather_nd(int64_t opset, const Tensor& data, const Tensor& indices) {
  return NodeUnderTest("GatherND", opset).input(data).input(indices);
}

const Tensor kSquare = int32s({2, 2}, {0, 1, 2, 3});
const Tensor kCube = int32s({2, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7});

}  // namespace

TEST_CASE("Gather-1 puts the indices' axes in the place of one") {
  // The text's examples.
  CHECK(same(gather(1, kRows, int64s({2, 2}, {0, 1, 1, 2})).one(),
             floats({2, 2, 2}, {1, 2, 3, 4, 3, 4, 5, 6})));
  CHECK(
      same(gather(1, floats({3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}), int64s({1, 2}, {0, 2}), 1).one(),
           floats({3, 1, 2}, {1, 3, 4, 6, 7, 9})));
  CHECK(same(gather(1, kRows, int32s({1}, {2}), -2).one(), floats({1, 2}, {5, 6})));
  CHECK(same(gather(1, kRows, int64s({1}, {-1})).one(), floats({1, 2}, {5, 6})));
}

TEST_CASE("Gather-11 counts negative indices from the end") {
  CHECK(same(gather(11, kRows, int64s({2}, {-1, -3})).one(), floats({2, 2}, {5, 6, 1, 2})));
  // A scalar index drops the axis.
  CHECK(same(gather(11, kRows, int64s({}, {1})).one(), floats({2}, {3, 4})));
  CHECK(same(gather(11, kRows, int64s({}, {1}), 1).one(), floats({3}, {2, 4, 6})));
}

TEST_CASE("Gather-13 moves every type, and nothing") {
  CHECK(same(gather(13, strings({2}, {"a", "b"}), int64s({3}, {1, 0, 1})).one(),
             strings({3}, {"b", "a", "b"})));
  CHECK(same(gather(13, codes(DType::kBfloat16, {2}, {1, 0x7FC1}), int64s({1}, {1})).one(),
             codes(DType::kBfloat16, {1}, {0x7FC1})));
  CHECK(same(gather(13, kRows, int64s({0}, {})).one(), floats({0, 2}, {})));
  CHECK(same(gather(13, floats({0, 2}, {}), int64s({0, 3}, {})).one(), floats({0, 3, 2}, {})));
  CHECK(same(gather(13, floats({2, 0}, {}), int64s({1}, {1})).one(), floats({1, 0}, {})));
  // Longer lines than one piece.
  CHECK(same(
      gather(13, int32s({2, 9}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17}),
             int64s({1}, {1}))
          .one(),
      int32s({1, 9}, {9, 10, 11, 12, 13, 14, 15, 16, 17})));
}

TEST_CASE("Gather-13 errors") {
  CHECK(has(gather(13, kRows, int64s({1}, {3})).error(),
            "undefined/index-range: node \"under_test\" (Gather-13): indices holds 3 at element 0, "
            "must be in [-3, 2]"));
  CHECK(has(gather(13, kRows, int64s({1}, {-4})).error(), "undefined/index-range"));
  CHECK(has(gather(13, floats({0, 2}, {}), int64s({1}, {0})).error(), "undefined/index-range"));
  CHECK(has(gather(13, floats({2, 0}, {}), int64s({1}, {2})).error(), "undefined/index-range"));
  CHECK(has(gather(13, floats({}, {1}), int64s({1}, {0})).error(), "schema/rank-mismatch"));
  CHECK(has(gather(13, kRows, int64s({1}, {0}), 2).error(), "schema/attribute-range"));
}

TEST_CASE("GatherElements-11 takes one element for each index") {
  CHECK(
      same(gather_elements(11, int32s({2, 2}, {1, 2, 3, 4}), int64s({2, 2}, {0, 0, 1, 0}), 1).one(),
           int32s({2, 2}, {1, 1, 4, 3})));
  CHECK(same(gather_elements(11, int32s({3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}),
                             int64s({2, 3}, {1, 2, 0, 2, 0, 0}))
                 .one(),
             int32s({2, 3}, {4, 8, 3, 7, 2, 3})));
  CHECK(same(
      gather_elements(11, strings({2, 2}, {"a", "b", "c", "d"}), int32s({1, 1}, {-1}), -1).one(),
      strings({1, 1}, {"b"})));
  CHECK(same(gather_elements(11, kRows, int64s({0, 2}, {})).one(), floats({0, 2}, {})));
  // More indices than the axis has elements.
  CHECK(same(gather_elements(11, int32s({2}, {1, 2}), int64s({3}, {1, 1, 0})).one(),
             int32s({3}, {2, 2, 1})));
}

TEST_CASE("GatherElements-11 errors") {
  CHECK(has(gather_elements(11, kRows, int64s({1, 1}, {3})).error(), "undefined/index-range"));
  CHECK(has(gather_elements(11, kRows, int64s({1}, {0})).error(), "schema/shape-mismatch"));
  CHECK(
      has(gather_elements(11, kRows, int64s({1, 3}, {0, 0, 0})).error(), "schema/shape-mismatch"));
  CHECK(has(gather_elements(11, floats({}, {1}), int64s({}, {0})).error(), "schema/rank-mismatch"));
}

TEST_CASE("GatherElements-13 takes bfloat16") {
  CHECK(same(gather_elements(13, codes(DType::kBfloat16, {2}, {1, 2}), int64s({2}, {-1, 0})).one(),
             codes(DType::kBfloat16, {2}, {2, 1})));
}

TEST_CASE("GatherND-11 takes a slice for each tuple") {
  CHECK(same(gather_nd(11, kSquare, int64s({2, 2}, {0, 0, 1, 1})).one(), int32s({2}, {0, 3})));
  CHECK(same(gather_nd(11, kSquare, int64s({2, 1}, {1, 0})).one(), int32s({2, 2}, {2, 3, 0, 1})));
  CHECK(
      same(gather_nd(11, kCube, int64s({2, 2}, {0, 1, 1, 0})).one(), int32s({2, 2}, {2, 3, 4, 5})));
  CHECK(same(gather_nd(11, kCube, int64s({2, 1, 2}, {0, 1, 1, 0})).one(),
             int32s({2, 1, 2}, {2, 3, 4, 5})));
  CHECK(same(gather_nd(11, kSquare, int64s({2}, {-1, -2})).one(), int32s({}, {2})));
  CHECK(same(gather_nd(11, strings({2}, {"a", "b"}), int64s({1, 1}, {1})).one(),
             strings({1}, {"b"})));
  CHECK(same(gather_nd(11, kSquare, int64s({0, 1}, {})).one(), int32s({0, 2}, {})));
}

TEST_CASE("GatherND-11 errors") {
  CHECK(has(gather_nd(11, kSquare, int64s({1, 2}, {0, 2})).error(), "undefined/index-range"));
  CHECK(has(gather_nd(11, kSquare, int64s({1, 3}, {0, 0, 0})).error(), "schema/shape-mismatch"));
  CHECK(has(gather_nd(11, kSquare, int64s({1, 0}, {})).error(),
            "the last dimension must be positive"));
  CHECK(has(gather_nd(11, kSquare, int64s({}, {0})).error(), "schema/rank-mismatch"));
  CHECK(has(gather_nd(11, int32s({}, {0}), int64s({1}, {0})).error(), "schema/rank-mismatch"));
}

TEST_CASE("GatherND-12 shares leading axes") {
  CHECK(same(gather_nd(12, kCube, int64s({2, 1}, {1, 0})).attribute("batch_dims", 1).one(),
             int32s({2, 2}, {2, 3, 4, 5})));
  CHECK(same(gather_nd(12, kCube, int64s({2, 1}, {1, 0})).one(),
             int32s({2, 2, 2}, {4, 5, 6, 7, 0, 1, 2, 3})));
  // Two batch axes, one scalar each.
  CHECK(same(gather_nd(12, kCube, int64s({2, 2, 1}, {0, 1, 1, 0})).attribute("batch_dims", 2).one(),
             int32s({2, 2}, {0, 3, 5, 6})));
  CHECK(same(gather_nd(12, int32s({0, 2}, {}), int64s({0, 1}, {})).attribute("batch_dims", 1).one(),
             int32s({0}, {})));
}

TEST_CASE("GatherND-12 errors") {
  CHECK(has(gather_nd(12, kCube, int64s({2, 1}, {1, 0})).attribute("batch_dims", 2).error(),
            "schema/attribute-range"));
  CHECK(has(gather_nd(12, kCube, int64s({2, 1}, {1, 0})).attribute("batch_dims", -1).error(),
            "schema/attribute-range"));
  CHECK(has(gather_nd(12, kCube, int64s({1, 1}, {1})).attribute("batch_dims", 1).error(),
            "schema/shape-mismatch"));
  CHECK(has(gather_nd(12, kSquare, int64s({2, 2}, {0, 0, 0, 0})).attribute("batch_dims", 1).error(),
            "schema/shape-mismatch"));
}

TEST_CASE("GatherND-13 takes bfloat16") {
  CHECK(same(gather_nd(13, codes(DType::kBfloat16, {2}, {1, 2}), int64s({1, 1}, {-1})).one(),
             codes(DType::kBfloat16, {1}, {2})));
}
