#include "conformance/compare/cover.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "src/number/format.h"

namespace onnxv {
namespace {

struct Reach {
  double magnitude, distance;  // of an element; to the farther end of its bound
};

std::vector<Reach> reaches_of(const Tensor& exact) {
  std::vector<Reach> reaches;
  if (exact.bounds() == nullptr) return reaches;
  const DType dtype = exact.dtype();
  for (size_t i = 0; i < exact.size(); ++i) {
    const Bound& bound = (*exact.bounds())[i];
    if (!bound.known()) continue;
    const double e = is_float(dtype) ? decode(float_format(dtype), exact.code(i))
                                     : static_cast<double>(decode_integer({dtype_bits(dtype), is_signed_integer(dtype)}, exact.code(i)));
    const double distance = std::max({bound.high - e, e - bound.low, 0.0});
    if (std::isfinite(e) && std::isfinite(distance)) reaches.push_back({std::fabs(e), distance});
  }
  return reaches;
}

// The smallest atol for this rtol. A reader computes the sum in double, and rounds it: a few units of 2^-53 more.
Cover with(double rtol, const std::vector<Reach>& reaches) {
  Cover cover{rtol, 0};
  for (const Reach& reach : reaches) {
    if (reach.distance == 0) continue;
    cover.atol = std::max(cover.atol, reach.distance * (1 + 0x1p-50) - rtol * reach.magnitude);
  }
  return cover;
}

double allowed_in_all(const Cover& cover, const std::vector<Reach>& reaches) {
  double sum = 0;
  for (const Reach& reach : reaches) sum += cover.atol + cover.rtol * reach.magnitude;
  return sum;
}

}  // namespace

Cover cover_of(const Tensor& exact) {
  const std::vector<Reach> reaches = reaches_of(exact);
  Cover best = with(0, reaches);
  double least = allowed_in_all(best, reaches);
  if (best.atol == 0) return best;
  for (int exponent = -52; exponent <= 0; ++exponent) {
    const Cover cover = with(std::ldexp(1.0, exponent), reaches);
    const double allowed = allowed_in_all(cover, reaches);
    if (!(allowed < least)) continue;
    best = cover;
    least = allowed;
  }
  return best;
}

}  // namespace onnxv
