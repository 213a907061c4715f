#include "ops/quantize/quantized.h"

#include <algorithm>

#include "src/tensor/lines.h"

namespace onnxv {

int first_version_of_quantized(DType dtype) {
  switch (dtype) {
    case DType::kUint8:
    case DType::kInt8: return 10;
    case DType::kFloat8e4m3fn:
    case DType::kFloat8e4m3fnuz:
    case DType::kFloat8e5m2:
    case DType::kFloat8e5m2fnuz: return 19;
    case DType::kUint4:
    case DType::kInt4:
    case DType::kUint16:
    case DType::kInt16: return 21;
    case DType::kFloat4e2m1: return 23;
    case DType::kUint2:
    case DType::kInt2: return 25;
    case DType::kFloat6e2m3:
    case DType::kFloat6e3m2: return 28;
    default: return 0;
  }
}

Target quantized_target(DType dtype, bool saturate) {
  Target target;
  target.rounding = Rounding::kNearestEven;
  target.overflow = Overflow::kSaturate;
  if (is_float(dtype)) {
    target.format = &float_format(dtype);
    if (!saturate && target.format->nan != NanPatterns::kNone) target.overflow = Overflow::kInfinity;
  } else {
    target.integer = {dtype_bits(dtype), is_signed_integer(dtype)};
  }
  return target;
}

bool holds_nan(DType dtype) {
  return is_float(dtype) && float_format(dtype).nan != NanPatterns::kNone;
}

bool all_finite(const Tensor& tensor, bool and_nonzero) {
  constexpr size_t kBlock = 1024;
  double values[kBlock];
  for (size_t first = 0; first < tensor.size(); first += kBlock) {
    const size_t count = std::min(kBlock, tensor.size() - first);
    decode_elements(tensor, first, count, values);
    for (size_t i = 0; i < count; ++i) {
      if (!double_is_finite(values[i]) || (and_nonzero && values[i] == 0)) return false;
    }
  }
  return true;
}

void mark_nan_elements(const OpCall& call, const Tensor& nans) {
  const auto marks = nans.as<uint8_t>();
  if (std::find(marks.begin(), marks.end(), 1) == marks.end()) return;
  call.mark_unspecified(0, "quantize-nan", {marks.begin(), marks.end()});
}

}  // namespace onnxv
