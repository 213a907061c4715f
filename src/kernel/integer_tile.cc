// Compiled once per instruction set: products of 16-bit integers, two at a time.
#include "src/kernel/product_lanes.h"
#include "src/kernel/product_tile.h"

namespace onnxv {
inline namespace ONNXV_LANES {

void pair_up(const double* panel, size_t length, size_t width, int32_t* pairs) {
  const auto integers = [](const double* p) { return __builtin_convertvector(load_native(p), NativeFloatBits); };
  for (size_t k = 0; k < length; k += 2, panel += 2 * width, pairs += width) {
    for (size_t v = 0; v < width; v += kWidth) {
      const NativeFloatBits second = k + 1 < length ? integers(panel + width + v) : NativeFloatBits{};
      const NativeFloatBits pair = (integers(panel + v) & 0xffff) | (second << 16);
      __builtin_memcpy(pairs + v, &pair, sizeof pair);
    }
  }
}

#if defined(__AVX2__)
// Each product of pairs is exact modulo 2^32, and so are the sums.
void integer_tile(const IntegerTile& tile) {
  const int32_t* a = tile.a;
  int32_t* sums = tile.sums;
  for (size_t panel = 0; panel < tile.panels; ++panel, sums += kIntegerRows * kIntegerColumns) {
    __m256i s[kIntegerRows][2];
#pragma GCC unroll 4
    for (size_t i = 0; i < kIntegerRows; ++i) s[i][0] = s[i][1] = _mm256_setzero_si256();
    const int32_t* b = tile.b;
    for (size_t k = 0; k < tile.pairs; ++k, a += kIntegerRows, b += kIntegerColumns) {
      const __m256i left = _mm256_loadu_si256((const __m256i*)b), right = _mm256_loadu_si256((const __m256i*)(b + 8));
#pragma GCC unroll 4
      for (size_t i = 0; i < kIntegerRows; ++i) {
        const __m256i row = _mm256_set1_epi32(a[i]);
        s[i][0] = _mm256_add_epi32(s[i][0], _mm256_madd_epi16(row, left));
        s[i][1] = _mm256_add_epi32(s[i][1], _mm256_madd_epi16(row, right));
      }
    }
#pragma GCC unroll 4
    for (size_t i = 0; i < kIntegerRows; ++i) {
      _mm256_storeu_si256((__m256i*)(sums + i * kIntegerColumns), s[i][0]);
      _mm256_storeu_si256((__m256i*)(sums + i * kIntegerColumns + 8), s[i][1]);
    }
  }
}
#endif

}  // namespace ONNXV_LANES
}  // namespace onnxv
