// Compiled once per instruction set.
#include "src/kernel/scaled_tile.h"

#include "src/kernel/product_lanes.h"

namespace onnxv {
inline namespace ONNXV_LANES {
namespace {

constexpr double kUnits = 0x1.8p52;  // adding it rounds to nearest even what is below 2^51
constexpr double kFar = 0x1p30;      // whatever is farther saturates

Native magnitude(Native x) { return (Native)((NativeMask)x & (NativeMask{} + INT64_MAX)); }
Native between(Native x, double least, double most) {
#if defined(__AVX2__) && !defined(__AVX512F__)
  return (Native)_mm256_min_pd(_mm256_max_pd((__m256d)x, _mm256_set1_pd(least)), _mm256_set1_pd(most));
#else
  const Native low = spread(least), high = spread(most);
  return smaller(choose((NativeMask)(x < low), low, x), high);
#endif
}

// The low bytes of integers that fit them.
void store_bytes(NativeFloatBits integers, int8_t* to) {
#if defined(__AVX2__) && !defined(__AVX512F__)
  const __m128i every_fourth = _mm_setr_epi8(0, 4, 8, 12, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
  const int32_t bytes = _mm_cvtsi128_si32(_mm_shuffle_epi8((__m128i)integers, every_fourth));
  __builtin_memcpy(to, &bytes, sizeof bytes);
#else
  for (size_t i = 0; i < kWidth; ++i) to[i] = static_cast<int8_t>(integers[i]);
#endif
}

// factor and product round by u each, so that the real value is within 2^-51 of itself from `scaled`; its distance to the nearest
// integer is exact. Returns the lanes that are open.
unsigned scale(const ScaledTile& tile, const int32_t* values, int8_t* codes) {
  NativeFloatBits integers;
  __builtin_memcpy(&integers, values, sizeof integers);
  const Native scaled = between(__builtin_convertvector(integers, Native) * tile.factor, -kFar, kFar);
  const Native rounded = (scaled + kUnits) - kUnits;
  const Native result = between(rounded + tile.zero, tile.least, tile.most);
  store_bytes(__builtin_convertvector(result, NativeFloatBits), codes);
  return bits_of((NativeMask)(magnitude(scaled - rounded) + 0x1p-51 * magnitude(scaled) >= 0.5));
}

size_t scale_all(const ScaledTile& given) {
  const ScaledTile tile = given;  // which what is written cannot change
  size_t open = 0;
  const auto note = [&](size_t i, unsigned unclear) {
    for (; unclear != 0 && !tile.exact; unclear &= unclear - 1) {
      tile.open[open++] = static_cast<uint32_t>(i) + static_cast<uint32_t>(__builtin_ctz(unclear));
    }
  };
  size_t i = 0;
  for (; i + kWidth <= tile.count; i += kWidth) {
    const unsigned unclear = scale(tile, tile.values + i, reinterpret_cast<int8_t*>(tile.codes) + i);
    if (unclear != 0) [[unlikely]] note(i, unclear);
  }
  if (i < tile.count) {
    const size_t present = tile.count - i;
    int32_t values[kWidth] = {};
    int8_t codes[kWidth];
    __builtin_memcpy(values, tile.values + i, present * sizeof(int32_t));
    const unsigned unclear = scale(tile, values, codes);
    __builtin_memcpy(tile.codes + i, codes, present);
    note(i, unclear & ((1U << present) - 1));
  }
  return open;
}

}  // namespace
}  // namespace ONNXV_LANES

#define ONNXV_TILE_JOIN_(a, b) a##b
#define ONNXV_TILE_JOIN(a, b) ONNXV_TILE_JOIN_(a, b)

size_t ONNXV_TILE_JOIN(scaled_tile_, ONNXV_LANES)(const ScaledTile& tile) { return scale_all(tile); }

}  // namespace onnxv
