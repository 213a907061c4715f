#include "conformance/compare/cover.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "src/number/format.h"

namespace onnxv {
namespace {

struct Reach {
  double magnitude, distance;  // of an element; to the farther end of its bound
};

// The farther end of a bound; 0 where there is none.
double distance_of(double e, const Bound& bound) { return bound.known() ? std::max({bound.high - e, e - bound.low, 0.0}) : 0; }

// NumPy's sense: the size of the difference against the size of the number.
Reach complex_reach(const Tensor& exact, size_t element) {
  const Format& format = exact.dtype() == DType::kComplex64 ? kFloat32 : kFloat64;
  const size_t width = static_cast<size_t>(format.bits) / 8;
  double parts[2], distances[2];
  for (size_t part = 0; part < 2; ++part) {
    uint64_t code = 0;
    std::memcpy(&code, exact.bytes().data() + (2 * element + part) * width, width);
    parts[part] = decode(format, code);
    distances[part] = distance_of(parts[part], (*exact.bounds())[2 * element + part]);
  }
  return {std::hypot(parts[0], parts[1]), std::hypot(distances[0], distances[1])};
}

Reach reach_of(const Tensor& exact, size_t element) {
  const DType dtype = exact.dtype();
  if (is_complex(dtype)) return complex_reach(exact, element);
  const uint64_t code = exact.code(element);
  const double e = is_float(dtype) ? decode(float_format(dtype), code)
                                   : static_cast<double>(decode_integer({dtype_bits(dtype), is_signed_integer(dtype)}, code));
  return {std::fabs(e), distance_of(e, (*exact.bounds())[element])};
}

std::vector<Reach> reaches_of(const Tensor& exact) {
  std::vector<Reach> reaches;
  for (size_t i = 0; exact.bounds() != nullptr && i < exact.size(); ++i) {
    const Reach reach = reach_of(exact, i);
    if (std::isfinite(reach.magnitude) && std::isfinite(reach.distance)) reaches.push_back(reach);
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
