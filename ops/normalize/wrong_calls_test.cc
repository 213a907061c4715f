#include "src/run/wrong_calls.h"

namespace onnxv::testing {
namespace {

NodeUnderTest call(const char* op, int64_t opset, Value x) { return NodeUnderTest(op, opset).input(std::move(x)); }
NodeUnderTest batch(int64_t opset, Value x, const Tensor& parameter) {
  return call("BatchNormalization", opset, std::move(x)).input(parameter).input(parameter).input(parameter).input(parameter);
}
NodeUnderTest groups(int64_t opset, int64_t count, const Tensor& scale) {
  return call("GroupNormalization", opset, floats({1, 4}, {1, 2, 3, 4})).input(scale).input(scale).attribute("num_groups", count);
}

const Tensor kMatrix = floats({2, 3}, {1, 2, 3, 4, 5, 6});
const Tensor kImage(DType::kFloat, {1, 2, 2, 2});
const Tensor kPair = floats({2}, {1, 1}), kThree = floats({3}, {1, 1, 1});

TEST_CASE("normalize: parameters that do not fit") {
  check_wrong_calls({
      {batch(15, kMatrix, kPair), "schema/shape-mismatch", "BatchNormalization-15", "scale is [2]", "must be [3]"},
      {batch(9, kMatrix, floats({3, 1}, {1, 1, 1})), "schema/shape-mismatch", "BatchNormalization-9", "scale is [3,1]", "must be [3]"},
      {batch(6, kImage, kThree).attribute("is_test", 1), "schema/shape-mismatch", "BatchNormalization-6", "scale is [3]", "must be [2]"},
      {batch(7, kImage, kThree).attribute("spatial", 0), "schema/shape-mismatch", "BatchNormalization-7", "scale is [3]", "must be [2,2,2]"},
      {batch(14, floats({}, {1}), kPair), "schema/rank", "BatchNormalization-14", "X is a scalar", "must have rank 1 or more"},
      {call("InstanceNormalization", 22, kImage).input(kThree).input(kPair), "schema/shape-mismatch", "InstanceNormalization-22", "scale is [3]", "must be [2]"},
      {call("InstanceNormalization", 6, kImage).input(kPair).input(floats({1}, {1})), "schema/shape-mismatch", "InstanceNormalization-6", "B is [1]", "must be [2]"},
      {call("InstanceNormalization", 1, kMatrix).input(kThree).input(kThree), "schema/rank", "InstanceNormalization-1", "input is [2,3]", "must have rank 3 or more"},
      {groups(21, 2, kPair), "schema/shape-mismatch", "GroupNormalization-21", "scale is [2]", "must be [4]"},
      {groups(18, 2, floats({4}, {1, 1, 1, 1})), "schema/shape-mismatch", "GroupNormalization-18", "scale is [4]", "must be [2]"},
      {call("LayerNormalization", 17, kMatrix).input(kPair), "schema/shape-mismatch", "LayerNormalization-17", "Scale is [2] for X [2,3]", "must broadcast to X"},
      {call("LayerNormalization", 17, kMatrix).input(kThree).input(kPair), "schema/shape-mismatch", "LayerNormalization-17", "B is [2] for X [2,3]", "must broadcast to X"},
      {call("RMSNormalization", 23, kThree).input(kMatrix), "schema/shape-mismatch", "RMSNormalization-23", "scale is [2,3] for X [3]", "must broadcast to X"},
  });
}

TEST_CASE("normalize: attributes") {
  check_wrong_calls({
      {batch(14, kMatrix, kThree).outputs(2), "schema/output-invalid", "BatchNormalization-14", "an output beside Y is wanted with training_mode 0", "only Y exists then"},
      {groups(21, 3, kThree), "schema/attribute-value", "GroupNormalization-21", "num_groups is 3 for 4 channels", "must divide them"},
      {groups(18, 0, kThree), "schema/attribute-value", "GroupNormalization-18", "num_groups is 0 for 4 channels", "must divide them"},
      {groups(21, 2, floats({4}, {1, 1, 1, 1})).attribute("stash_type", 6), "schema/attribute-value", "GroupNormalization-21", "stash_type is 6", "must be 1, 10, 11 or 16"},
      {call("LayerNormalization", 17, kMatrix).input(kThree).attribute("axis", 2), "schema/attribute-range", "LayerNormalization-17", "axis is 2", "must be in [-2, 1]"},
      {call("RMSNormalization", 23, floats({}, {1})).input(floats({}, {1})), "schema/attribute-range", "RMSNormalization-23", "axis is -1", "but the tensor has no axes"},
      {call("LpNormalization", 22, kMatrix).attribute("p", 3), "schema/attribute-value", "LpNormalization-22", "p is 3", "must be 1 or 2"},
      {call("LpNormalization", 1, kMatrix).attribute("axis", -3), "schema/attribute-range", "LpNormalization-1", "axis is -3", "must be in [-2, 1]"},
      {call("LRN", 13, kMatrix).attribute("size", 0), "schema/attribute-value", "LRN-13", "size is 0", "must be positive"},
      {call("LRN", 1, kThree).attribute("size", 1), "schema/rank", "LRN-1", "X is [3]", "must have rank 2 or more"},
      {call("MeanVarianceNormalization", 13, Tensor(DType::kFloat, {1, 2, 2})), "schema/attribute-range", "MeanVarianceNormalization-13", "axes is 3", "must be in [-3, 2]"},
      {call("MeanVarianceNormalization", 9, kMatrix).integers("axes", {1, -1}), "schema/attribute-value", "MeanVarianceNormalization-9", "axes names an axis twice", "must name each axis once"},
      {call("MeanVarianceNormalization", 1, kMatrix), "schema/rank", "MeanVarianceNormalization-1", "the input is [2,3]", "must have rank 4"},
  });
}

}  // namespace
}  // namespace onnxv::testing
