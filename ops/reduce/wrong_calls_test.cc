#include "src/run/wrong_calls.h"

namespace onnxv::testing {
namespace {

NodeUnderTest call(const char* op, int64_t opset, Value data) { return NodeUnderTest(op, opset).input(std::move(data)); }

const Tensor kMatrix = floats({2, 3}, {1, 2, 3, 4, 5, 6});

TEST_CASE("reduce: wrong axes") {
  check_wrong_calls({
      {call("ReduceSum", 1, kMatrix).integers("axes", {2}), "schema/attribute-range", "ReduceSum-1", "axes is 2", "must be in [-2, 1]"},
      {call("ReduceMax", 13, kMatrix).integers("axes", {0, -3}), "schema/attribute-range", "ReduceMax-13", "axes is -3", "must be in [-2, 1]"},
      {call("ReduceL1", 18, kMatrix).input(int64s({1}, {INT64_MIN})), "undefined/input-range", "ReduceL1-18", "axes is -9223372036854775808", "must be in [-2, 1]"},
      {call("ReduceL2", 11, kMatrix).integers("axes", {1, -1}), "schema/attribute-value", "ReduceL2-11", "axes names an axis twice", "must name each axis once"},
      {call("ReduceSum", 13, kMatrix).input(int64s({2}, {0, 0})), "undefined/input-range", "ReduceSum-13", "axes names an axis twice", "must name each axis once"},
      {call("ReduceProd", 18, floats({}, {1})).input(int64s({1}, {0})), "undefined/input-range", "ReduceProd-18", "axes is 0", "but the tensor has no axes"},
      {call("ReduceMin", 20, kMatrix).input(int64s({1, 2}, {0, 1})), "schema/rank", "ReduceMin-20", "axes is [1,2]", "must have rank 1"},
  });
}

TEST_CASE("reduce: an element is needed") {
  check_wrong_calls({
      {call("ReduceMean", 18, int32s({0}, {})), "undefined/empty-reduction", "ReduceMean-18", "an integer value of an empty set has no definition", "needs an element"},
      {call("ReduceLogSum", 13, int64s({2, 0}, {})), "undefined/empty-reduction", "ReduceLogSum-13", "an integer value of an empty set has no definition", "needs an element"},
      {call("ReduceLogSumExp", 1, int32s({0, 1}, {})), "undefined/empty-reduction", "ReduceLogSumExp-1", "an integer value of an empty set has no definition", "needs an element"},
      {call("ReduceLogSum", 11, int32s({1}, {-1})), "undefined/integer-logarithm", "ReduceLogSum-11", "the sum of element 0 is not above 0", "has no logarithm that is an integer"},
  });
}

TEST_CASE("reduce: types that a version does not take") {
  check_wrong_calls({
      {call("ReduceMax", 11, int8s({1}, {1})), "schema/type-mismatch", "ReduceMax-11", "input \"data\" is tensor(int8)", "which is not among the types of T"},
      {call("ReduceLogSum", 28, int32s({1}, {1})), "schema/type-mismatch", "ReduceLogSum-28", "input \"data\" is tensor(int32)", "which is not among the types of T"},
      {call("ReduceSumSquare", 18, bools({1}, {true})), "schema/type-mismatch", "ReduceSumSquare-18", "input \"data\" is tensor(bool)", "which is not among the types of T"},
  });
}

}  // namespace
}  // namespace onnxv::testing
