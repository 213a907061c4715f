#include "src/run/fast_paths.h"

#include "src/number/bound.h"
#include "src/number/format.h"
#include "src/number/ladder.h"

namespace onnxv::testing {
namespace {

uint64_t half_code(DType dtype, int64_t halves) {
  if (!is_float(dtype)) return static_cast<uint64_t>(halves / 8);
  return encode(float_format(dtype), {static_cast<double>(halves) * 0.5, 0}, Rounding::kNearestEven, Overflow::kSaturate);
}

uint64_t end_code(DType dtype, uint64_t choice) {
  if (!is_float(dtype)) {
    const IntegerFormat format{dtype_bits(dtype), is_signed_integer(dtype)};
    return choice % 3 == 0 ? 0 : wrap_integer(format, choice % 3 == 1 ? smallest_integer(format) : largest_integer(format));
  }
  const Format& format = float_format(dtype);
  switch (choice % 6) {
    case 0: return 0;
    case 1: return encode(format, {-0.0, 0}, Rounding::kNearestEven, Overflow::kSaturate);
    case 2: return encode(format, {1, 0}, Rounding::kNearestEven, Overflow::kSaturate);
    case 3: return largest_finite(format, false);
    case 4: return largest_finite(format, format.has_sign);
    default: return 1;
  }
}

}  // namespace

Tensor awkward(DType dtype, Shape shape, uint64_t seed) {
  Tensor tensor(dtype, std::move(shape));
  uint64_t state = seed * 2 + 1;
  for (size_t i = 0; i < tensor.size(); ++i) {
    state = state * 6364136223846793005 + 1442695040888963407;
    const uint64_t bits = state >> 20;
    if (dtype == DType::kBool) {
      tensor.set_code(i, bits % 2);
    } else if (state >> 62 == 0) {
      tensor.set_code(i, end_code(dtype, bits));
    } else if (state >> 62 == 1) {
      tensor.set_code(i, half_code(dtype, static_cast<int64_t>(bits % 257) - 128));
    } else {
      tensor.set_code(i, bits ^ bits << 32);
    }
  }
  return tensor;
}

uint32_t Draws::below(uint32_t n) {
  state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
  return static_cast<uint32_t>((state_ >> 33) % n);
}

Tensor rounded(DType dtype, Shape shape, const std::vector<double>& values) {
  std::vector<uint64_t> patterns;
  for (const double value : values) patterns.push_back(settle_exact(Target::of(float_format(dtype)), value));
  return codes(dtype, std::move(shape), patterns);
}

Outputs by_formulas(NodeUnderTest node) {
  const ToleranceScope scope{ToleranceModel()};
  return node.run();
}

}  // namespace onnxv::testing
