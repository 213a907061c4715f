// How the errors of an output are spread: what histograms and ulp plots are drawn from.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace onnxv {

// Empty where every element has the expected bits.
struct ErrorProfile {
  // Elements by their distance: [0] none, [k] 2^(k-1) to 2^k - 1 ulp, [65] not comparable (NaN
  // against a number). Cut after the last that is not 0.
  std::vector<uint64_t> ulp_counts;
  // Per power of two of the expected magnitude (its exponent; zero is the smallest): the largest
  // distance.
  std::map<int, uint64_t> ulp_by_exponent;
  double magnitude = 0;  // the largest finite expected one

  static constexpr int kNotComparable = 65, kZeroExponent = -1100;

  // An element whose bits are not the expected ones.
  void add(double expected, uint64_t ulp, bool comparable);
  // After the last one: `elements` were compared in all.
  void close(uint64_t elements);
};

}  // namespace onnxv
