#include "conformance/compare/error_profile.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace onnxv {

void ErrorProfile::add(double expected, uint64_t ulp, bool comparable) {
  const size_t bucket = comparable ? static_cast<size_t>(std::bit_width(ulp)) : kNotComparable;
  if (ulp_counts.size() <= bucket) ulp_counts.resize(bucket + 1);
  ++ulp_counts[bucket];
  if (!comparable || !std::isfinite(expected)) return;
  const int exponent = expected == 0 ? kZeroExponent : std::ilogb(expected);
  uint64_t& largest = ulp_by_exponent[exponent];
  largest = std::max(largest, ulp);
}

void ErrorProfile::close(uint64_t elements) {
  if (ulp_counts.empty()) return;
  const uint64_t others =
      std::accumulate(ulp_counts.begin() + 1, ulp_counts.end(), static_cast<uint64_t>(0));
  ulp_counts[0] = elements - std::min(elements, others);
}

}  // namespace onnxv
