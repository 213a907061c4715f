#include "src/run/wrong_calls.h"

namespace onnxv::testing {
namespace {

const Tensor kMatrix = floats({2, 3}, {1, 2, 3, 4, 5, 6}), kOne = floats({}, {1}), kTwo = floats({2}, {1, 1}), kThree = floats({3}, {1, 1, 1});
const Tensor kBytes = uint8s({2, 3}, {1, 2, 3, 4, 5, 6}), kZero = uint8s({}, {0});
const Tensor kImage = uint8s({1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}), kKernel = uint8s({1, 1, 2, 2}, {1, 1, 1, 1});

NodeUnderTest quantized(int64_t opset, const Tensor& x, const Tensor& scale) { return NodeUnderTest("QuantizeLinear", opset).input(x).input(scale); }
NodeUnderTest dequantized(int64_t opset, const Tensor& x, const Tensor& scale) { return NodeUnderTest("DequantizeLinear", opset).input(x).input(scale); }
NodeUnderTest convolved(const Tensor& x, const Tensor& w) { return NodeUnderTest("ConvInteger", 10).input(x).input(w); }
NodeUnderTest product(const Tensor& a_scale, const Tensor& a_zero, const Tensor& b) {
  return NodeUnderTest("QLinearMatMul", 10).input(kBytes).input(a_scale).input(a_zero).input(b).input(kOne).input(kZero).input(kOne).input(kZero);
}

TEST_CASE("quantize: scales that do not fit") {
  check_wrong_calls({
      {quantized(10, kMatrix, kTwo), "schema/shape-mismatch", "QuantizeLinear-10", "the scale is [2]", "must be a scalar"},
      {quantized(13, kMatrix, kTwo), "schema/shape-mismatch", "QuantizeLinear-13", "the scale is [2] for x [2,3]", "must have 3 elements, the length of axis 1"},
      {quantized(13, kMatrix, kTwo).attribute("axis", 2), "schema/attribute-range", "QuantizeLinear-13", "axis is 2", "must be in [-2, 1]"},
      {quantized(19, kThree, kThree), "schema/attribute-range", "QuantizeLinear-19", "axis is 1", "must be in [-1, 0]"},
      {quantized(21, kMatrix, kMatrix), "schema/shape-mismatch", "QuantizeLinear-21", "the scale is [2,3] for x [2,3]", "must be a scalar or have rank 1"},
      {quantized(21, kMatrix, kThree).attribute("block_size", 2), "schema/shape-mismatch", "QuantizeLinear-21", "the scale is [3] for x [2,3]", "must have the rank of x"},
      {quantized(21, kMatrix, kMatrix).attribute("block_size", 2), "schema/shape-mismatch", "QuantizeLinear-21", "the scale is [2,3] for x [2,3] in blocks of 2 along axis 1", "must be [2,2]"},
      {quantized(21, kMatrix, kOne).attribute("block_size", -1), "schema/attribute-range", "QuantizeLinear-21", "block_size is -1", "must be at least 0"},
      {quantized(21, kMatrix, kTwo).input(kZero).attribute("axis", 0), "schema/shape-mismatch", "QuantizeLinear-21", "y_scale and y_zero_point are [2] and []", "a scale and its zero point must have the same shape"},
      {quantized(21, kMatrix, kOne).input(kZero).attribute("output_dtype", 3), "schema/attribute-value", "QuantizeLinear-21", "output_dtype is int8", "must be the type of y_zero_point, uint8"},
      {quantized(21, kMatrix, kOne).attribute("output_dtype", 1), "schema/attribute-value", "QuantizeLinear-21", "output_dtype is float", "must be a type of y_zero_point"},
      {quantized(23, kMatrix, kOne).attribute("output_dtype", 25), "schema/attribute-value", "QuantizeLinear-23", "output_dtype is uint2", "must be a type of y_zero_point"},
      {quantized(23, kMatrix, kOne).attribute("precision", 7), "schema/attribute-value", "QuantizeLinear-23", "precision is int64", "must be float, double, float16 or bfloat16"},
      {quantized(23, kMatrix, kOne).attribute("precision", INT64_MAX), "schema/attribute-value", "QuantizeLinear-23", "precision is 9223372036854775807", "must be an element type"},
      {dequantized(10, kBytes, kThree), "schema/shape-mismatch", "DequantizeLinear-10", "the scale is [3]", "must be a scalar"},
      {dequantized(13, kBytes, kTwo), "schema/shape-mismatch", "DequantizeLinear-13", "the scale is [2] for x [2,3]", "must have 3 elements, the length of axis 1"},
      {dequantized(24, kBytes, codes(DType::kFloat8e8m0, {}, {127})), "schema/attribute-value", "DequantizeLinear-24", "output_dtype is absent and x_scale is float8e8m0", "the output must be float, float16 or bfloat16"},
      {dequantized(23, kBytes, kOne).attribute("output_dtype", 11), "schema/attribute-value", "DequantizeLinear-23", "output_dtype is 11", "the output must be float, float16 or bfloat16"},
      {NodeUnderTest("DynamicQuantizeLinear", 11).input(floats({0}, {})).outputs(3), "undefined/empty-input", "DynamicQuantizeLinear-11", "x is empty", "must have an element: it has no maximum otherwise"},
  });
}

TEST_CASE("quantize: products that do not fit") {
  const Tensor vertical = uint8s({3, 1}, {1, 1, 1});
  check_wrong_calls({
      {NodeUnderTest("MatMulInteger", 10).input(kBytes).input(kBytes), "schema/shape-mismatch", "MatMulInteger-10", "A is [2,3] and B is [2,3]", "the inner dimensions must be equal"},
      {NodeUnderTest("MatMulInteger", 10).input(kBytes).input(uint8s({}, {1})), "schema/rank", "MatMulInteger-10", "an operand is a scalar", "must have rank 1 or more"},
      {NodeUnderTest("MatMulInteger", 10).input(kBytes).input(vertical).input(uint8s({3}, {1, 1, 1})), "schema/shape-mismatch", "MatMulInteger-10", "a_zero_point is [3]", "must be a scalar, one element per row or column, or broadcast to [2,3]"},
      {NodeUnderTest("MatMulInteger", 10).input(kBytes).input(vertical).no_input().input(uint8s({3}, {1, 1, 1})), "schema/shape-mismatch", "MatMulInteger-10", "b_zero_point is [3]", "must be a scalar, one element per row or column, or broadcast to [3,1]"},
      {product(kThree, uint8s({3}, {0, 0, 0}), vertical), "schema/shape-mismatch", "QLinearMatMul-10", "a_zero_point is [3]", "must be a scalar, one element per row or column, or broadcast to [2,3]"},
      {product(kTwo, kZero, vertical), "schema/shape-mismatch", "QLinearMatMul-10", "a_scale and a_zero_point are [2] and []", "a scale and its zero point must have the same shape"},
      {convolved(kBytes, kKernel), "schema/rank", "ConvInteger-10", "x is [2,3], w is [1,1,2,2], group is 1", "x and w must have one rank, 3 or more"},
      {convolved(kImage, kKernel).attribute("group", 2), "schema/shape-mismatch", "ConvInteger-10", "x is [1,1,3,3], w is [1,1,2,2], group is 2", "x must have group times w's input channels, and group must divide w's filters"},
      {convolved(kImage, kKernel).attribute("group", 0), "schema/shape-mismatch", "ConvInteger-10", "x is [1,1,3,3], w is [1,1,2,2], group is 0", "x must have group times w's input channels, and group must divide w's filters"},
      {convolved(kImage, kKernel).integers("kernel_shape", {3, 3}), "schema/attribute-value", "ConvInteger-10", "kernel_shape differs from w [1,1,2,2]", "must be w's spatial shape"},
      {convolved(kImage, kKernel).input(kZero).input(uint8s({2}, {0, 0})), "schema/shape-mismatch", "ConvInteger-10", "w_zero_point is [2]", "must be a scalar or have one element per output channel, 1"},
      {convolved(kImage, kKernel).input(uint8s({2}, {0, 0})), "schema/shape-mismatch", "ConvInteger-10", "x_zero_point is [2]", "must be a scalar"},
  });
}

TEST_CASE("quantize: tensors without elements may have dimensions of any size") {
  const int64_t huge = int64_t{1} << 60;
  CHECK(same(dequantized(21, uint8s({huge, 4, 0}, {}), floats({huge, 2, 0}, {})).attribute("block_size", 2).one(), floats({huge, 4, 0}, {})));
  CHECK(same(convolved(uint8s({huge, 0, 2}, {}), uint8s({0, 0, 1}, {})).one(), int32s({huge, 0, 2}, {})));
}

}  // namespace
}  // namespace onnxv::testing
