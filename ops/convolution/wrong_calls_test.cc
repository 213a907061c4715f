#include "src/run/wrong_calls.h"

namespace onnxv::testing {
namespace {

NodeUnderTest call(const char* op, int64_t opset, Value a, Value b) { return NodeUnderTest(op, opset).input(std::move(a)).input(std::move(b)); }
NodeUnderTest columns(std::vector<int64_t> image, std::vector<int64_t> block) {
  const auto count = [](const std::vector<int64_t>& list) { return static_cast<int64_t>(list.size()); };
  return NodeUnderTest("Col2Im", 18).input(Tensor(DType::kFloat, {1, 4, 1})).input(int64s({count(image)}, image)).input(int64s({count(block)}, block));
}
NodeUnderTest causal(const Shape& input, const Shape& weight) { return call("CausalConvWithState", 27, Tensor(DType::kFloat, input), Tensor(DType::kFloat, weight)).outputs(2); }

const Tensor kLine(DType::kFloat, {1, 2, 3}), kFilter(DType::kFloat, {2, 2, 2}), kPlane(DType::kFloat, {1, 1, 2, 2}), kTap(DType::kFloat, {1, 1, 1, 1});

TEST_CASE("convolution: shapes") {
  const std::string channels = "the channels of W must be those of X";
  check_wrong_calls({
      {call("Conv", 22, Tensor(DType::kFloat, {1, 2}), Tensor(DType::kFloat, {1, 2})), "schema/rank", "Conv-22", "X is [1,2]", "must have a batch, channels and at least one spatial axis"},
      {call("Conv", 1, kLine, Tensor(DType::kFloat, {2, 2})), "schema/rank", "Conv-1", "X is [1,2,3] and W is [2,2]", "must have equal ranks"},
      {call("Conv", 11, kLine, Tensor(DType::kFloat, {2, 1, 2})), "schema/shape-mismatch", "Conv-11", "X is [1,2,3] and W is [2,1,2], group is 1", channels},
      {call("Conv", 11, kLine, kFilter).attribute("group", 3), "schema/group", "Conv-11", "the number of X's channels is 2", "must be a multiple of group, 3"},
      {call("Conv", 11, kLine, kFilter).attribute("group", 0), "schema/group", "Conv-11", "group is 0", "must be 1 or more"},
      {call("Conv", 22, kLine, kFilter).input(floats({1}, {1})), "schema/shape-mismatch", "Conv-22", "B is [1]", "must be [2]"},
      {call("Conv", 22, kLine, kFilter).integers("kernel_shape", {3}), "schema/attribute-value", "Conv-22", "kernel_shape is [3]", "W's is [2]"},
      {call("Conv", 1, kLine, Tensor(DType::kFloat, {2, 2, 4})), "schema/empty-window", "Conv-1", "a window of 4 cells slides over 3 with 0 and 0 of padding", "at least one window must fit"},
      {call("Conv", 22, kLine, kFilter).integers("pads", {1, 1}).attribute("auto_pad", "SAME_UPPER"), "schema/attribute-conflict", "Conv-22",
       "auto_pad is SAME_UPPER and pads is given", "cannot be used simultaneously"},
      {call("Conv", 22, kLine, kFilter).integers("dilations", {INT64_MAX}), "limit/size-overflow", "Conv-22", "a size exceeds 2^63", ""},
      {call("ConvTranspose", 22, kLine, Tensor(DType::kFloat, {1, 2, 2})), "schema/shape-mismatch", "ConvTranspose-22", "X is [1,2,3] and W is [1,2,2], group is 1", channels},
      {call("ConvTranspose", 11, kLine, kFilter).integers("output_padding", {1}), "schema/attribute-range", "ConvTranspose-11", "output_padding has 1",
       "must be 0 or more, and less than the stride or the dilation"},
      {call("ConvTranspose", 1, kLine, kFilter).integers("output_shape", {0}), "schema/empty-window", "ConvTranspose-1", "the output would have 0 cells along axis 2", "must have one or more"},
      {call("ConvTranspose", 22, kLine, kFilter).integers("output_shape", {4, 4}), "schema/attribute-length", "ConvTranspose-22", "output_shape has 2 entries", "must have 1"},
      {call("ConvTranspose", 11, kLine, kFilter).integers("pads", {2, 2}), "schema/empty-window", "ConvTranspose-11", "the output would have 0 cells along axis 2", "must have one or more"},
  });
}

TEST_CASE("convolution: offsets, masks, columns and states") {
  check_wrong_calls({
      {call("DeformConv", 19, kPlane, kTap).input(Tensor(DType::kFloat, {1, 1, 2, 2})), "schema/shape-mismatch", "DeformConv-19", "offset is [1,1,2,2]", "must be [1,2,2,2]"},
      {call("DeformConv", 22, kPlane, kTap).input(Tensor(DType::kFloat, {1, 2, 2, 2})).no_input().input(kTap), "schema/shape-mismatch", "DeformConv-22", "mask is [1,1,1,1]",
       "must be [1,1,2,2]"},
      {call("DeformConv", 19, kPlane, kTap).input(Tensor(DType::kFloat, {1, 4, 2, 2})).attribute("offset_group", 2), "schema/group", "DeformConv-19", "offset_group is 2",
       "must divide the 1 channels"},
      {columns({2, 2}, {0, 2}), "undefined/value-range", "Col2Im-18", "block_shape has 0", "must be 1 or more"},
      {columns({-1, 2}, {2, 2}), "undefined/value-range", "Col2Im-18", "image_shape has -1", "must be 0 or more"},
      {columns({2, 2}, {2}), "schema/shape-mismatch", "Col2Im-18", "block_shape has 1 entries", "must have 2 as image_shape"},
      {columns({2, 2}, {1, 3}), "schema/empty-window", "Col2Im-18", "a window of 3 cells slides over 2 with 0 and 0 of padding", "at least one window must fit"},
      {columns({3, 2}, {3, 1}), "schema/shape-mismatch", "Col2Im-18", "input is [1,4,1]", "its second dimension must be a multiple of the block's 3 cells"},
      {columns({3, 2}, {2, 2}), "schema/shape-mismatch", "Col2Im-18", "input is [1,4,1]", "its last dimension must be the number of blocks, 2"},
      {causal({1, 2, 3, 1}, {2, 1, 2}), "schema/rank", "CausalConvWithState-27", "input is [1,2,3,1]", "must have rank 3"},
      {causal({1, 2, 3}, {2, 2, 2}), "schema/shape-mismatch", "CausalConvWithState-27", "weight is [2,2,2]", "must be [2,1,2]"},
      {causal({1, 2, 3}, {2, 1, 0}), "schema/empty-window", "CausalConvWithState-27", "the kernel is empty", "must have one tap or more"},
      {causal({1, 2, 3}, {2, 1, 2}).no_input().input(Tensor(DType::kFloat, {1, 2, 2})), "schema/shape-mismatch", "CausalConvWithState-27", "past_state is [1,2,2]", "must be [1,2,1]"},
      {causal({1, 2, 3}, {2, 1, 2}).attribute("activation", "relu"), "schema/attribute-value", "CausalConvWithState-27", "activation is \"relu\"", "must be silu, swish or none"},
  });
}

}  // namespace
}  // namespace onnxv::testing
