// Compiled once per instruction set.
#include "src/kernel/product_tile.h"

#include "src/kernel/product_lanes.h"

namespace onnxv {
inline namespace ONNXV_LANES {

// pack_panels.cc
bool pack_plain(const PlainPanels& job);
bool pack_windows(const WindowPanels& job);
// integer_tile.cc
void pair_up(const double* panel, size_t length, size_t width, int32_t* pairs);
void integer_tile(const IntegerTile& tile);
// direct_tile.cc
void direct_sums(const DirectSums& job);
bool direct_float32(const DirectSums& job, double bound, void* codes);
bool direct_float16(const DirectSums& job, double bound, void* codes);
bool direct_bfloat16(const DirectSums& job, double bound, void* codes);
double largest_magnitude(const float* x, size_t count);
// round_tile.cc
size_t round_to_float32(const SumsOfTile& tile, void* codes, int64_t row_stride, uint32_t* open);
size_t round_to_float16(const SumsOfTile& tile, void* codes, int64_t row_stride, uint32_t* open);
size_t round_to_bfloat16(const SumsOfTile& tile, void* codes, int64_t row_stride, uint32_t* open);
void ends_of_tile(const SumsOfTile& tile, double* low, double* high);
void balls_of_tile(const SumsOfTile& tile, double* midpoints, double* radii, size_t row_stride);

namespace {

// One panel of a against the first register of one of b. Each sum runs in two halves: an addition takes some cycles.
void inner_of_one(const double* a, const double* b, size_t depth, Native (&s)[kPanelRows][1]) {
  Native other[kPanelRows];
#pragma GCC unroll 8
  for (size_t i = 0; i < kPanelRows; ++i) s[i][0] = other[i] = spread(-0.0);
  size_t k = 0;
  for (; k + 2 <= depth; k += 2, a += 2 * kPanelRows, b += 2 * kPanelColumns) {
    const Native column = load_native(b), next = load_native(b + kPanelColumns);
#pragma GCC unroll 8
    for (size_t i = 0; i < kPanelRows; ++i) {
      s[i][0] = added_product(spread(a[i]), column, s[i][0]);
      other[i] = added_product(spread(a[kPanelRows + i]), next, other[i]);
    }
  }
  const Native column = k < depth ? load_native(b) : Native{};
#pragma GCC unroll 8
  for (size_t i = 0; i < kPanelRows; ++i) {
    if (k < depth) other[i] = added_product(spread(a[i]), column, other[i]);
    s[i][0] = s[i][0] + other[i];
  }
}

// One panel of a against the first registers of one of b; the accumulators stay in registers. Without a start the sums go on.
template <size_t vectors>
void inner(const double* a, const double* b, size_t depth, const double* start, const double* column_start, double* sums) {
  Native s[kPanelRows][vectors];
#pragma GCC unroll 8
  for (size_t i = 0; i < kPanelRows; ++i) {
    __builtin_prefetch(sums + i * kPanelColumns, 1);
#pragma GCC unroll 4
    for (size_t j = 0; j < vectors; ++j) s[i][j] = spread(-0.0);
  }
  if constexpr (vectors == 1) inner_of_one(a, b, depth, s);
  for (size_t k = 0; k < depth && vectors > 1; ++k, a += kPanelRows, b += kPanelColumns) {
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
      const Native before = start != nullptr ? spread(start[i]) : load_native(column_start != nullptr ? column_start + j * kWidth : out);
      store_native(out, before + s[i][j]);
    }
  }
}

template <size_t vectors>
void tile_of(const ProductTile& tile) {
  for (size_t k = 0; k < tile.length; k += tile.run) {
    const size_t depth = tile.length - k < tile.run ? tile.length - k : tile.run;
    for (size_t panel = 0; panel < tile.panels; ++panel) {
      inner<vectors>(tile.a + (panel * tile.length + k) * kPanelRows, tile.b + k * kPanelColumns, depth,
                     k == 0 && tile.start != nullptr ? tile.start + panel * kPanelRows : nullptr, k == 0 ? tile.column_start : nullptr,
                     tile.sums + panel * kPanelRows * kPanelColumns);
    }
  }
}

void tile(const ProductTile& tile) {
  if (tile.columns <= kWidth) return tile_of<1>(tile);
  if constexpr (kPanelVectors > 2) {
    if (tile.columns <= 2 * kWidth) return tile_of<2>(tile);
  }
  tile_of<kPanelVectors>(tile);
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
  constexpr NarrowKernels kFloat16Kernels{round_to_float16, direct_float16};
#else
  constexpr NarrowKernels kFloat16Kernels{nullptr, nullptr};
#endif
#if defined(__AVX2__)
  constexpr auto kIntegerTile = integer_tile;
#else
  constexpr void (*kIntegerTile)(const IntegerTile&) = nullptr;
#endif
  static constexpr ProductKernels kKernels{kPanelRows,   kPanelColumns, pack_plain,  pack_windows,  tile, pair_up, kIntegerTile,
                                           direct_sums,  measure,       measure_more, largest_magnitude,
                                           {round_to_float32, direct_float32}, kFloat16Kernels, {round_to_bfloat16, direct_bfloat16},
                                           ends_of_tile, balls_of_tile};
  return kKernels;
}

}  // namespace onnxv
