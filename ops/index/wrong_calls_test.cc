#include "src/run/wrong_calls.h"

namespace onnxv::testing {
namespace {

NodeUnderTest call(const char* op, int64_t opset, Value a, Value b) { return NodeUnderTest(op, opset).input(std::move(a)).input(std::move(b)); }
NodeUnderTest scatter(const char* op, int64_t opset, const Tensor& indices, const Tensor& updates) {
  return call(op, opset, floats({2, 2}, {1, 2, 3, 4}), indices).input(updates);
}

const Tensor kMatrix = floats({2, 3}, {1, 2, 3, 4, 5, 6});
const Tensor kScalar = floats({}, {1});

TEST_CASE("index: out of range") {
  const std::string two = "must be in [-2, 1]";
  check_wrong_calls({
      {call("Gather", 1, kMatrix, int64s({2}, {0, 2})), "undefined/index-range", "Gather-1", "indices holds 2 at element 1", two},
      {call("Gather", 13, kMatrix, int32s({}, {-3})), "undefined/index-range", "Gather-13", "indices holds -3 at element 0", two},
      {call("Gather", 11, floats({0, 2}, {}), int64s({1}, {0})), "undefined/index-range", "Gather-11", "indices holds 0 at element 0", "but the axis is empty"},
      {call("GatherElements", 13, kMatrix, int64s({1, 1}, {INT64_MIN})), "undefined/index-range", "GatherElements-13", "indices holds -9223372036854775808 at element 0", two},
      {call("GatherND", 12, kMatrix, int64s({1, 2}, {0, 3})), "undefined/index-range", "GatherND-12", "indices holds 3 at element 1", "must be in [-3, 2]"},
      {scatter("Scatter", 9, int64s({1, 1}, {2}), floats({1, 1}, {9})), "undefined/index-range", "Scatter-9", "indices holds 2 at element 0", two},
      {scatter("ScatterElements", 18, int64s({1, 1}, {-3}), floats({1, 1}, {9})), "undefined/index-range", "ScatterElements-18", "indices holds -3 at element 0", two},
      {scatter("ScatterND", 16, int64s({1, 2}, {1, 2}), floats({1}, {9})), "undefined/index-range", "ScatterND-16", "indices holds 2 at element 1", two},
      {call("Compress", 11, kMatrix, bools({3}, {false, false, true})).attribute("axis", 0), "undefined/index-range", "Compress-11", "condition is true at 2", "must select among 2 positions"},
      {call("TensorScatter", 24, floats({1, 2, 1}, {1, 2}), floats({1, 1, 1}, {9})).input(int64s({1}, {2})), "undefined/index-range", "TensorScatter-24", "write_indices hold 2", "must be in [0, 1]"},
      {call("TensorScatter", 24, floats({1, 2, 1}, {1, 2}), floats({1, 1, 1}, {9})).input(int64s({1}, {-1})), "undefined/index-range", "TensorScatter-24", "write_indices hold -1",
       "must be in [0, 1]"},
      {call("OneHot", 11, int64s({1}, {0}), int64s({1}, {-1})).input(floats({2}, {0, 1})), "undefined/input-range", "OneHot-11", "depth is -1", "must be 0 or more"},
      {call("OneHot", 9, int64s({1}, {0}), floats({}, {__builtin_nanf("")})).input(floats({2}, {0, 1})), "undefined/input-range", "OneHot-9", "depth is no int64", "must be 0 or more"},
  });
}

TEST_CASE("index: shapes and axes") {
  check_wrong_calls({
      {call("Gather", 13, kScalar, int64s({}, {0})), "schema/rank-mismatch", "Gather-13", "data is a scalar", "must have rank 1 or more"},
      {call("Gather", 11, kMatrix, int64s({}, {0})).attribute("axis", 2), "schema/attribute-range", "Gather-11", "axis is 2", "must be in [-2, 1]"},
      {call("GatherElements", 11, kMatrix, int64s({1}, {0})), "schema/shape-mismatch", "GatherElements-11", "indices have shape [1]",
       "must have the rank of the data of shape [2,3] and be no longer on the other axes"},
      {call("GatherElements", 13, kMatrix, int64s({1, 4}, {0, 0, 0, 0})), "schema/shape-mismatch", "GatherElements-13", "indices have shape [1,4]",
       "must have the rank of the data of shape [2,3] and be no longer on the other axes"},
      {call("GatherND", 11, kMatrix, int64s({1, 3}, {0, 0, 0})), "schema/shape-mismatch", "GatherND-11", "indices have shape [1,3]", "the last dimension must not exceed 2, the axes that it may index"},
      {call("GatherND", 13, kMatrix, int64s({2, 0}, {})), "schema/shape-mismatch", "GatherND-13", "indices have shape [2,0]", "the last dimension must be positive"},
      {call("GatherND", 12, kMatrix, int64s({2, 1}, {0, 0})).attribute("batch_dims", 2), "schema/attribute-range", "GatherND-12", "batch_dims is 2", "must be in [0, 1]"},
      {call("GatherND", 12, kMatrix, int64s({1, 1}, {0})).attribute("batch_dims", 1), "schema/shape-mismatch", "GatherND-12", "data and indices have shapes [2,3] and [1,1]",
       "must agree on the first 1 axes"},
      {scatter("ScatterElements", 11, int64s({1, 1}, {0}), floats({1}, {9})), "schema/shape-mismatch", "ScatterElements-11", "updates have shape [1]", "must be that of the indices, [1,1]"},
      {scatter("ScatterND", 13, int64s({1, 1}, {0}), floats({1, 1}, {9})), "schema/shape-mismatch", "ScatterND-13", "updates have shape [1,1]", "must have [1,2], one slice for each index tuple"},
      {scatter("ScatterND", 16, int64s({1, 1}, {0}), floats({1, 2}, {9, 9})).attribute("reduction", "max"), "schema/attribute-value", "ScatterND-16", "reduction is \"max\"", "must be none, add or mul"},
      {scatter("ScatterElements", 18, int64s({1, 1}, {0}), floats({1, 1}, {9})).attribute("reduction", "mean"), "schema/attribute-value", "ScatterElements-18", "reduction is \"mean\"",
       "must be none, add, mul, max or min"},
      {call("ScatterElements", 18, strings({1}, {"a"}), int64s({1}, {0})).input(strings({1}, {"b"})).attribute("reduction", "add"), "schema/type-mismatch", "ScatterElements-18",
       "reduction \"add\" of string", "is not defined"},
      {call("Compress", 9, kMatrix, bools({1}, {true})).attribute("axis", -1), "schema/attribute-range", "Compress-9", "axis is -1", "must not be negative"},
      {call("Compress", 28, kScalar, bools({1}, {true})), "schema/rank-mismatch", "Compress-28", "input is a scalar", "must have rank 1 or more"},
      {call("Compress", 11, kMatrix, bools({1, 1}, {true})), "schema/rank-mismatch", "Compress-11", "condition has shape [1,1]", "must have rank 1"},
      {call("OneHot", 28, int64s({1}, {0}), int64s({}, {2})).input(floats({3}, {0, 1, 2})), "schema/shape-mismatch", "OneHot-28", "values have shape [3]", "must be [off_value, on_value]"},
      {call("OneHot", 11, int64s({1}, {0}), int64s({2}, {2, 2})).input(floats({2}, {0, 1})), "schema/not-one-element", "OneHot-11", "depth has shape [2]", "must have one element"},
      {call("TensorScatter", 24, floats({1, 2, 1}, {1, 2}), floats({1, 3, 1}, {9, 9, 9})), "schema/shape-mismatch", "TensorScatter-24", "update has shape [1,3,1]",
       "must be that of the cache, [1,2,1], and no longer on axis 1"},
      {call("TensorScatter", 24, floats({1, 1}, {1}), floats({1, 1}, {9})), "schema/attribute-range", "TensorScatter-24", "axis is 0", "must not be the batch axis"},
      {NodeUnderTest("Unique", 11).input(kMatrix).attribute("axis", 2).outputs(1), "schema/attribute-range", "Unique-11", "axis is 2", "must be in [-2, 1]"},
      {NodeUnderTest("Unique", 28).input(kMatrix).attribute("sorted", 2), "schema/attribute-range", "Unique-28", "sorted is 2", "must be 0 or 1"},
      {call("Where", 16, bools({2}, {true, false}), floats({3}, {1, 2, 3})).input(kScalar), "schema/shape-mismatch", "Where-16", "shapes [2] [3] []", "must broadcast to one shape"},
  });
}

}  // namespace
}  // namespace onnxv::testing
