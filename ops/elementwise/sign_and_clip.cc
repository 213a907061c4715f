// Sign (9, 13); Clip (1, 6: bounds as attributes; 11, 12, 13: as inputs).
#include <algorithm>

#include "ops/elementwise/integers.h"
#include "ops/elementwise/loops.h"
#include "ops/operator.h"
#include "src/base/parallel.h"
#include "src/number/float_arithmetic.h"
#include "src/tensor/index.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

Tensor sign_9(const OpCall& call) {
  const Tensor& x = call.tensor("input");
  if (is_integer(x.dtype())) {
    return map_integers(x, x.dtype(), [](int128 v) -> int128 { return v > 0 ? 1 : v < 0 ? -1 : 0; });
  }
  // Choice: the text is silent on NaN: it propagates. Spec: a zero of either sign gives 0, which is +0.
  Tensor y = Tensor::unfilled(x.dtype(), x.shape());
  std::vector<double> values(x.size() + 1);
  decode_elements(x, 0, x.size(), values.data());
  const Target target = target_of(x.dtype());
  for (size_t i = 0; i < x.size(); ++i) {
    const double v = values[i];
    y.set_code(i, settle_exact(target, v > 0 ? 1.0 : v < 0 ? -1.0 : v == 0 ? 0.0 : v));
  }
  return y;
}

// What an element becomes that is NaN, or lies outside, as codes of x's type.
struct ClipCodes {
  double low, high;
  uint64_t low_code, high_code, nan_code;

  // `code`: of v itself.
  uint64_t operator()(double v, uint64_t code) const {
    if (v != v || low != low || high != high) return nan_code;
    if (high < low || v > high) return high_code;
    return v < low ? low_code : code;
  }
};

template <class Code>
void clip_codes(const Tensor& x, const ClipCodes& clip, Tensor& y) {
  constexpr size_t kBlock = 1024;
  double values[kBlock];
  const std::span<const Code> from = x.as<Code>();
  const std::span<Code> to = y.mutable_as<Code>();
  for (size_t first = 0; first < from.size(); first += kBlock) {
    const size_t count = std::min(kBlock, from.size() - first);
    decode_elements(x, first, count, values);
    for (size_t i = 0; i < count; ++i) to[first + i] = static_cast<Code>(clip(values[i], from[first + i]));
  }
}

bool is_float32(double value) { return static_cast<double>(static_cast<float>(value)) == value; }

// Min(max, Max(x, min)) on exact values; x is returned bit by bit where it lies inside. A bound that T does not hold is compared
// exactly and rounded once. A NaN bound gives NaN.
Tensor clipped(const Tensor& x, double low, double high) {
  Tensor y = Tensor::unfilled(x.dtype(), x.shape());
  if (x.dtype() == DType::kFloat && low <= high && is_float32(low) && is_float32(high)) {
    const float* from = x.as<float>().data();
    float* to = y.mutable_as<float>().data();
    parallel_for(x.size(), size_t{1} << 15, [&](size_t begin, size_t end) {
      clip_floats(from + begin, end - begin, static_cast<float>(low), static_cast<float>(high), to + begin);
    });
    return y;
  }
  const Target target = target_of(x.dtype());
  const ClipCodes clip{low, high, settle_exact(target, low), settle_exact(target, high), settle_exact(target, __builtin_nan(""))};
  switch (dtype_bits(x.dtype())) {
    case 8: clip_codes<uint8_t>(x, clip, y); break;
    case 16: clip_codes<uint16_t>(x, clip, y); break;
    case 32: clip_codes<uint32_t>(x, clip, y); break;
    case 64: clip_codes<uint64_t>(x, clip, y); break;
    default: fail_internal("clip", "a float type of " + std::to_string(dtype_bits(x.dtype())) + " bits");
  }
  return y;
}

// The finite limits of a type: what an absent bound is by the text.
double lowest(DType dtype) { return decode(float_format(dtype), largest_finite(float_format(dtype), true)); }
double largest(DType dtype) { return decode(float_format(dtype), largest_finite(float_format(dtype), false)); }

Tensor clip_1(const OpCall& call) {
  const Tensor& x = call.tensor("input");
  return clipped(x, call.real_or("min", lowest(x.dtype())), call.real_or("max", largest(x.dtype())));
}

Tensor clip_11(const OpCall& call) {
  const Tensor& x = call.tensor("input");
  const Tensor* min = call.optional_tensor("min");
  const Tensor* max = call.optional_tensor("max");
  for (const Tensor* bound : {min, max}) {
    if (bound != nullptr && bound->size() != 1) {
      fail_schema("not-one-element", "a bound is " + bound->shape().text(), "must be a scalar");
    }
  }
  if (!is_integer(x.dtype())) {
    return clipped(x, min == nullptr ? lowest(x.dtype()) : double_value(*min, "min"),
                   max == nullptr ? largest(x.dtype()) : double_value(*max, "max"));
  }
  if (Tensor result = x; (min == nullptr || combined(result, min->reshaped({}), Combine::kMax, &result)) &&
                         (max == nullptr || combined(result, max->reshaped({}), Combine::kMin, &result))) {
    return result;
  }
  const IntegerFormat format = integer_format_of(x.dtype());
  const int128 low = min == nullptr ? smallest_integer(format) : exact_integers(*min)[0];
  const int128 high = max == nullptr ? largest_integer(format) : exact_integers(*max)[0];
  return map_integers(x, x.dtype(), [=](int128 v) { return high < low || v > high ? high : v < low ? low : v; });
}

}  // namespace

extern const Operator kSign, kClip;
const Operator kSign{"ai.onnx", "Sign", {{.since = 9, .also = {13}, .run = sign_9}}};
const Operator kClip{"ai.onnx", "Clip",
                     {{.since = 1, .run = clip_1}, {.since = 6, .run = clip_1}, {.since = 11, .also = {12, 13}, .run = clip_11}}};

}  // namespace onnxv
