// Compiled once per instruction set.
#include "src/kernel/product_tile.h"

#include "src/kernel/product_lanes.h"

namespace onnxv {
inline namespace ONNXV_LANES {
namespace {

// One panel of a against one of b; the accumulators stay in registers.
void inner(const double* a, const double* b, size_t depth, double* sums) {
  Native s[kPanelRows][kPanelVectors];
  for (auto& row : s) {
    for (Native& v : row) v = spread(-0.0);
  }
  for (size_t k = 0; k < depth; ++k, a += kPanelRows, b += kPanelColumns) {
    Native columns[kPanelVectors];
    for (size_t j = 0; j < kPanelVectors; ++j) columns[j] = load_native(b + j * kWidth);
    for (size_t i = 0; i < kPanelRows; ++i) {
      const Native row = spread(a[i]);
      for (size_t j = 0; j < kPanelVectors; ++j) s[i][j] = added_product(row, columns[j], s[i][j]);
    }
  }
  for (size_t i = 0; i < kPanelRows; ++i) {
    for (size_t j = 0; j < kPanelVectors; ++j) {
      double* out = sums + i * kPanelColumns + j * kWidth;
      store_native(out, load_native(out) + s[i][j]);
    }
  }
}

void tile(const ProductTile& tile) {
  for (size_t i = 0; i < tile.panels * kPanelRows; ++i) {
    for (size_t j = 0; j < kPanelVectors; ++j) {
      store_native(tile.sums + i * kPanelColumns + j * kWidth, spread(tile.start[i]));
    }
  }
  for (size_t k = 0; k < tile.length; k += tile.run) {
    const size_t depth = tile.length - k < tile.run ? tile.length - k : tile.run;
    for (size_t panel = 0; panel < tile.panels; ++panel) {
      inner(tile.a + (panel * tile.length + k) * kPanelRows, tile.b + k * kPanelColumns, depth,
            tile.sums + panel * kPanelRows * kPanelColumns);
    }
  }
}

Native gathered(const double* image, const int64_t* windows, size_t present) {
  Native x{};
  for (size_t i = 0; i < present; ++i) x[i] = image[windows[i]];
  return x;
}

// `vectors` registers of windows from v on that stand side by side.
template <size_t vectors>
void direct_neighbours(const DirectSums& job, size_t v) {
  const NativeMask magnitude = NativeMask{} + INT64_MAX;
  Native sums[vectors], sizes[vectors];
  for (size_t n = 0; n < vectors; ++n) {
    sums[n] = spread(job.start);
    sizes[n] = (Native)((NativeMask)sums[n] & magnitude);
  }
  for (size_t e = 0; e < job.length; ++e) {
    const double* at = job.image + job.elements[e] + job.windows[v];
    const Native weight = spread(job.weights[e]), size = (Native)((NativeMask)weight & magnitude);
    for (size_t n = 0; n < vectors; ++n) {
      const Native x = load_native(at + n * kWidth);
      sums[n] = added_product(weight, x, sums[n]);
      sizes[n] = added_product(size, (Native)((NativeMask)x & magnitude), sizes[n]);
    }
  }
  for (size_t n = 0; n < vectors; ++n) {
    store_native(job.sums + v + n * kWidth, sums[n]);
    store_native(job.sizes + v + n * kWidth, sizes[n]);
  }
}

void direct_apart(const DirectSums& job, size_t v, size_t present) {
  const NativeMask magnitude = NativeMask{} + INT64_MAX;
  Native sum = spread(job.start), size = (Native)((NativeMask)sum & magnitude);
  for (size_t e = 0; e < job.length; ++e) {
    const Native x = gathered(job.image + job.elements[e], job.windows + v, present);
    const Native product = spread(job.weights[e]) * x;
    sum = sum + product;
    size = size + (Native)((NativeMask)product & magnitude);
  }
  store_native(job.sums + v, sum);
  store_native(job.sizes + v, size);
}

void direct(const DirectSums& job) {
  for (size_t v = 0; v < job.count;) {
    const size_t left = job.count - v;
    const int64_t* windows = job.windows + v;
    const auto side_by_side = [&](size_t some) {
      return left >= some && windows[some - 1] - windows[0] == static_cast<int64_t>(some) - 1;
    };
    if (side_by_side(4 * kWidth)) {
      direct_neighbours<4>(job, v);
      v += 4 * kWidth;
    } else if (side_by_side(2 * kWidth)) {
      direct_neighbours<2>(job, v);
      v += 2 * kWidth;
    } else if (side_by_side(kWidth)) {
      direct_neighbours<1>(job, v);
      v += kWidth;
    } else {
      direct_apart(job, v, left < kWidth ? left : kWidth);
      v += kWidth;
    }
  }
}

void measure(const PanelMeasure& panel) {
  for (size_t v = 0; v < panel.width; v += kWidth) {
    // Two of each: an addition takes some cycles.
    Native squares[2] = {}, quanta[2] = {spread(__builtin_inf()), spread(__builtin_inf())};
    const double* at = panel.panel + v;
    size_t k = 0;
    for (; k + 2 <= panel.length; k += 2) {
      for (size_t two = 0; two < 2; ++two, at += panel.width) {
        const Native x = load_native(at);
        squares[two] = added_product(x, x, squares[two]);
        quanta[two] = smaller(lowest_bits(x), quanta[two]);
      }
    }
    if (k < panel.length) {
      const Native x = load_native(at);
      squares[0] = added_product(x, x, squares[0]);
      quanta[0] = smaller(lowest_bits(x), quanta[0]);
    }
    store_native(panel.norms + v, root(squares[0] + squares[1]));
    store_native(panel.quanta + v, smaller(quanta[0], quanta[1]));
  }
}

void measure_more(double element, double* norm, double* quantum) {
  const Native squares = spread(*norm * *norm + element * element);
  *norm = root(squares)[0];
  *quantum = smaller(lowest_bits(spread(element)), spread(*quantum))[0];
}

// ---- the check ----

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
  // The last term covers products and sums that underflow.
  const Native bound = choose(exact, Native{}, tile.factor * norms + 0x1p-1000);
  return {bound, (NativeMask)(bound < __builtin_inf()) & (NativeMask)(sum - sum == 0.0)};
}

// sum - bound and sum + bound; a bound of 0 keeps the sign of a zero.
Native low_end(Native sum, Native bound) { return sum - bound; }
Native high_end(Native sum, Native bound) { return -(-sum - bound); }

constexpr unsigned kAllClear = (1U << kWidth) - 1;
// The lanes where both ends are one number.
unsigned clear_bits(NativeFloat low, NativeFloat high, NativeMask known) {
  const NativeFloatBits same = (NativeFloatBits)((NativeFloatBits)low == (NativeFloatBits)high);
  return bits_of(__builtin_convertvector(same, NativeMask) & known);
}

size_t round_to_float32(const SumsOfTile& tile, float* codes, int64_t row_stride, uint32_t* open) {
  size_t count = 0;
  for (size_t i = 0; i < tile.rows; ++i, codes += row_stride) {
    for (size_t j = 0; j < tile.columns; j += kWidth) {
      const Native sum = load_native(tile.sums + i * tile.stride + j);
      // First as if nothing were exact. Finite norms mean finite elements, whose sums cannot overflow.
      Native bound = tile.factor * (tile.norms_a[i] * load_native(tile.norms_b + j)) + 0x1p-1000;
      NativeFloat low = __builtin_convertvector(low_end(sum, bound), NativeFloat);
      NativeFloat high = __builtin_convertvector(sum + bound, NativeFloat);
      unsigned clear = clear_bits(low, high, (NativeMask)(bound < __builtin_inf()));
      if (clear != kAllClear) [[unlikely]] {
        const Bounded b = bounded(tile, i, j, sum);
        low = __builtin_convertvector(low_end(sum, b.bound), NativeFloat);
        high = __builtin_convertvector(high_end(sum, b.bound), NativeFloat);
        clear = clear_bits(low, high, b.known);
      }
      const size_t present = tile.columns - j < kWidth ? tile.columns - j : kWidth;
      if (present == kWidth) {
        __builtin_memcpy(codes + j, &low, sizeof low);
      } else {
        __builtin_memcpy(codes + j, &low, present * sizeof(float));
      }
      for (unsigned left = ~clear & ((1U << present) - 1); left != 0; left &= left - 1) {
        open[count++] = static_cast<uint32_t>(i * tile.columns + j) + static_cast<uint32_t>(__builtin_ctz(left));
      }
    }
  }
  return count;
}

void store_some(double* to, Native values, size_t present) {
  if (present >= kWidth) return store_native(to, values);
  for (size_t i = 0; i < present; ++i) to[i] = values[i];
}

void ends(const SumsOfTile& tile, double* low, double* high) {
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

void balls(const SumsOfTile& tile, double* midpoints, double* radii, size_t row_stride) {
  for (size_t i = 0; i < tile.rows; ++i, midpoints += row_stride, radii += row_stride) {
    for (size_t j = 0; j < tile.columns; j += kWidth) {
      const Native sum = load_native(tile.sums + i * tile.stride + j);
      const Bounded b = bounded(tile, i, j, sum);
      store_some(midpoints + j, choose(b.known, sum, Native{}), tile.columns - j);
      store_some(radii + j, choose(b.known, b.bound, spread(__builtin_inf())), tile.columns - j);
    }
  }
}

}  // namespace
}  // namespace ONNXV_LANES

#define ONNXV_TILE_JOIN_(a, b) a##b
#define ONNXV_TILE_JOIN(a, b) ONNXV_TILE_JOIN_(a, b)

const ProductKernels& ONNXV_TILE_JOIN(product_kernels_, ONNXV_LANES)() {
  static constexpr ProductKernels kKernels{kPanelRows,   kPanelColumns,    tile, direct, measure,
                                           measure_more, round_to_float32, ends, balls};
  return kKernels;
}

}  // namespace onnxv
