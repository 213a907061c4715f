// Dot products of doubles to twice their digits: the part that is compiled once per instruction set.
//
// The sums are anchored: a and b are scaled by powers of two to norms of at most 1, and H starts at 3, so that it stays between 2 and 4,
// where numbers are 2^-51 apart. A product splits without loss into what H takes, q, and a rest of at most 2^-52:
//   t = fma(a, b, H);  q = t - H;  H = t;  L = L + fma(a, b, -q)
// The sum is (H - 3) + L; the roundings of the last line lose at most (K + 4)^2 · 2^-105 in K products.
#pragma once

#include <cstddef>
#include <cstdint>

namespace onnxv {

struct AnchoredTile {
  const double* a;  // panels after one another, each [length][panel rows], scaled
  const double* b;  // [length][panel columns], scaled
  size_t length, rows, columns;
  // What undoes the scaling of each vector, a power of two; NaN: nothing is known of its products.
  const double *factors_a, *factors_b;
  double* out;  // element (i, j) at out[i * row_stride + j]
  int64_t row_stride;
  uint32_t* open;  // i * columns + j of the elements that do not round alike over their interval, zero and tiny ones included
};
// The same sums as balls: midpoints and radii, which must be scaled back and hold what the scaling of tiny elements may lose.
struct AnchoredBalls {
  const double *a, *b;
  size_t length, rows, columns;
  const double *factors_a, *factors_b;
  double *midpoints, *radii;  // element (i, j) at i * row_stride + j; radius infinity where nothing is known
  int64_t row_stride;
};

// A panel of `wide` vectors, each multiplied by a factor of its own, as panels of `width`, one after another.
struct ScaledPanel {
  const double* panel;  // [length][wide]
  size_t length, wide, width;
  const double* factors;
  double* panels;       // each [length][width]; `panel` itself where the widths are equal
};

struct AnchoredKernels {
  size_t rows, columns;  // vectors of a panel of a, of a panel of b
  void (*scale)(const ScaledPanel&);
  size_t (*tile)(const AnchoredTile&);  // returns how many are open
  void (*balls)(const AnchoredBalls&);
};
const AnchoredKernels& anchored_kernels_none();
const AnchoredKernels& anchored_kernels_avx2();
const AnchoredKernels& anchored_kernels_avx512();

}  // namespace onnxv
