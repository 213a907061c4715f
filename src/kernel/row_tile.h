// Products of the rows of a float32 matrix, which are read where they lie, with a few vectors: the part that is compiled once
// per instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

namespace onnxv {

// sums[v * sums_stride + j] += the dot product of row j and vector v. Products of floats and of doubles that came from floats
// are exact; others round once more.
struct RowProducts {
  const float* matrix;  // [rows][length]
  size_t rows, length;
  const double* vectors;  // vector v from vectors + v * length on
  size_t count;
  double* sums;
  size_t sums_stride;
};

// squares[j] += the sum of the squares of row j.
struct RowSquares {
  const float* matrix;
  size_t rows, length;
  double* squares;
};

// The radii of `count` sums that are off by at most factor * vector_norm * norms[j] + norms_of_radii * state_norms[j]: 0 where
// that is 0; infinity, and the sum 0, where it is not finite.
struct RowRadii {
  double* sums;
  double* radii;
  const double *norms, *state_norms;
  size_t count;
  double factor, vector_norm, radii_norm;
};

void row_products_none(const RowProducts& job);
void row_products_avx2(const RowProducts& job);
void row_products_avx512(const RowProducts& job);
void row_squares_none(const RowSquares& job);
void row_squares_avx2(const RowSquares& job);
void row_squares_avx512(const RowSquares& job);
void row_radii_none(const RowRadii& job);
void row_radii_avx2(const RowRadii& job);
void row_radii_avx512(const RowRadii& job);

// At least the additions on the longest path of a sum of row_products in any set, the last one into `sums` included: two lanes
// or more, those added up, and what is left over at the end of a row.
inline size_t row_depth(size_t length) { return length / 2 + 24; }

}  // namespace onnxv
