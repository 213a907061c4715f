// Compiled once per instruction set.
#include "src/kernel/anchored_tile.h"

#include "src/kernel/product_lanes.h"

namespace onnxv {
inline namespace ONNXV_LANES {
namespace {

// fma on exact terms: never a product and a sum of their own.
Native fused(Native a, Native b, Native c) {
#if defined(__FMA__)
  return added_product(a, b, c);
#else
  Native r;
  for (size_t i = 0; i < kWidth; ++i) r[i] = __builtin_fma(a[i], b[i], c[i]);
  return r;
#endif
}

// Rows that are summed together: as many as registers hold, so that no addition waits for the one before.
#if defined(__AVX512F__)
constexpr size_t kTogether = 8;
#elif defined(__AVX2__)
constexpr size_t kTogether = 6;
#else
constexpr size_t kTogether = 4;
#endif
static_assert(kPanelColumns % kTogether == 0);

struct Anchored {
  Native high[kTogether], low[kTogether];
};

Anchored sums_of(const double* a, const double* b, size_t length) {
  Native high[kTogether], low[kTogether];
#pragma GCC unroll 8
  for (size_t i = 0; i < kTogether; ++i) {
    high[i] = spread(3.0);
    low[i] = Native{};
  }
  for (size_t k = 0; k < length; ++k, a += kPanelColumns, b += kPanelColumns) {
    const Native column = load_native(b);
#pragma GCC unroll 8
    for (size_t i = 0; i < kTogether; ++i) {
      const Native row = spread(a[i]);
      const Native t = fused(row, column, high[i]);
      const Native q = t - high[i];
      high[i] = t;
      low[i] = low[i] + fused(row, column, -q);
    }
  }
  Anchored s;
#pragma GCC unroll 8
  for (size_t i = 0; i < kTogether; ++i) {
    s.high[i] = high[i];
    s.low[i] = low[i];
  }
  return s;
}

Native magnitude(Native x) { return (Native)((NativeMask)x & INT64_MAX); }

// Rounds one row's elements [column, column + kWidth); returns the lanes that are decided.
unsigned round_row(const AnchoredTile& tile, Native high, Native low, double bound, size_t row, size_t column) {
  const Native head = high - 3.0;
  const Native slack = bound + 0x1p-51 * magnitude(low);
  const Native lower = head + (low - slack), upper = head + (low + slack);
  const Native value = lower * (tile.factors_a[row] * load_native(tile.factors_b + column));
  const NativeMask decided = (NativeMask)(lower == upper) & (NativeMask)(magnitude(value) >= 0x1p-1000) &
                             (NativeMask)(magnitude(value) < 0x1p1000);
  double* out = tile.out + static_cast<int64_t>(row) * tile.row_stride + static_cast<int64_t>(column);
  if (tile.columns - column >= kWidth) {
    store_native(out, value);
  } else {
    for (size_t i = 0; column + i < tile.columns; ++i) out[i] = value[i];
  }
  return bits_of(decided);
}

size_t anchored_tile(const AnchoredTile& tile) {
  const double terms = static_cast<double>(tile.length) + 4;
  const double bound = 1.02 * terms * terms * 0x1p-105;
  size_t open = 0;
  for (size_t first = 0; first < tile.rows; first += kTogether) {
    const double* a = tile.a + first / kPanelColumns * kPanelColumns * tile.length + first % kPanelColumns;
    for (size_t column = 0; column < tile.columns; column += kWidth) {
      const size_t present = tile.columns - column < kWidth ? tile.columns - column : kWidth;
      const Anchored s = sums_of(a, tile.b + column, tile.length);
      for (size_t i = 0; i < kTogether && first + i < tile.rows; ++i) {
        const unsigned decided = round_row(tile, s.high[i], s.low[i], bound, first + i, column);
        for (unsigned left = ~decided & ((1U << present) - 1); left != 0; left &= left - 1) {
          tile.open[open++] = static_cast<uint32_t>((first + i) * tile.columns + column) + static_cast<uint32_t>(__builtin_ctz(left));
        }
      }
    }
  }
  return open;
}

void balls_of(const AnchoredBalls& tile, const Anchored& s, size_t row, size_t column, double bound) {
  for (size_t i = 0; i < kTogether && row + i < tile.rows; ++i) {
    const Native head = s.high[i] - 3.0, low = s.low[i], sum = head + low;
    const Native t = sum - head, rest = (head - (sum - t)) + (low - t);
    const Native factor = tile.factors_a[row + i] * load_native(tile.factors_b + column);
    const Native radius = (magnitude(rest) + bound) * factor + 0x1p-1000, midpoint = sum * factor;
    const NativeMask known = (NativeMask)(radius < __builtin_inf()) & (NativeMask)(magnitude(midpoint) < 0x1p1000);
    const size_t at = (row + i) * static_cast<size_t>(tile.row_stride) + column;
    const Native m = choose(known, midpoint, Native{}), r = choose(known, radius, spread(__builtin_inf()));
    if (tile.columns - column >= kWidth) {
      store_native(tile.midpoints + at, m);
      store_native(tile.radii + at, r);
    } else {
      for (size_t j = 0; column + j < tile.columns; ++j) {
        tile.midpoints[at + j] = m[j];
        tile.radii[at + j] = r[j];
      }
    }
  }
}

void anchored_balls(const AnchoredBalls& tile) {
  const double terms = static_cast<double>(tile.length) + 4;
  const double bound = 1.02 * terms * terms * 0x1p-105;
  for (size_t first = 0; first < tile.rows; first += kTogether) {
    const double* a = tile.a + first / kPanelColumns * kPanelColumns * tile.length + first % kPanelColumns;
    for (size_t column = 0; column < tile.columns; column += kWidth) {
      balls_of(tile, sums_of(a, tile.b + column, tile.length), first, column, bound);
    }
  }
}

}  // namespace
}  // namespace ONNXV_LANES

#define ONNXV_TILE_JOIN_(a, b) a##b
#define ONNXV_TILE_JOIN(a, b) ONNXV_TILE_JOIN_(a, b)

size_t ONNXV_TILE_JOIN(anchored_tile_, ONNXV_LANES)(const AnchoredTile& tile) { return anchored_tile(tile); }
void ONNXV_TILE_JOIN(anchored_balls_, ONNXV_LANES)(const AnchoredBalls& tile) { anchored_balls(tile); }

}  // namespace onnxv
