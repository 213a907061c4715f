// DynamicQuantizeLinear: scale and zero point out of the range of x, then x quantized by them to uint8.
//   y_scale = (max(0, max(x)) - min(0, min(x))) / 255
//   y_zero_point = round(clamp(0 - min(0, min(x)) / y_scale, 0, 255)),  y = clamp(round(x / y_scale) + y_zero_point, 0, 255)
//   since 11
#include "src/number/formula.h"
#include "src/number/ladder.h"

namespace onnxv {
namespace {

constexpr auto range_scale = []<class Real>(Real most, Real least) -> Real { return (most - least) / Real(255.0); };

// Spec: rounds both quotients to float32, the type of y_scale, as QuantizeLinear does; the official data need it (0.5 / (5 / 255)
// is 25.4999991 with the rounded scale, and 26 is expected: the float32 quotient is 25.5).
constexpr auto range_zero_point = []<class Real>(Options format, Real least, Real scale) -> Real {
  const Real below = Real(0.0) - round_to(format[0], least / scale);
  return nearest_even(min(max(below, Real(0.0)), Real(255.0)));
};
constexpr auto range_quantized = []<class Real>(Options format, Real x, Real scale, Real zero) -> Real {
  return nearest_even(round_to(format[0], x / scale)) + zero;
};

}  // namespace
ELEMENTWISE_FORMULA(kRangeScale, range_scale, 2)
ELEMENTWISE_FORMULA(kRangeZeroPoint, range_zero_point, 2)
ELEMENTWISE_FORMULA(kRangeQuantized, range_quantized, 3)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include "ops/operator.h"
#include "ops/quantize/quantized.h"
#include "src/base/parallel.h"
#include "src/number/float_loops.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

struct Range {
  float least = 0, most = 0;  // 0 included
  bool has_nan = false;
};

Range range_of(const Tensor& x) {
  Range range;
  const float most = float_of_key(extreme_float(x.as<float>().data(), x.size(), true));
  const float least = float_of_key(extreme_float(x.as<float>().data(), x.size(), false));
  range.has_nan = most != most;
  if (least < range.least) range.least = least;
  if (most > range.most) range.most = most;
  return range;
}

Tensor float_code(uint64_t code) {
  Tensor scalar(DType::kFloat, {});
  scalar.set_code(0, code);
  return scalar;
}

// Marks the NaN quotients: 0 / 0, infinity / infinity, and all of them once x holds a NaN.
void mark_nans(const OpCall& call, const Tensor& x, const Range& range, double scale) {
  const auto is_open = [&](float value) {
    return range.has_nan || (scale == 0 && value == 0) || (!double_is_finite(scale) && !double_is_finite(value));
  };
  if (!range.has_nan && scale != 0 && double_is_finite(scale)) return;
  if (is_open(range.least)) call.mark_unspecified(2, "dynamic-quantize-nan");
  std::vector<uint8_t> marks;
  bool any = false;
  for (const float value : x.as<float>()) {
    marks.push_back(is_open(value) ? 1 : 0);
    any |= marks.back() != 0;
  }
  if (any) call.mark_unspecified(0, "dynamic-quantize-nan", std::move(marks));
}

// The formula is wanted within a ToleranceScope, for its bounds; the values are the same.
Tensor quantized(const Tensor& x, const Tensor& scale, const Tensor& zero_point) {
  if (ToleranceScope::current() != nullptr) {
    const Tensor operands[] = {x, scale, zero_point};
    return map_elements(kRangeQuantized, quantized_target(DType::kUint8, true), DType::kUint8, operands, {}, {format_number(kFloat32)});
  }
  Tensor y = Tensor::unfilled(DType::kUint8, x.shape());
  const float zero = static_cast<float>(zero_point.as<uint8_t>()[0]);
  const Quantizers by{scale.as<float>().data(), &zero, kOneForAll};
  const std::span<uint8_t> codes = y.mutable_as<uint8_t>();
  parallel_for(x.size(), size_t{1} << 15, [&](size_t begin, size_t end) {
    quantize_floats(x.as<float>().data() + begin, end - begin, by, 24, {8, false}, codes.data() + begin);
  });
  return y;
}

// Choice: x without a range (all zero) has the scale 0 that the formula gives, and zero point and elements, 0 / 0, are 0; NaN
// makes the scale NaN and every NaN quotient 0.
Outputs dynamic_quantize_linear_11(const OpCall& call) {
  const Tensor& x = call.tensor("x");
  if (x.size() == 0) fail_undefined("empty-input", "x is empty", "must have an element: it has no maximum otherwise");
  const Range range = range_of(x);
  const Tensor ends[] = {Tensor::float_scalar(range.most), Tensor::float_scalar(range.least)};
  const Tensor scale = range.has_nan ? float_code(kFloat32.canonical_nan)
                                     : map_elements(kRangeScale, DType::kFloat, ends);
  double scale_value = 0;
  decode_elements(scale, 0, 1, &scale_value);
  const int64_t format = format_number(kFloat32);
  const Target target = quantized_target(DType::kUint8, true);  // a NaN becomes the smallest value, 0
  const Tensor least[] = {ends[1], scale};
  const Tensor zero_point = map_elements(kRangeZeroPoint, target, DType::kUint8, least, {}, {format});
  const Tensor y = quantized(x, scale, zero_point);
  mark_nans(call, x, range, scale_value);
  return {y, scale, zero_point};
}

}  // namespace

extern const Operator kDynamicQuantizeLinear;
const Operator kDynamicQuantizeLinear{"ai.onnx", "DynamicQuantizeLinear", {{.since = 11, .run = dynamic_quantize_linear_11}}};

}  // namespace onnxv
#endif
