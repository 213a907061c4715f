// QuantizeLinear: y = saturate(round(x / y_scale) + y_zero_point).
//   since 10   one scale
//   since 13   or one per slice of `axis`
//   since 19   float8 outputs and `saturate`; scales of x's type
//   since 21   or one per block; 4- and 16-bit integers, output_dtype
//   since 23   `precision`, scales of another type than x's, float4e2m1 (24: float8e8m0 scales, 25: 2-bit integers, 28: float6)
#include "src/number/formula.h"
#include "src/number/ladder.h"

namespace onnxv {
namespace {

// Spec: rounds to the precision of the division: x, y_scale and their quotient. "The type of y_scale determines the precision of the
// division operation, unless the precision attribute is specified" (23, read as a clarification of 10 to 21).
// Options: the format of the quotient, and the same for x and for y_scale where they are not of that type already.
constexpr auto rounded = []<class Real>(int64_t format, Real x) -> Real {
  if (format == kNoFormat) return x;
  return round_to(format, x);
};
constexpr auto quotient = []<class Real>(Options formats, Real x, Real scale) -> Real {
  return rounded(formats[0], rounded(formats[1], x) / rounded(formats[2], scale));
};

// Spec: "for (x / y_scale), it rounds to the nearest even": the zero point is added behind that.
constexpr auto quantized_integer = []<class Real>(Options formats, Real x, Real scale, Real zero) -> Real {
  return nearest_even(quotient(formats, x, scale)) + zero;
};
constexpr auto quantized_float = []<class Real>(Options formats, Real x, Real scale, Real zero) -> Real {
  return quotient(formats, x, scale) + zero;
};
constexpr auto quotient_is_nan = []<class Real>(Options formats, Real x, Real scale) -> Real {
  return select(is_nan(quotient(formats, x, scale)), Real(1.0), Real(0.0));
};

}  // namespace
ELEMENTWISE_FORMULA(kQuantizedInteger, quantized_integer, 3)
ELEMENTWISE_FORMULA(kQuantizedFloat, quantized_float, 3)
ELEMENTWISE_FORMULA(kQuotientIsNan, quotient_is_nan, 2)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include "ops/operator.h"
#include "ops/quantize/by_floats.h"
#include "ops/quantize/granularity.h"
#include "ops/quantize/quantized.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

// A type attribute that is absent or 0: kUndefined.
DType type_or_undefined(const OpCall& call, std::string_view name) {
  const int64_t number = call.integer_or(name, 0);
  if (number == 0) return DType::kUndefined;
  const std::optional<DType> dtype = dtype_from_number(number);
  if (!dtype) fail_schema("attribute-value", std::string(name) + " is " + std::to_string(number), "must be an element type");
  return *dtype;
}

DType output_type(const OpCall& call, const Tensor* zero_point) {
  const DType asked = type_or_undefined(call, "output_dtype");
  if (asked == DType::kUndefined) return zero_point != nullptr ? zero_point->dtype() : DType::kUint8;
  const int first = first_version_of_quantized(asked);
  if (first == 0 || first > call.since_version()) {
    fail_schema("attribute-value", "output_dtype is " + std::string(dtype_name(asked)), "must be a type of y_zero_point");
  }
  if (zero_point != nullptr && zero_point->dtype() != asked) {
    fail_schema("attribute-value", "output_dtype is " + std::string(dtype_name(asked)),
                "must be the type of y_zero_point, " + std::string(dtype_name(zero_point->dtype())));
  }
  return asked;
}

// Choice: an int32 scale names no floating-point precision: the quotient is exact; a float8e8m0 scale, which only shifts the
// exponent, divides in the type of x.
DType precision_of(const OpCall& call, const Tensor& x, const Tensor& scale) {
  const DType type = type_or_undefined(call, "precision");
  if (type == DType::kUndefined) return scale.dtype() == DType::kFloat8e8m0 ? x.dtype() : scale.dtype();
  if (type != DType::kFloat && type != DType::kFloat16 && type != DType::kBfloat16 && type != DType::kDouble) {
    fail_schema("attribute-value", "precision is " + std::string(dtype_name(type)),
                "must be float, double, float16 or bfloat16");
  }
  return type;
}

// The formula's options for a division of two tensors in a type.
std::vector<int64_t> roundings(DType precision, const Tensor& x, const Tensor& scale) {
  if (!is_float(precision)) return {kNoFormat, kNoFormat, kNoFormat};
  const int64_t format = format_number(float_format(precision));
  return {format, x.dtype() == precision ? kNoFormat : format, scale.dtype() == precision ? kNoFormat : format};
}

void mark_nans(const OpCall& call, const Tensor& x, const Tensor& scale, std::span<const int64_t> formats, DType out) {
  // A scale that is narrowed may become 0 or infinity.
  const bool narrowed = formats[2] != kNoFormat;
  if (holds_nan(out) || (!narrowed && all_finite(x, false) && all_finite(scale, true))) return;
  Tensor nans(DType::kUint8, x.shape());
  LineJob(kQuotientIsNan, x.size())
      .broadcast(x, x.shape())
      .broadcast(scale, x.shape())
      .options(formats)
      .lines_to(&nans, LineLayout::elements(nans.size()))
      .run();
  mark_nan_elements(call, nans);
}

template <Granularity finest>
Tensor quantize_linear(const OpCall& call) {
  const Tensor& x = call.tensor("x");
  const Tensor& given_scale = call.tensor("y_scale");
  const Tensor* zero_point = call.optional_tensor("y_zero_point");
  const ScaleLayout layout(call, x.shape(), given_scale.shape(), finest);
  if (zero_point != nullptr) {
    check_zero_point(call, given_scale.shape(), zero_point->shape(), "y_scale and y_zero_point");
  }
  const DType out = output_type(call, zero_point);
  const DType precision = precision_of(call, x, given_scale);
  const Target target = quantized_target(out, call.integer_or("saturate", 1) != 0);
  const std::vector<int64_t> formats = roundings(precision, x, given_scale);
  Tensor y = Tensor::unfilled(out, x.shape());
  bool met_nan = true;
  if (quantized_by_floats(x, {layout, given_scale, zero_point}, precision, target.overflow, &y, &met_nan)) {
    if (met_nan) mark_nans(call, x, layout.spread(given_scale), formats, out);
    return y;
  }
  const Tensor scale = layout.spread(given_scale);
  LineJob job(is_float(out) ? kQuantizedFloat : kQuantizedInteger, x.size());
  job.broadcast(x, x.shape()).broadcast(scale, x.shape());
  // Adding an absent zero point is adding -0: it changes nothing, the sign of a zero included.
  const Tensor zeros = zero_point != nullptr ? layout.spread(*zero_point) : Tensor();
  if (zero_point != nullptr) {
    job.broadcast(zeros, x.shape());
  } else {
    job.constants({-0.0});
  }
  job.options(formats).lines_to(&y, LineLayout::elements(y.size()), target).run();
  mark_nans(call, x, scale, formats, out);
  return y;
}

}  // namespace

extern const Operator kQuantizeLinear;
const Operator kQuantizeLinear{"ai.onnx", "QuantizeLinear", {
    {.since = 10, .run = quantize_linear<Granularity::kTensor>},
    {.since = 13, .also = {19}, .run = quantize_linear<Granularity::kAxis>},
    {.since = 21, .also = {23, 24, 25, 28}, .run = quantize_linear<Granularity::kBlocks>},
}};

}  // namespace onnxv
#endif
