// Compiled once per instruction set, with vectors of the set's own width: wider ones would live in memory.
#include "src/kernel/product_tile.h"

#if defined(__AVX2__) || defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace onnxv {
inline namespace ONNXV_LANES {
namespace {

#if defined(__AVX512F__)
typedef double Native __attribute__((vector_size(64)));
constexpr size_t kColumnsAtOnce = 24;
Native added_product(Native a, Native b, Native s) { return (Native)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)s); }
#elif defined(__AVX2__)
typedef double Native __attribute__((vector_size(32)));
constexpr size_t kColumnsAtOnce = 12;
Native added_product(Native a, Native b, Native s) { return (Native)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)s); }
#else
typedef double Native __attribute__((vector_size(16)));
constexpr size_t kColumnsAtOnce = 4;
// The products are exact, so that a fused and an unfused addition give the same sum.
Native added_product(Native a, Native b, Native s) { return a * b + s; }
#endif
constexpr size_t kWidth = sizeof(Native) / sizeof(double);
constexpr size_t kVectors = kColumnsAtOnce / kWidth;

Native load(const double* p) {
  Native v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}
void store(double* p, Native v) { __builtin_memcpy(p, &v, sizeof v); }

// A panel of four rows against kColumnsAtOnce of the panel's 24 columns; the accumulators stay in registers.
void inner(const double* a, const double* b, size_t depth, double* sums) {
  Native s[kPanelRows][kVectors];
  for (auto& row : s) {
    for (Native& v : row) v = Native{} - 0.0;
  }
  for (auto& row : s) {
    for (Native& v : row) v = -v;  // -0.0 in every lane
  }
  for (size_t k = 0; k < depth; ++k, a += kPanelRows, b += kPanelColumns) {
    Native columns[kVectors];
    for (size_t j = 0; j < kVectors; ++j) columns[j] = load(b + j * kWidth);
    for (size_t i = 0; i < kPanelRows; ++i) {
      const Native row = a[i] - Native{};
      for (size_t j = 0; j < kVectors; ++j) s[i][j] = added_product(row, columns[j], s[i][j]);
    }
  }
  for (size_t i = 0; i < kPanelRows; ++i) {
    for (size_t j = 0; j < kVectors; ++j) {
      double* out = sums + i * kPanelColumns + j * kWidth;
      store(out, load(out) + s[i][j]);
    }
  }
}

}  // namespace
}  // namespace ONNXV_LANES

#define ONNXV_TILE_JOIN_(a, b) a##b
#define ONNXV_TILE_JOIN(a, b) ONNXV_TILE_JOIN_(a, b)

void ONNXV_TILE_JOIN(product_tile_, ONNXV_LANES)(const ProductTile& tile) {
  for (size_t i = 0; i < tile.panels * kPanelRows * kPanelColumns; ++i) tile.sums[i] = -0.0;
  for (size_t k = 0; k < tile.length; k += kDepth) {
    const size_t depth = tile.length - k < kDepth ? tile.length - k : kDepth;
    for (size_t panel = 0; panel < tile.panels; ++panel) {
      for (size_t column = 0; column < kPanelColumns; column += kColumnsAtOnce) {
        inner(tile.a + (panel * tile.length + k) * kPanelRows, tile.b + k * kPanelColumns + column, depth,
              tile.sums + panel * kPanelRows * kPanelColumns + column);
      }
    }
  }
}

void ONNXV_TILE_JOIN(product_check_, ONNXV_LANES)(const ProductCheck& check) {
  for (size_t j = 0; j < check.count; ++j) {
    const double s = check.sums[j], b = check.bounds[j];
    const float low = static_cast<float>(s - b), high = static_cast<float>(s + b);
    uint32_t low_bits, high_bits;
    __builtin_memcpy(&low_bits, &low, 4);
    __builtin_memcpy(&high_bits, &high, 4);
    const float exact = static_cast<float>(s);
    check.codes[j] = b == 0 ? exact : low;
    // NaN and infinite bounds or sums fail `b < inf` or the comparison of a NaN with itself.
    const bool clear = (b == 0 || low_bits == high_bits) && b < __builtin_inf() && s - s == 0;
    check.open[j] = clear ? 0 : 1;
  }
}

}  // namespace onnxv
