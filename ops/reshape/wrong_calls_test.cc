#include "src/run/wrong_calls.h"

namespace onnxv::testing {
namespace {

const Tensor kScalar = floats({}, {1}), kLine = floats({3}, {1, 2, 3});
const Tensor kMatrix = floats({2, 3}, {1, 2, 3, 4, 5, 6});
const Tensor kImage = floats({1, 1, 2, 2}, {1, 2, 3, 4});

NodeUnderTest call(const char* op, int64_t opset, const Tensor& x) { return NodeUnderTest(op, opset).input(x); }
Tensor list(std::vector<int64_t> values) {
  const auto count = static_cast<int64_t>(values.size());
  return int64s({count}, std::move(values));
}
NodeUnderTest split(int64_t opset, size_t outputs) { return call("Split", opset, kLine).outputs(outputs); }
NodeUnderTest slice(std::vector<int64_t> starts, std::vector<int64_t> ends, std::vector<int64_t> axes, std::vector<int64_t> steps) {
  return call("Slice", 13, kMatrix).input(list(std::move(starts))).input(list(std::move(ends))).input(list(std::move(axes)))
      .input(list(std::move(steps)));
}
NodeUnderTest pad(std::vector<int64_t> pads, const char* mode) {
  return call("Pad", 19, kLine).attribute("mode", mode).input(list(std::move(pads)));
}
NodeUnderTest reversed(const Tensor& x, std::vector<int64_t> lengths) {
  return call("ReverseSequence", 10, x).input(list(std::move(lengths)));
}

TEST_CASE("reshape: wrong axes") {
  check_wrong_calls({
      {call("Concat", 1, kLine).input(kLine), "schema/attribute-range", "Concat-1", "axis is 1", "must be in [0, 0]"},
      {call("Concat", 4, kLine).attribute("axis", -1), "schema/attribute-range", "Concat-4", "axis is -1", "must be in [0, 0]"},
      {call("Concat", 13, kMatrix).attribute("axis", INT64_MIN), "schema/attribute-range", "Concat-13", "axis is -9223372036854775808", "must be in [-2, 1]"},
      {call("Concat", 13, kScalar).attribute("axis", 0), "schema/attribute-range", "Concat-13", "axis is 0", "but the tensor has no axes"},
      {call("Flatten", 9, kMatrix).attribute("axis", -1), "schema/attribute-range", "Flatten-9", "axis is -1", "must be in [0, 2]"},
      {call("Flatten", 13, kMatrix).attribute("axis", 3), "schema/attribute-range", "Flatten-13", "axis is 3", "must be in [-2, 2]"},
      {call("Transpose", 13, kMatrix).integers("perm", {0, -1}), "schema/attribute-range", "Transpose-13", "perm is [0,-1]", "must hold each of the 2 axes once"},
      {call("Transpose", 1, kMatrix).integers("perm", {0, 0}), "schema/attribute-range", "Transpose-1", "perm is [0,0]", "must hold each of the 2 axes once"},
      {call("Transpose", 25, kMatrix).integers("perm", {0}), "schema/attribute-range", "Transpose-25", "perm is [0]", "must hold each of the 2 axes once"},
      {call("Squeeze", 11, kMatrix).integers("axes", {0}), "schema/attribute-range", "Squeeze-11", "axes[0] is 0", "must name an axis of size 1 of shape [2,3]"},
      {call("Squeeze", 13, kMatrix).input(list({2})), "undefined/input-range", "Squeeze-13", "axes[0] is 2", "must be in [-2, 1]"},
      {call("Squeeze", 13, kScalar).input(list({0})), "undefined/input-range", "Squeeze-13", "axes[0] is 0", "but a tensor of rank 0 has no axis"},
      {call("Unsqueeze", 11, kLine).integers("axes", {0, -3}), "schema/attribute-range", "Unsqueeze-11", "axes is [0,-3]", "must name each axis once"},
      {call("Unsqueeze", 23, kLine).input(list({2})), "undefined/input-range", "Unsqueeze-23", "axes[0] is 2", "must be in [-2, 1]"},
      {call("Trilu", 14, kLine), "schema/rank-mismatch", "Trilu-14", "input has shape [3]", "must have rank 2 or more"},
      {call("Trilu", 14, kMatrix).input(list({0, 1})), "schema/not-one-element", "Trilu-14", "k is int64[2]", "must have one element"},
      {call("EyeLike", 9, kLine), "schema/rank-mismatch", "EyeLike-9", "input has shape [3]", "must have rank 2"},
      {call("EyeLike", 9, kMatrix).attribute("dtype", 16), "schema/attribute-range", "EyeLike-9", "dtype is 16", "must be one of the output's types"},
      {call("CenterCropPad", 18, kMatrix).integers("axes", {0, -2}).input(list({1, 1})), "schema/attribute-range", "CenterCropPad-18", "axes is [0,-2]", "must name each axis once"},
      {call("CenterCropPad", 18, kMatrix).input(list({1})), "schema/shape-mismatch", "CenterCropPad-18", "shape has 1 elements", "must have one for each of 2 axes"},
      {call("CenterCropPad", 18, kLine).input(list({-1})), "undefined/input-range", "CenterCropPad-18", "shape[0] is -1", "must not be negative"},
      {call("BitCast", 26, kLine).attribute("to", 8), "schema/attribute-range", "BitCast-26", "to is 8", "must be a data type other than string"},
      {call("BitCast", 26, kLine).attribute("to", 7), "schema/attribute-range", "BitCast-26", "to is int64 of 64 bits", "must be as wide as float32"},
  });
}

TEST_CASE("reshape: parts that do not fit") {
  check_wrong_calls({
      {call("Concat", 13, kMatrix).attribute("axis", 0).input(kLine), "schema/shape-mismatch", "Concat-13", "inputs have shapes [2,3] and [3]", "must be equal but for axis 0"},
      {call("Concat", 13, kMatrix).attribute("axis", 0).input(floats({2, 2}, {1, 2, 3, 4})), "schema/shape-mismatch", "Concat-13", "inputs have shapes [2,3] and [2,2]", "must be equal but for axis 0"},
      {split(1, 2), "schema/attribute-missing", "Split-1", "attribute \"axis\" is absent", "is required"},
      {split(2, 2), "schema/shape-mismatch", "Split-2", "the axis has 3 elements", "must divide into 2 equal parts"},
      {split(2, 2).integers("split", {1, 1}), "schema/attribute-range", "Split-2", "split is [1,1]", "must sum to the axis' 3 elements"},
      {split(13, 2).input(list({4, -1})), "undefined/input-range", "Split-13", "split[1] is -1", "must not be negative"},
      {split(13, 2).input(list({INT64_MAX, INT64_MAX})), "undefined/input-range", "Split-13", "split is [9223372036854775807,9223372036854775807]", "must sum to the axis' 3 elements"},
      {split(13, 2).input(list({3})), "undefined/input-range", "Split-13", "split is [3]", "must hold one length for each of the 2 outputs"},
      {split(18, 3), "schema/attribute-conflict", "Split-18", "neither split nor num_outputs is given", "exactly one must be"},
      {split(18, 2).attribute("num_outputs", 2).input(list({1, 2})), "schema/attribute-conflict", "Split-18", "both split and num_outputs are given", "exactly one must be"},
      {split(18, 2).attribute("num_outputs", INT64_MAX), "schema/attribute-range", "Split-18", "num_outputs is 9223372036854775807", "must be the number of outputs, 2"},
      {call("Split", 18, floats({5}, {1, 2, 3, 4, 5})).outputs(4).attribute("num_outputs", 4), "schema/shape-mismatch", "Split-18", "the axis has 5 elements", "must divide into 4 parts, of which only the last is smaller"},
      {slice({0}, {1}, {0}, {0}), "undefined/input-range", "Slice-13", "steps[0] is 0", "must not be 0"},
      {slice({0, 0}, {1, 1}, {1, -1}, {1, 1}), "undefined/input-range", "Slice-13", "axes is [1,-1]", "must name each axis once"},
      {slice({0}, {1, 1}, {0}, {1}), "schema/shape-mismatch", "Slice-13", "ends has 2 elements", "must have the 1 of starts"},
      {slice({0}, {1}, {0}, {1, 1}), "schema/shape-mismatch", "Slice-13", "steps has 2 elements", "must have the 1 of starts"},
      {slice({0}, {1}, {2}, {1}), "undefined/input-range", "Slice-13", "axes[0] is 2", "must be in [-2, 1]"},
      {call("Slice", 1, kLine).integers("starts", {0, 0}).integers("ends", {1, 1}), "schema/shape-mismatch", "Slice-1", "starts has 2 elements", "must have at most one for each axis of shape [3]"},
      {call("Slice", 10, kScalar).input(list({0})).input(list({1})), "schema/shape-mismatch", "Slice-10", "starts has 1 elements", "must have at most one for each axis of shape []"},
  });
}

TEST_CASE("reshape: sizes that do not fit") {
  check_wrong_calls({
      {call("Reshape", 5, kLine).input(list({-2})), "undefined/input-range", "Reshape-5", "shape[0] is -2", "must be -1 or more"},
      {call("Reshape", 13, kLine).input(list({3, 0})), "undefined/input-range", "Reshape-13", "shape[1] is 0", "but the data of rank 1 has no dimension to copy there"},
      {call("Reshape", 14, kLine).attribute("allowzero", 1).input(list({0, -1})), "undefined/input-range", "Reshape-14", "shape is [0,-1]", "must leave -1 a definite value, which a product of 0 does not"},
      {call("Reshape", 14, kLine).input(list({INT64_MAX, INT64_MAX})), "undefined/input-range", "Reshape-14", "shape is [9223372036854775807,9223372036854775807]", "must fit data of shape [3]"},
      {call("Expand", 8, kLine).input(list({2})), "undefined/input-range", "Expand-8", "shape is [2]", "must broadcast with an input of shape [3]"},
      {call("Expand", 13, kLine).input(list({-1})), "undefined/input-range", "Expand-13", "shape[0] is -1", "must not be negative"},
      {call("Expand", 13, kScalar).input(list({INT64_MAX, 4})), "limit/size-overflow", "Expand-13", "a size exceeds 2^63", ""},
      {call("Tile", 1, kLine).input(floats({}, {1.5f})).input(floats({}, {0})), "undefined/input-range", "Tile-1", "tiles is 1.500000", "must be an integer"},
      {call("Tile", 1, kLine).input(floats({}, {2})).input(floats({}, {1})), "undefined/input-range", "Tile-1", "axis is [1]", "must name an axis of shape [3]"},
      {call("Tile", 6, kMatrix).input(list({2})), "schema/shape-mismatch", "Tile-6", "repeats has 1 elements", "must have one for each axis of shape [2,3]"},
      {call("Tile", 13, kLine).input(list({-1})), "undefined/input-range", "Tile-13", "repeats[0] is -1", "must not be negative"},
      {call("Tile", 13, kLine).input(list({INT64_MAX})), "limit/size-overflow", "Tile-13", "a size exceeds 2^63", ""},
      {pad({-4, 0}, "constant"), "undefined/input-range", "Pad-19", "pads is [-4,0]", "must leave a length of 0 or more for an axis of 3 elements"},
      {pad({-3, 1}, "edge"), "undefined/input-range", "Pad-19", "pads is [-3,1]", "must leave an element to repeat for an axis of 3 elements, which mode constant alone can do without"},
      {pad({INT64_MIN, INT64_MAX}, "constant"), "undefined/input-range", "Pad-19", "pads is [-9223372036854775808,9223372036854775807]", "must be above -2^63"},
      {pad({1}, "constant"), "schema/shape-mismatch", "Pad-19", "pads has 1 elements", "must have two for each of 1 axes"},
      {pad({1, 1}, "mirror"), "schema/attribute-value", "Pad-19", "mode is \"mirror\"", "must be constant, reflect, edge or wrap"},
      {call("Pad", 18, kLine).attribute("mode", "wrap").input(list({1, 1})), "schema/attribute-value", "Pad-18", "mode is \"wrap\"", "must be constant, reflect or edge"},
      {call("Pad", 11, kLine).input(list({1, 1})).input(kLine), "schema/not-one-element", "Pad-11", "constant_value has shape [3]", "must have one element"},
      {call("Pad", 1, kLine).integers("paddings", {1, 1, 1}), "schema/shape-mismatch", "Pad-1", "paddings has 3 elements", "must have two for each of 1 axes"},
      {NodeUnderTest("ConstantOfShape", 9).input(list({2, -1})), "undefined/input-range", "ConstantOfShape-9", "input[1] is -1", "must not be negative"},
      {NodeUnderTest("ConstantOfShape", 9).input(list({INT64_MAX, 2})), "limit/size-overflow", "ConstantOfShape-9", "a size exceeds 2^63", ""},
      {NodeUnderTest("ConstantOfShape", 9).attribute("value", kLine).input(list({2})), "schema/not-one-element", "ConstantOfShape-9", "value has shape [3]", "must have one element"},
      {NodeUnderTest("Constant", 11), "schema/attribute-missing", "Constant-11", "no attribute gives a value", "exactly one must"},
      {NodeUnderTest("Constant", 12).attribute("value", kLine).attribute("value_int", 1), "schema/attribute-conflict", "Constant-12", "both value and value_int are given", "exactly one value must be"},
  });
}

TEST_CASE("reshape: blocks and sequences") {
  check_wrong_calls({
      {call("DepthToSpace", 1, kImage).attribute("blocksize", 2), "schema/shape-mismatch", "DepthToSpace-1", "input has 1 channels", "must be a multiple of blocksize squared, 4"},
      {call("DepthToSpace", 11, kImage).attribute("blocksize", 0), "schema/attribute-range", "DepthToSpace-11", "blocksize is 0", "must be positive"},
      {call("DepthToSpace", 13, kImage).attribute("blocksize", 1).attribute("mode", "RCD"), "schema/attribute-value", "DepthToSpace-13", "mode is \"RCD\"", "must be \"DCR\" or \"CRD\""},
      {call("DepthToSpace", 13, kLine).attribute("blocksize", 1), "schema/rank-mismatch", "DepthToSpace-13", "input has shape [3]", "must have rank 4"},
      {call("DepthToSpace", 13, kImage).attribute("blocksize", INT64_MAX), "limit/size-overflow", "DepthToSpace-13", "a size exceeds 2^63", ""},
      {call("SpaceToDepth", 13, kImage).attribute("blocksize", 3), "schema/shape-mismatch", "SpaceToDepth-13", "input has shape [1,1,2,2]", "height and width must be multiples of blocksize 3"},
      {reversed(kLine, {1}), "schema/rank-mismatch", "ReverseSequence-10", "input has shape [3]", "must have rank 2 or more"},
      {reversed(kMatrix, {1, 2, 3}), "undefined/input-range", "ReverseSequence-10", "sequence_lens[2] is 3", "must be in [0, 2]"},
      {reversed(kMatrix, {1, -1, 1}), "undefined/input-range", "ReverseSequence-10", "sequence_lens[1] is -1", "must be in [0, 2]"},
      {reversed(kMatrix, {1, 1}), "schema/shape-mismatch", "ReverseSequence-10", "sequence_lens has 2 elements", "must have one for each of the 3 entries of the batch axis"},
      {reversed(kMatrix, {1, 1, 1}).attribute("time_axis", 2), "schema/attribute-range", "ReverseSequence-10", "time_axis is 2", "must be 0 or 1"},
      {reversed(kMatrix, {1, 1, 1}).attribute("time_axis", 1), "schema/attribute-range", "ReverseSequence-10", "batch_axis and time_axis are both 1", "must differ"},
  });
}

TEST_CASE("reshape: tensors without elements may have dimensions of any size") {
  const int64_t huge = INT64_MAX;
  CHECK(same(reversed(floats({huge, 1, 0}, {}), {huge}).one(), floats({huge, 1, 0}, {})));
  CHECK(same(call("Slice", 13, floats({huge, 0}, {})).input(list({INT64_MIN})).input(list({huge})).input(list({0})).input(list({huge})).one(),
             floats({1, 0}, {})));
  CHECK(same(call("Transpose", 13, floats({huge, 0}, {})).one(), floats({0, huge}, {})));
  CHECK(same(call("Trilu", 14, floats({0, huge}, {})).one(), floats({0, huge}, {})));
  CHECK(same(call("Concat", 13, floats({0, huge}, {})).input(floats({0, huge}, {})).attribute("axis", 0).one(), floats({0, huge}, {})));
}

TEST_CASE("reshape: more elements than memory") {
  const std::string numbers = NodeUnderTest("ConstantOfShape", 25).input(list({int64_t{1} << 58})).error();
  CHECK(numbers.find("limit/memory: node \"under_test\" (ConstantOfShape-25): ") == 0);
  const std::string texts = call("Expand", 13, strings({}, {"a"})).input(list({int64_t{1} << 56})).error();
  CHECK(texts.find("limit/memory: node \"under_test\" (Expand-13): ") == 0);
}

}  // namespace
}  // namespace onnxv::testing
