#include "src/run/wrong_calls.h"

namespace onnxv::testing {
namespace {

NodeUnderTest call(const char* op, int64_t opset, const Tensor& x) { return NodeUnderTest(op, opset).input(x); }

const Tensor kMatrix = floats({2, 3}, {1, 2, 3, 4, 5, 6});
const Tensor kLine = floats({3}, {1, 2, 3});
const Tensor kScalar = floats({}, {1});

TEST_CASE("lines: wrong axes") {
  check_wrong_calls({
      {call("Hardmax", 1, kLine), "schema/attribute-range", "Hardmax-1", "axis is 1", "must be in [-1, 0]"},
      {call("Hardmax", 13, kMatrix).attribute("axis", 2), "schema/attribute-range", "Hardmax-13", "axis is 2", "must be in [-2, 1]"},
      {call("Hardmax", 13, kScalar), "schema/attribute-range", "Hardmax-13", "axis is -1", "but the tensor has no axes"},
      {call("Softmax", 11, kMatrix).attribute("axis", -3), "schema/attribute-range", "Softmax-11", "axis is -3", "must be in [-2, 1]"},
      {call("Softmax", 13, kScalar), "schema/attribute-range", "Softmax-13", "axis is -1", "but the tensor has no axes"},
      {call("LogSoftmax", 1, kLine), "schema/attribute-range", "LogSoftmax-1", "axis is 1", "must be in [-1, 0]"},
      {call("LogSoftmax", 13, kLine).attribute("axis", INT64_MIN), "schema/attribute-range", "LogSoftmax-13", "axis is -9223372036854775808", "must be in [-1, 0]"},
      {call("ArgMax", 13, kMatrix).attribute("axis", 2), "schema/attribute-range", "ArgMax-13", "axis is 2", "must be in [-2, 1]"},
      {call("ArgMin", 1, kMatrix).attribute("axis", -3), "schema/attribute-range", "ArgMin-1", "axis is -3", "must be in [-2, 1]"},
      {call("ArgMax", 12, kScalar).attribute("axis", 1), "schema/attribute-range", "ArgMax-12", "axis is 1", "must be in [-1, 0]"},
      {call("TopK", 11, kMatrix).outputs(2).input(int64s({1}, {1})).attribute("axis", 5), "schema/attribute-range", "TopK-11", "axis is 5", "must be in [-2, 1]"},
      {call("CumSum", 14, kMatrix).input(int32s({}, {2})), "undefined/input-range", "CumSum-14", "axis is 2", "must be in [-2, 1]"},
      {call("CumProd", 26, kScalar).input(int64s({}, {0})), "schema/rank", "CumProd-26", "x is a scalar", "must have an axis"},
  });
}

TEST_CASE("lines: an element is needed") {
  check_wrong_calls({
      {call("ArgMax", 11, floats({2, 0}, {})).attribute("axis", 1), "schema/empty-axis", "ArgMax-11", "axis 1 of shape [2,0] is empty", "must have an element"},
      {call("ArgMin", 13, floats({0, 2}, {})), "schema/empty-axis", "ArgMin-13", "axis 0 of shape [0,2] is empty", "must have an element"},
      {call("CumSum", 11, kMatrix).input(int64s({2}, {0, 1})), "schema/not-one-element", "CumSum-11", "axis is int64[2]", "must have one element"},
      {call("CumSum", 11, kMatrix).input(int64s({0}, {})), "schema/not-one-element", "CumSum-11", "axis is int64[0]", "must have one element"},
      {call("TopK", 10, kMatrix).outputs(2).input(int64s({2}, {1, 1})), "schema/not-one-element", "TopK-10", "K is int64[2]", "must have one element"},
      {call("Range", 11, floats({2}, {0, 0})).input(kScalar).input(kScalar), "schema/not-one-element", "Range-11", "start is [2]", "must be a scalar"},
  });
}

TEST_CASE("lines: values out of range") {
  const Tensor one = int64s({}, {1}), zero = int64s({}, {0});
  check_wrong_calls({
      {call("TopK", 1, kMatrix).outputs(2).attribute("k", 4), "schema/attribute-range", "TopK-1", "k is 4", "must be in [0, 3]"},
      {call("TopK", 10, kMatrix).outputs(2).input(int64s({1}, {-1})), "undefined/input-range", "TopK-10", "K is -1", "must be in [0, 3]"},
      {call("TopK", 24, kMatrix).outputs(2).attribute("axis", 0).input(int64s({1}, {3})), "undefined/input-range", "TopK-24", "K is 3", "must be in [0, 2]"},
      {call("Range", 11, zero).input(one).input(zero), "undefined/range-delta", "Range-11", "delta is 0", "must not be"},
      {call("Range", 11, kScalar).input(kScalar).input(floats({}, {-0.0f})), "undefined/range-delta", "Range-11", "delta is 0", "must not be"},
      {call("Range", 27, kScalar).input(floats({}, {__builtin_inff()})).input(kScalar), "undefined/range-operand", "Range-27", "an operand is not finite", "must be"},
      {call("Range", 27, numbers(DType::kFloat16, {}, {0})).input(numbers(DType::kFloat16, {}, {1})).input(numbers(DType::kFloat16, {}, {1})).attribute("stash_type", 7),
       "schema/attribute-value", "Range-27", "stash_type is 7", "must be a float type"},
  });
}

TEST_CASE("lines: losses that contradict themselves") {
  const Tensor labels = int64s({2}, {0, 2});
  check_wrong_calls({
      {call("NegativeLogLikelihoodLoss", 22, kLine).input(labels), "schema/rank", "NegativeLogLikelihoodLoss-22", "the input is [3]", "must have rank 2 or more"},
      {call("NegativeLogLikelihoodLoss", 13, kMatrix).input(int64s({3}, {0, 0, 0})), "schema/shape-mismatch", "NegativeLogLikelihoodLoss-13", "the labels are [3]", "must be [2]"},
      {call("NegativeLogLikelihoodLoss", 12, kMatrix).input(labels).input(floats({2}, {1, 1})), "schema/shape-mismatch", "NegativeLogLikelihoodLoss-12", "the weights are [2]", "must be [3]"},
      {call("NegativeLogLikelihoodLoss", 12, kMatrix).input(labels).attribute("reduction", "max"), "schema/attribute-value", "NegativeLogLikelihoodLoss-12", "reduction is \"max\"", "must be none, sum or mean"},
      {call("SoftmaxCrossEntropyLoss", 13, kMatrix).input(int64s({2}, {0, 3})), "undefined/label-range", "SoftmaxCrossEntropyLoss-13", "label 1 is 3", "must be in [0, 2]"},
      {call("SoftmaxCrossEntropyLoss", 12, kMatrix).input(int32s({2}, {-1, 0})).attribute("ignore_index", -2), "undefined/label-range", "SoftmaxCrossEntropyLoss-12", "label 0 is -1", "must be in [0, 2]"},
  });
}

}  // namespace
}  // namespace onnxv::testing
