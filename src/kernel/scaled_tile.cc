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
  const Native low = spread(least), high = spread(most);
  return smaller(choose((NativeMask)(x < low), low, x), high);
}

// factor and product round by u each, so that the real value is within 2^-51 of itself from `scaled`; its distance to the nearest
// integer is exact. Returns the lanes that are open.
unsigned scale(const ScaledTile& tile, const int32_t* values, int8_t* codes) {
  NativeFloatBits integers;
  __builtin_memcpy(&integers, values, sizeof integers);
  const Native scaled = between(__builtin_convertvector(integers, Native) * tile.factor, -kFar, kFar);
  const Native rounded = (scaled + kUnits) - kUnits;
  const Native result = between(rounded + tile.zero, tile.least, tile.most);
  typedef int8_t Bytes __attribute__((vector_size(kWidth)));
  const Bytes bytes = __builtin_convertvector(__builtin_convertvector(result, NativeFloatBits), Bytes);
  __builtin_memcpy(codes, &bytes, sizeof bytes);
  return bits_of((NativeMask)(magnitude(scaled - rounded) + 0x1p-51 * magnitude(scaled) >= 0.5));
}

size_t scale_all(const ScaledTile& tile) {
  size_t open = 0;
  for (size_t i = 0; i < tile.count; i += kWidth) {
    const size_t present = tile.count - i < kWidth ? tile.count - i : kWidth;
    int32_t values[kWidth] = {};
    int8_t codes[kWidth];
    __builtin_memcpy(values, tile.values + i, present == kWidth ? sizeof values : present * sizeof(int32_t));
    unsigned unclear = scale(tile, values, codes);
    __builtin_memcpy(tile.codes + i, codes, present == kWidth ? sizeof codes : present);
    if (tile.exact) continue;
    for (unclear &= (1U << present) - 1; unclear != 0; unclear &= unclear - 1) {
      tile.open[open++] = static_cast<uint32_t>(i) + static_cast<uint32_t>(__builtin_ctz(unclear));
    }
  }
  return open;
}

}  // namespace
}  // namespace ONNXV_LANES

#define ONNXV_TILE_JOIN_(a, b) a##b
#define ONNXV_TILE_JOIN(a, b) ONNXV_TILE_JOIN_(a, b)

size_t ONNXV_TILE_JOIN(scaled_tile_, ONNXV_LANES)(const ScaledTile& tile) { return scale_all(tile); }

}  // namespace onnxv
