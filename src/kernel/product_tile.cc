// Compiled once per instruction set.
#include "src/kernel/product_tile.h"

#include "src/kernel/product_lanes.h"

namespace onnxv {
inline namespace ONNXV_LANES {

bool pack_plain(const PlainPanels& job);  // pack_panels.cc
// round_tile.cc
size_t round_to_float32(const SumsOfTile& tile, void* codes, int64_t row_stride, uint32_t* open);
size_t round_to_float16(const SumsOfTile& tile, void* codes, int64_t row_stride, uint32_t* open);
size_t round_to_bfloat16(const SumsOfTile& tile, void* codes, int64_t row_stride, uint32_t* open);
void ends_of_tile(const SumsOfTile& tile, double* low, double* high);
void balls_of_tile(const SumsOfTile& tile, double* midpoints, double* radii, size_t row_stride);

namespace {

// One panel of a against the first registers of one of b; the accumulators stay in registers. Without `start` the sums go on.
template <size_t vectors>
void inner(const double* a, const double* b, size_t depth, const double* start, double* sums) {
  Native s[kPanelRows][vectors];
#pragma GCC unroll 8
  for (size_t i = 0; i < kPanelRows; ++i) {
    __builtin_prefetch(sums + i * kPanelColumns, 1);
#pragma GCC unroll 4
    for (size_t j = 0; j < vectors; ++j) s[i][j] = spread(-0.0);
  }
  for (size_t k = 0; k < depth; ++k, a += kPanelRows, b += kPanelColumns) {
    Native columns[vectors];
#pragma GCC unroll 4
    for (size_t j = 0; j < vectors; ++j) columns[j] = load_native(b + j * kWidth);
#pragma GCC unroll 8
    for (size_t i = 0; i < kPanelRows; ++i) {
      const Native row = spread(a[i]);
#pragma GCC unroll 4
      for (size_t j = 0; j < vectors; ++j) s[i][j] = added_product(row, columns[j], s[i][j]);
    }
  }
#pragma GCC unroll 8
  for (size_t i = 0; i < kPanelRows; ++i) {
#pragma GCC unroll 4
    for (size_t j = 0; j < vectors; ++j) {
      double* out = sums + i * kPanelColumns + j * kWidth;
      store_native(out, (start != nullptr ? spread(start[i]) : load_native(out)) + s[i][j]);
    }
  }
}

template <size_t vectors>
void tile_of(const ProductTile& tile) {
  for (size_t k = 0; k < tile.length; k += tile.run) {
    const size_t depth = tile.length - k < tile.run ? tile.length - k : tile.run;
    for (size_t panel = 0; panel < tile.panels; ++panel) {
      inner<vectors>(tile.a + (panel * tile.length + k) * kPanelRows, tile.b + k * kPanelColumns, depth,
                     k == 0 && tile.start != nullptr ? tile.start + panel * kPanelRows : nullptr,
                     tile.sums + panel * kPanelRows * kPanelColumns);
    }
  }
}

void tile(const ProductTile& tile) {
  if constexpr (kPanelVectors > 2) {
    if (tile.columns <= kWidth) return tile_of<1>(tile);
    if (tile.columns <= 2 * kWidth) return tile_of<2>(tile);
  }
  tile_of<kPanelVectors>(tile);
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

template <bool and_quanta>
void measure_panel(const PanelMeasure& panel) {
  for (size_t v = 0; v < panel.width; v += kWidth) {
    // Two of each: an addition takes some cycles.
    Native squares[2] = {}, quanta[2] = {spread(__builtin_inf()), spread(__builtin_inf())};
    const double* at = panel.panel + v;
    const auto add = [&](size_t n) {
      const Native x = load_native(at);
      squares[n] = added_product(x, x, squares[n]);
      if constexpr (and_quanta) quanta[n] = smaller(lowest_bits(x), quanta[n]);
      at += panel.width;
    };
    size_t k = 0;
    for (; k + 2 <= panel.length; k += 2) {
      add(0);
      add(1);
    }
    if (k < panel.length) add(0);
    store_native(panel.squares + v, load_native(panel.squares + v) + (squares[0] + squares[1]));
    if constexpr (and_quanta) {
      store_native(panel.quanta + v, smaller(load_native(panel.quanta + v), smaller(quanta[0], quanta[1])));
    }
  }
}

void measure(const PanelMeasure& panel) {
  return panel.quanta == nullptr ? measure_panel<false>(panel) : measure_panel<true>(panel);
}

void measure_more(double element, double* norm, double* quantum) {
  const Native squares = spread(*norm * *norm + element * element);
  *norm = root(squares)[0];
  *quantum = smaller(lowest_bits(spread(element)), spread(*quantum))[0];
}

}  // namespace
}  // namespace ONNXV_LANES

#define ONNXV_TILE_JOIN_(a, b) a##b
#define ONNXV_TILE_JOIN(a, b) ONNXV_TILE_JOIN_(a, b)

const ProductKernels& ONNXV_TILE_JOIN(product_kernels_, ONNXV_LANES)() {
#if defined(__F16C__)
  constexpr RoundTile kToFloat16 = round_to_float16;
#else
  constexpr RoundTile kToFloat16 = nullptr;
#endif
  static constexpr ProductKernels kKernels{kPanelRows,       kPanelColumns, pack_plain,        tile,         direct,       measure, measure_more,
                                           round_to_float32, kToFloat16,    round_to_bfloat16, ends_of_tile, balls_of_tile};
  return kKernels;
}

}  // namespace onnxv
