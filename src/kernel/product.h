// Matrix products, every element proved.
//
// Float64 sums of exact products in any order differ from the real value by at most
//   b = (depth + 8) · u · |a_i| · |b_j|        (numerics-measured.md, section 1)
// with depth the additions on the longest path of the blocked sum and |·| the Euclidean norms.
// Where every partial sum is a multiple of a quantum and below 2^53 quanta, b = 0. An element whose
// interval [s - b, s + b] rounds to one value is done; the others are computed again by a
// compensated and, at last, by an exact sum.
#pragma once

#include <memory>
#include <vector>

#include "src/kernel/vectors.h"
#include "src/number/ladder.h"

namespace onnxv {

// out[offset + i * row_stride + j * column_stride] = sum_k a_i[k] b_j[k], rounded once by `target`. An empty sum is +0.
// The families have equal lengths. Integer targets: an exact sum, wrapped or saturated.
struct ProductOutput {
  Tensor* tensor = nullptr;
  int64_t offset = 0, row_stride = 0, column_stride = 1;
  Target target;
  const double* start = nullptr;  // one exact value per vector of a, added to its products (a bias); null: none
  const double* start_of_b = nullptr;  // the same per vector of b; at most one of both
};
void multiply(const Vectors& a, const Vectors& b, const ProductOutput& out);

// The same modulo 2^64 for integers of any width, for types whose products exceed a double.
// a: [m][k] by strides, b: [k][n] by strides, elements sign- or zero-extended to 64 bits.
struct IntegerMatrix {
  const uint64_t* data;
  int64_t row_stride, column_stride;
};
void multiply_integers(size_t m, size_t n, size_t k, IntegerMatrix a, IntegerMatrix b, uint64_t* out);
// Elements of an integer tensor, sign- or zero-extended.
std::vector<uint64_t> extended_integers(const Tensor& tensor);

// Dot products as operands of a formula (Gemm's alpha, a cell's gates): midpoints and radii for lanes, exact
// enclosures for the proof. Line number = i * b.count() + j; `vectors` must outlive it.
std::unique_ptr<LineSource> product_lines(const Vectors& a, const Vectors& b);
// The same with one line per vector of a: element j of line i is a_i · b_j.
std::unique_ptr<LineSource> product_rows(const Vectors& a, const Vectors& b);

// One exact dot product of two arrays of doubles, rounded once.
uint64_t exact_dot(const Target& target, const double* a, const double* b, size_t count);
// One exact sum.
uint64_t exact_sum(const Target& target, const double* terms, size_t count);

}  // namespace onnxv
