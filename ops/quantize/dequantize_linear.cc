// DequantizeLinear: y = (x - x_zero_point) * x_scale, exact and rounded once to the output's type.
//   since 10   one scale
//   since 13   or one per slice of `axis` (19: float8, scales of 16 bits)
//   since 21   or one per block; 4- and 16-bit integers
//   since 23   output_dtype, float4e2m1 (24: float8e8m0 scales, 25: 2-bit integers, 28: float6)
#include "src/number/formula.h"

namespace onnxv {
namespace {

// Spec: "the output type also determines the precision of the multiplication operation" is the one rounding of the result.
// Spec: an int32 zero point "is supposed to be 0"; the formula holds for any.
constexpr auto dequantized = []<class Real>(Real x, Real scale, Real zero) -> Real { return (x - zero) * scale; };

}  // namespace
ELEMENTWISE_FORMULA(kDequantized, dequantized, 3)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include "ops/operator.h"
#include "ops/quantize/by_floats.h"
#include "ops/quantize/granularity.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

DType output_type(const OpCall& call, const Tensor& scale) {
  const int64_t asked = call.integer_or("output_dtype", 0);
  const DType out = asked == 0 ? scale.dtype() : dtype_from_number(asked).value_or(DType::kUndefined);
  if (out != DType::kFloat && out != DType::kFloat16 && out != DType::kBfloat16) {
    fail_schema("attribute-value",
                asked == 0 ? "output_dtype is absent and x_scale is " + std::string(dtype_name(out))
                           : "output_dtype is " + std::to_string(asked),
                "the output must be float, float16 or bfloat16");
  }
  return out;
}

template <Granularity finest>
Tensor dequantize_linear(const OpCall& call) {
  const Tensor& x = call.tensor("x");
  const Tensor& given_scale = call.tensor("x_scale");
  const Tensor* zero_point = call.optional_tensor("x_zero_point");
  const ScaleLayout layout(call, x.shape(), given_scale.shape(), finest);
  if (zero_point != nullptr) {
    check_zero_point(call, given_scale.shape(), zero_point->shape(), "x_scale and x_zero_point");
  }
  Tensor y = Tensor::unfilled(output_type(call, given_scale), x.shape());
  if (dequantized_by_floats(x, {layout, given_scale, zero_point}, &y)) return y;
  const Tensor scale = layout.spread(given_scale);
  const Tensor zeros = zero_point != nullptr ? layout.spread(*zero_point) : Tensor();
  LineJob job(kDequantized, x.size());
  job.broadcast(x, x.shape()).broadcast(scale, x.shape());
  if (zero_point != nullptr) {
    job.broadcast(zeros, x.shape());
  } else {
    job.constants({0.0});
  }
  job.lines_to(&y, LineLayout::elements(y.size())).run();
  return y;
}

}  // namespace

extern const Operator kDequantizeLinear;
const Operator kDequantizeLinear{"ai.onnx", "DequantizeLinear", {
    {.since = 10, .run = dequantize_linear<Granularity::kTensor>},
    {.since = 13, .also = {19}, .run = dequantize_linear<Granularity::kAxis>},
    {.since = 21, .also = {23, 24, 25, 28}, .run = dequantize_linear<Granularity::kBlocks>},
}};

}  // namespace onnxv
#endif
