// Compiled once per instruction set: from sums and the bounds of their errors to codes, intervals and balls.
#include "src/kernel/product_tile.h"
#include "src/kernel/rounding_lanes.h"

namespace onnxv {
inline namespace ONNXV_LANES {
namespace {

struct Bounded {
  Native bound;
  NativeMask known;  // the sum and its bound are finite
};

// 0: every partial sum in any order is exact.
Bounded bounded(const SumsOfTile& tile, size_t row, size_t column, Native sum) {
  const Native norms = tile.norms_a[row] * load_native(tile.norms_b + column);
  const Native quanta = tile.quanta_a[row] * load_native(tile.quanta_b + column);
  const NativeMask exact = (NativeMask)(norms < 0x1p52 * quanta) & (NativeMask)(norms < 0x1p900) &
                           ((NativeMask)(norms == 0.0) | (NativeMask)(quanta > 0x1p-900));
  const Native bound = choose(exact, Native{}, tile.factor * norms + 0x1p-1000);
  return {bound, (NativeMask)(bound < __builtin_inf()) & (NativeMask)(sum - sum == 0.0)};
}

// sum - bound and sum + bound; a bound of 0 keeps the sign of a zero.
Native low_end(Native sum, Native bound) { return sum - bound; }
Native high_end(Native sum, Native bound) { return -(-sum - bound); }

// What a tile's bounds are made of.
bool are_finite(const double* norms, size_t count) {
  bool finite = true;
  for (size_t i = 0; i < count; ++i) finite &= norms[i] < __builtin_inf();
  return finite;
}

template <class Narrow>
unsigned round_closely(const SumsOfTile& tile, size_t row, size_t column, typename Narrow::Codes* codes) {
  const Native sum = load_native(tile.sums + row * tile.stride + column);
  const Bounded b = bounded(tile, row, column, sum);
  *codes = Narrow::rounded(low_end(sum, b.bound));
  return clear_bits(*codes, Narrow::rounded(high_end(sum, b.bound))) & bits_of(b.known);
}

// The elements from `column` on that one register holds: as if nothing were exact they have `codes`, where they are clear.
template <class Narrow>
size_t keep_open(const SumsOfTile& tile, size_t row, size_t column, typename Narrow::Codes codes, unsigned clear,
                 typename Narrow::Code* out, uint32_t* open) {
  const size_t present = tile.columns - column < kWidth ? tile.columns - column : kWidth;
  if (clear != kAllClear && tile.quanta_a != nullptr) clear = round_closely<Narrow>(tile, row, column, &codes);
  __builtin_memcpy(out + column, &codes, present * sizeof *out);
  size_t count = 0;
  for (unsigned left = ~clear & ((1U << present) - 1); left != 0; left &= left - 1) {
    open[count++] = static_cast<uint32_t>(row * tile.columns + column) + static_cast<uint32_t>(__builtin_ctz(left));
  }
  return count;
}

// First by a rough bound, as if nothing were exact, for families that fit tiles (product_grid.h). Finite norms mean finite elements,
// whose sums cannot overflow. Nothing underflows: elements that are not 0 are 2^-149 or more, their products exact, and so are sums
// that are subnormal. A norm of 0 is a vector of zeros (squares vanish of a start alone, which zeros leave as it is): then the sum
// is exact.
template <class Narrow>
size_t round_tile(const SumsOfTile& of, void* to, int64_t row_stride, uint32_t* open) {
  const SumsOfTile tile = of;  // which what is written cannot change
  const bool finite = are_finite(tile.norms_a, tile.rows) && are_finite(tile.norms_b, tile.columns);
  size_t count = 0;
  typename Narrow::Code* out = static_cast<typename Narrow::Code*>(to);
  for (size_t i = 0; i < tile.rows; ++i, out += row_stride) {
    const Native scale = spread(tile.factor * tile.norms_a[i]);
    const double* sums = tile.sums + i * tile.stride;
    for (size_t j = 0; j < tile.columns; j += kWidth) {
      const Native bound = scale * load_native(tile.norms_b + j), sum = load_native(sums + j);
      const typename Narrow::Codes low = Narrow::rounded(low_end(sum, bound)), high = Narrow::rounded(sum + bound);
      unsigned clear = clear_bits(low, high);
      if (!finite) clear &= bits_of((NativeMask)(bound < __builtin_inf()));
      if (clear == kAllClear && tile.columns - j >= kWidth) [[likely]] {
        __builtin_memcpy(out + j, &low, sizeof low);
      } else {
        count += keep_open<Narrow>(tile, i, j, low, clear, out, open + count);
      }
    }
  }
  return count;
}

void store_some(double* to, Native values, size_t present) {
  if (present >= kWidth) return store_native(to, values);
  for (size_t i = 0; i < present; ++i) to[i] = values[i];
}

}  // namespace

size_t round_to_float32(const SumsOfTile& tile, void* codes, int64_t row_stride, uint32_t* open) {
  return round_tile<Float32>(tile, codes, row_stride, open);
}
size_t round_to_bfloat16(const SumsOfTile& tile, void* codes, int64_t row_stride, uint32_t* open) {
  return round_tile<Bfloat16>(tile, codes, row_stride, open);
}
#if defined(__F16C__)
size_t round_to_float16(const SumsOfTile& tile, void* codes, int64_t row_stride, uint32_t* open) {
  return round_tile<Float16>(tile, codes, row_stride, open);
}
#endif

void ends_of_tile(const SumsOfTile& tile, double* low, double* high) {
  for (size_t i = 0; i < tile.rows; ++i, low += tile.columns, high += tile.columns) {
    for (size_t j = 0; j < tile.columns; j += kWidth) {
      const Native sum = load_native(tile.sums + i * tile.stride + j);
      const Bounded b = bounded(tile, i, j, sum);
      const Native unknown = spread(__builtin_nan(""));
      store_some(low + j, choose(b.known, low_end(sum, b.bound), unknown), tile.columns - j);
      store_some(high + j, choose(b.known, high_end(sum, b.bound), unknown), tile.columns - j);
    }
  }
}

void balls_of_tile(const SumsOfTile& tile, double* midpoints, double* radii, size_t row_stride) {
  for (size_t i = 0; i < tile.rows; ++i, midpoints += row_stride, radii += row_stride) {
    for (size_t j = 0; j < tile.columns; j += kWidth) {
      const Native sum = load_native(tile.sums + i * tile.stride + j);
      const Bounded b = bounded(tile, i, j, sum);
      store_some(midpoints + j, choose(b.known, sum, Native{}), tile.columns - j);
      store_some(radii + j, choose(b.known, b.bound, spread(__builtin_inf())), tile.columns - j);
    }
  }
}

}  // namespace ONNXV_LANES
}  // namespace onnxv
