// Few vectors against many, which are read where they lie: the part that is compiled once per instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

namespace onnxv {

// sums[f * sums_stride + v] += the dot product of `depth` elements of few vector f and many vector v.
struct FewSums {
  const double* few;  // vector f from few + f * few_stride on
  size_t few_stride, few_count;
  const float* floats;  // the many vectors; null: `doubles`
  const double* doubles;
  bool is_across;       // neighbours are vectors, and elements are many_stride apart; else the other way round
  int64_t many_stride;
  size_t depth, count;
  double* sums;
  size_t sums_stride;
};
void few_sums_none(const FewSums& job);
void few_sums_avx2(const FewSums& job);
void few_sums_avx512(const FewSums& job);

// At least the additions on the longest path of a call's sum, the last one into `sums` included.
inline size_t few_depth(bool is_across, size_t depth) { return is_across ? 8 + depth / 8 + 8 : depth / 8 + 48; }

}  // namespace onnxv
