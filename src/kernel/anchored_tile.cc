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

// A block of sums, two registers each, that leaves room for what they are made of: no addition waits for the one before, and
// three loads of rows serve two registers of columns.
#if defined(__AVX512F__)
constexpr size_t kRows = 6;
#else
constexpr size_t kRows = 3;
#endif
constexpr size_t kRegisters = 2, kColumns = kRegisters * kWidth;

struct Anchored {
  Native high[kRows][kRegisters], low[kRows][kRegisters];
};

void sums_of(const double* a, const double* b, size_t length, Anchored* sums) {
  Native high[kRows][kRegisters], low[kRows][kRegisters];
#pragma GCC unroll 8
  for (size_t i = 0; i < kRows; ++i) {
    for (size_t j = 0; j < kRegisters; ++j) {
      high[i][j] = spread(3.0);
      low[i][j] = Native{};
    }
  }
#pragma GCC unroll 2
  for (size_t k = 0; k < length; ++k, a += kRows, b += kColumns) {
    const Native columns[kRegisters] = {load_native(b), load_native(b + kWidth)};
#pragma GCC unroll 8
    for (size_t i = 0; i < kRows; ++i) {
      const Native row = spread(a[i]);
      for (size_t j = 0; j < kRegisters; ++j) {
        const Native t = fused(row, columns[j], high[i][j]);
        const Native q = t - high[i][j];
        high[i][j] = t;
        low[i][j] = low[i][j] + fused(row, columns[j], -q);
      }
    }
  }
#pragma GCC unroll 8
  for (size_t i = 0; i < kRows; ++i) {
    for (size_t j = 0; j < kRegisters; ++j) {
      sums->high[i][j] = high[i][j];
      sums->low[i][j] = low[i][j];
    }
  }
}

template <size_t width>
void scale_as(const ScaledPanel& job) {
  double* to = job.panels;
  for (size_t part = 0; part < job.wide; part += width) {
    const double* from = job.panel + part;
    for (size_t k = 0; k < job.length; ++k, from += job.wide, to += width) {
      for (size_t i = 0; i < width; ++i) to[i] = from[i] * job.factors[part + i];
    }
  }
}

void scale(const ScaledPanel& job) { return job.width == kColumns ? scale_as<kColumns>(job) : scale_as<kRows>(job); }

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

double bound_of(size_t length) {
  const double terms = static_cast<double>(length) + 4;
  return 1.02 * terms * terms * 0x1p-105;
}

size_t anchored_tile(const AnchoredTile& tile) {
  const double bound = bound_of(tile.length);
  size_t open = 0;
  for (size_t first = 0; first < tile.rows; first += kRows) {
    Anchored s;
    sums_of(tile.a + first * tile.length, tile.b, tile.length, &s);
    for (size_t i = 0; i < kRows && first + i < tile.rows; ++i) {
      for (size_t j = 0; j * kWidth < tile.columns; ++j) {
        const size_t column = j * kWidth, present = tile.columns - column < kWidth ? tile.columns - column : kWidth;
        const unsigned decided = round_row(tile, s.high[i][j], s.low[i][j], bound, first + i, column);
        for (unsigned left = ~decided & ((1U << present) - 1); left != 0; left &= left - 1) {
          tile.open[open++] = static_cast<uint32_t>((first + i) * tile.columns + column) + static_cast<uint32_t>(__builtin_ctz(left));
        }
      }
    }
  }
  return open;
}

void ball_of(const AnchoredBalls& tile, Native high, Native low, double bound, size_t row, size_t column) {
  const Native head = high - 3.0, sum = head + low;
  const Native t = sum - head, rest = (head - (sum - t)) + (low - t);
  const Native factor = tile.factors_a[row] * load_native(tile.factors_b + column);
  const Native radius = (magnitude(rest) + bound) * factor + 0x1p-1000, midpoint = sum * factor;
  const NativeMask known = (NativeMask)(radius < __builtin_inf()) & (NativeMask)(magnitude(midpoint) < 0x1p1000);
  const size_t at = row * static_cast<size_t>(tile.row_stride) + column;
  const Native m = choose(known, midpoint, Native{}), r = choose(known, radius, spread(__builtin_inf()));
  if (tile.columns - column >= kWidth) {
    store_native(tile.midpoints + at, m);
    store_native(tile.radii + at, r);
    return;
  }
  for (size_t j = 0; column + j < tile.columns; ++j) {
    tile.midpoints[at + j] = m[j];
    tile.radii[at + j] = r[j];
  }
}

void anchored_balls(const AnchoredBalls& tile) {
  const double bound = bound_of(tile.length);
  for (size_t first = 0; first < tile.rows; first += kRows) {
    Anchored s;
    sums_of(tile.a + first * tile.length, tile.b, tile.length, &s);
    for (size_t i = 0; i < kRows && first + i < tile.rows; ++i) {
      for (size_t j = 0; j * kWidth < tile.columns; ++j) ball_of(tile, s.high[i][j], s.low[i][j], bound, first + i, j * kWidth);
    }
  }
}

}  // namespace
}  // namespace ONNXV_LANES

#define ONNXV_TILE_JOIN_(a, b) a##b
#define ONNXV_TILE_JOIN(a, b) ONNXV_TILE_JOIN_(a, b)

const AnchoredKernels& ONNXV_TILE_JOIN(anchored_kernels_, ONNXV_LANES)() {
  static constexpr AnchoredKernels kKernels{kRows, kColumns, scale, anchored_tile, anchored_balls};
  return kKernels;
}

}  // namespace onnxv
