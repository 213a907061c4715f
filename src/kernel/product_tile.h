// The part of products that is compiled once per instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

namespace onnxv {

inline constexpr size_t kDepth = 128;  // elements that one run of the inner kernel adds, unless told otherwise

// The sums of `panels` panels of a against one panel of b: sums[i * panel columns + j] starts at start[i].
struct ProductTile {
  const double* a;      // panels after one another, each [length][panel rows]
  const double* b;      // [length][panel columns]
  size_t panels, length;
  size_t run;           // elements that are added before they join the sum
  const double* start;  // [panels * panel rows]
  double* sums;         // [panels * panel rows][panel columns]
};

// Euclidean norms of the vectors of a panel, and at most the lowest set bit of their elements (infinity for zeros alone).
struct PanelMeasure {
  const double* panel;  // [length][width]
  size_t length, width;
  double* norms;        // [width]
  double* quanta;       // [width]
};

// A block of sums beside what bounds their errors.
struct SumsOfTile {
  const double* sums;  // row i from sums + i * stride on
  size_t stride;
  size_t rows, columns;
  const double *norms_a, *quanta_a;  // [rows]
  const double *norms_b, *quanta_b;  // [columns, rounded up to a panel's]
  double factor;       // of norm times norm: (depth + 8) u
};

// One vector of a against windows of an image: window v's element e is image[windows[v] + elements[e]].
struct DirectSums {
  const double* weights;  // [length]
  const double* image;
  const int64_t* windows;
  const int64_t* elements;
  size_t count, length;
  double start;
  double* sums;   // [count, rounded up to a vector]
  double* sizes;  // of the absolute values of the terms
};

struct ProductKernels {
  size_t rows, columns;  // vectors of a panel of a, of a panel of b
  void (*tile)(const ProductTile&);
  void (*direct)(const DirectSums&);
  void (*measure)(const PanelMeasure&);
  // The measures of a vector with one more element.
  void (*measure_more)(double element, double* norm, double* quantum);
  // Rounds to float32, row i to codes + i * row_stride. Returns how many elements do not round alike over their whole
  // interval; open[n] = row * columns + column of each.
  size_t (*round_to_float32)(const SumsOfTile&, float* codes, int64_t row_stride, uint32_t* open);
  // The ends of each element's interval, [rows][columns]; both NaN where nothing is known. Equal where the sum is exact.
  void (*ends)(const SumsOfTile&, double* low, double* high);
  // Midpoints and radii, row i at offset i * row_stride; radius infinity and midpoint 0 where nothing is known.
  void (*balls)(const SumsOfTile&, double* midpoints, double* radii, size_t row_stride);
};
const ProductKernels& product_kernels_none();
const ProductKernels& product_kernels_avx2();
const ProductKernels& product_kernels_avx512();
// Those of the instruction set in use.
const ProductKernels& product_kernels();

}  // namespace onnxv
