// The part of products that is compiled once per instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

namespace onnxv {

// Elements that one run of the inner kernel adds, unless told otherwise, and that are packed together: a panel of them stays in the
// first cache.
inline constexpr size_t kDepth = 192;

// The sums of `panels` panels of a against one panel of b: sums[i * panel columns + j] starts at start[i].
struct ProductTile {
  const double* a;      // panels after one another, each [length][panel rows]
  const double* b;      // [length][panel columns]
  size_t panels, length;
  size_t columns;       // that are wanted: the others may be left out
  size_t run;           // elements that are added before they join the sum
  const double* start;  // [panels * panel rows]; null: added to what the sums are
  double* sums;         // [panels * panel rows][panel columns]
  const double* column_start = nullptr;  // [panel columns], in place of `start`
};

// How the elements of a plain array are stored.
enum class Stored : uint8_t { kNowhere, kFloat32, kFloat64, kFloat16, kBfloat16, kInt8, kUint8, kInt16 };
constexpr size_t stored_bytes(Stored stored) {
  switch (stored) {
    case Stored::kFloat64: return 8;
    case Stored::kFloat32: return 4;
    case Stored::kFloat16:
    case Stored::kBfloat16:
    case Stored::kInt16: return 2;
    default: return 1;
  }
}

// Vectors of a plain array into panels: element e of vector v stands at v * vector_stride + e * element_stride.
struct PlainPanels {
  const void* values;
  Stored stored;
  int64_t vector_stride, element_stride;
  size_t count, length, width;
  double* panels;  // panel after panel, each [length][width]; the last one is filled up with zeros
};

// Adds up the squares of the elements of each vector of a panel, and lowers `quanta` to at most the lowest set bit of any of them.
// (Infinity where all elements are zeros, if it was that before.)
struct PanelMeasure {
  const double* panel;  // [length][width]
  size_t length, width;
  double* squares;      // [width]
  double* quanta;       // [width]; null: not wanted
};

class QuantaSource;

// A block of sums beside what bounds their errors.
struct SumsOfTile {
  const double* sums;  // row i from sums + i * stride on
  size_t stride;
  size_t rows, columns;
  const double *norms_a, *quanta_a;  // [rows]
  const double *norms_b, *quanta_b;  // [columns, rounded up to a panel's]
  double factor;       // of norm times norm: (depth + 8) u
  // Quanta decide only where a rough bound does not: null until they are asked for.
  const QuantaSource* source = nullptr;
};
// Whoever made the tile, while it lives.
class QuantaSource {
 public:
  virtual ~QuantaSource() = default;
  virtual void add_quanta(SumsOfTile* tile) const = 0;
};
inline SumsOfTile with_quanta(SumsOfTile tile) {
  if (tile.quanta_a == nullptr) tile.source->add_quanta(&tile);
  return tile;
}

// Rounds to a float type, row i to codes + i * row_stride. Returns how many elements do not round alike over their whole
// interval; open[n] = row * columns + column of each.
using RoundTile = size_t (*)(const SumsOfTile&, void* codes, int64_t row_stride, uint32_t* open);

// Windows of an image into panels: element e of window v is image[windows[v] + elements[e]].
struct WindowPanels {
  const float* floats;  // null: doubles
  const double* doubles;
  const int64_t* windows;
  const int64_t* elements;
  size_t count, length, width;
  double* panels;
};

// One vector of a against windows of an image, which rise.
struct DirectSums {
  const double* weights;  // [length]
  const float* image;     // a register of numbers more may be read behind it
  const int64_t* windows;
  const int64_t* elements;
  size_t count, length;
  double start;
  double* sums;   // [count, rounded up to a vector]
  double* sizes;  // of the absolute values of the terms
};

// Panels of pairs of 16-bit integers, each pair in 32 bits, the first element low.
inline constexpr size_t kIntegerRows = 4, kIntegerColumns = 16;
struct IntegerTile {
  const int32_t* a;  // panels after one another, each [pairs][kIntegerRows]
  const int32_t* b;  // [pairs][kIntegerColumns]
  size_t panels, pairs;
  int32_t* sums;     // [panels * kIntegerRows][kIntegerColumns], modulo 2^32
};

// Rounding to one narrow type; null: this set cannot.
struct NarrowKernels {
  RoundTile round = nullptr;
  // Direct sums (which are not stored), each within `bound` of the real one. False: some do not round alike over their interval.
  bool (*direct)(const DirectSums&, double bound, void* codes) = nullptr;
};

struct ProductKernels {
  size_t rows, columns;  // vectors of a panel of a, of a panel of b
  // False where it does not read such arrays.
  bool (*pack)(const PlainPanels&);
  bool (*pack_windows)(const WindowPanels&);
  void (*tile)(const ProductTile&);
  // A panel of 16-bit integers, [length][width], as pairs of elements; and their products, where there are such (null otherwise).
  void (*pair_up)(const double* panel, size_t length, size_t width, int32_t* pairs);
  void (*integer_tile)(const IntegerTile&);
  void (*direct)(const DirectSums&);
  void (*measure)(const PanelMeasure&);
  // The measures of a vector with one more element.
  void (*measure_more)(double element, double* norm, double* quantum);
  // The largest magnitude; infinity where some element is not finite.
  double (*largest)(const float* x, size_t count);
  // To nearest even. Quanta may be null.
  NarrowKernels float32, float16, bfloat16;
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
