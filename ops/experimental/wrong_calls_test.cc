#include "src/run/wrong_calls.h"

namespace onnxv::testing {
namespace {

NodeUnderTest call(const char* op, Value x) { return NodeUnderTest(op, 1).input(std::move(x)); }
NodeUnderTest unit(const Shape& previous, const Shape& gates, std::vector<float> lengths, std::vector<float> t) {
  return call("GRUUnit", Tensor(DType::kFloat, previous)).input(Tensor(DType::kFloat, gates)).input(floats({static_cast<int64_t>(lengths.size())}, lengths))
      .input(floats({static_cast<int64_t>(t.size())}, t));
}

const Tensor kImage(DType::kFloat, {1, 2, 3, 3});
const Tensor kLine = floats({2}, {1, 2});

TEST_CASE("experimental: wrong calls") {
  check_wrong_calls({
      {call("ATen", kLine), "undefined/not-evaluable", "ATen-1", "not evaluable: the operator it names is external to ONNX", ""},
      {call("Crop", kLine).integers("border", {0, 0, 0, 0}), "schema/rank-mismatch", "Crop-1", "input has shape [2]", "must have rank 4"},
      {call("Crop", kImage), "schema/attribute-missing", "Crop-1", "neither border nor scale is given", "at least one must be"},
      {call("Crop", kImage).integers("border", {0, 0}), "schema/attribute-range", "Crop-1", "border has 2 elements", "must have 4"},
      {call("Crop", kImage).integers("border", {2, 0, 1, 0}), "schema/attribute-range", "Crop-1", "the width is cropped to 0 from 2 on", "must be a part of its 3 elements"},
      {call("Crop", kImage).integers("border", {0, 1, 0, 0}).integers("scale", {3, 1}), "schema/attribute-range", "Crop-1", "the height is cropped to 3 from 1 on",
       "must be a part of its 3 elements"},
      {call("FC", kLine).input(floats({1, 1}, {1})).input(floats({1}, {1})).attribute("axis", 3), "schema/attribute-range", "FC-1", "axis is 3", "must be an axis of [2]"},
      {call("FC", floats({1, 2}, {1, 2})).input(floats({1, 3}, {1, 2, 3})).input(floats({1}, {1})), "schema/shape-mismatch", "FC-1", "X is [1,2], W [1,3] and b [1]", "must be MxK, NxK and N"},
      {unit({1, 2, 1}, {1, 1, 3}, {1, 1}, {0}), "schema/shape-mismatch", "GRUUnit-1", "hidden_prev is [1,2,1] and gates [1,1,3]", "must be [1,N,D] and [1,N,3D], with N lengths"},
      {unit({1, 2, 1}, {1, 2, 3}, {1}, {0}), "schema/shape-mismatch", "GRUUnit-1", "hidden_prev is [1,2,1] and gates [1,2,3]", "must be [1,N,D] and [1,N,3D], with N lengths"},
      {unit({1, 1, 1}, {1, 1, 3}, {1.5f}, {0}), "undefined/not-integral", "GRUUnit-1", "seq_lengths holds 1.500000", "must hold integers"},
      {call("ImageScaler", kLine), "schema/rank", "ImageScaler-1", "the input is [2]", "must have rank 4"},
      {call("ImageScaler", kImage).reals("bias", {1}), "schema/attribute-value", "ImageScaler-1", "bias has 1 elements", "must have one per channel"},
      {call("LoopIndexTensor", kLine).input(int32s({}, {2})), "undefined/index-range", "LoopIndexTensor-1", "loop_idx is 2", "must be in [0, 1]"},
      {call("LoopIndexTensor", kLine).input(int32s({}, {0})).attribute("axis", 1), "schema/attribute-range", "LoopIndexTensor-1", "axis is 1", "must be in [-1, 0]"},
      {call("ParametricSoftplus", kLine).attribute("alpha", 1.0f), "schema/attribute-missing", "ParametricSoftplus-1", "attribute \"beta\" is absent", "is required"},
      {call("ScaledTanh", kLine), "schema/attribute-missing", "ScaledTanh-1", "attribute \"alpha\" is absent", "is required"},
  });
}

TEST_CASE("experimental: shapes to fill") {
  check_wrong_calls({
      {NodeUnderTest("ConstantFill", 1), "schema/attribute-conflict", "ConstantFill-1", "neither a shape nor an input is given", "exactly one must be"},
      {call("ConstantFill", kLine).integers("shape", {2}), "schema/attribute-conflict", "ConstantFill-1", "both a shape and an input are given", "exactly one must be"},
      {NodeUnderTest("ConstantFill", 1).integers("shape", {2}).integers("extra_shape", {2}), "schema/attribute-conflict", "ConstantFill-1", "extra_shape is given with shape",
       "it extends an input alone"},
      {NodeUnderTest("ConstantFill", 1).integers("shape", {2, -1}), "schema/attribute-range", "ConstantFill-1", "shape is [2,-1]", "must not be negative"},
      {NodeUnderTest("ConstantFill", 1).integers("shape", {1}).attribute("dtype", 8), "schema/attribute-range", "ConstantFill-1", "dtype is 8", "must be float, int32, int64 or bool"},
      {NodeUnderTest("ConstantFill", 1).integers("shape", {1}).attribute("dtype", 6).attribute("value", 2147483648.0f), "schema/attribute-range", "ConstantFill-1",
       "value is 2147483648.000000", "must fit int32"},
      {call("ConstantFill", floats({1}, {1.5f})).attribute("input_as_shape", 1), "undefined/input-range", "ConstantFill-1", "a dimension is 1.500000", "must be an integer of 0 or more"},
      {NodeUnderTest("GivenTensorFill", 1).integers("shape", {2}).reals("values", {1}), "schema/shape-mismatch", "GivenTensorFill-1", "values has 1 elements", "must fill shape [2]"},
      {NodeUnderTest("GivenTensorFill", 1).integers("shape", {2}), "schema/attribute-missing", "GivenTensorFill-1", "attribute \"values\" is absent", "is required"},
  });
  // The least int32 is a float, and fits.
  CHECK(same(NodeUnderTest("ConstantFill", 1).integers("shape", {1}).attribute("dtype", 6).attribute("value", -2147483648.0f).one(), int32s({1}, {INT32_MIN})));
}

}  // namespace
}  // namespace onnxv::testing
