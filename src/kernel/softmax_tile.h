// Means of values weighted by softmax: the parts that are compiled once per instruction set. Columns are queries, a panel of the
// products' kernels (src/kernel/product_tile.h) at a time; rows are keys, then components of the values.
#pragma once

#include <cstddef>
#include <cstdint>

namespace onnxv {

// exp(logit - shift) of every key and query, in the place of the products q · k. Logits: scale times the product, then softcap
// times the tanh of that over softcap, then a bias. Numerators below exp(-700) become 0.
struct SoftmaxColumns {
  double* products;    // [keys][columns]
  const double* bias;  // the same; null: none
  size_t keys;
  double scale, softcap;             // softcap 0: none
  double *shifts, *totals, *norms;   // [columns]: the largest logit; sum and Euclidean norm of the numerators
};

// Sums of numerators times values, [rows][columns], to means, and what bounds them: mean m of row i and column j is within
// by_norm[j] * norms[i] + by_mean[j] * |m|.
struct MeanColumns {
  const double* sums;
  size_t rows;
  const double* norms;                             // [rows]
  const double *inverses, *by_norm, *by_mean;      // [columns]; inverses: of the totals
};

// One query again, to almost twice the digits of a double.
struct PreciseRow {
  const double* query;  // [length]
  const double* keys;   // panels of rows as the tiles have them, each [length][panel rows]
  size_t length, count;
  double scale, scale_rest, softcap;
  const double* bias;   // [count]; null: none
  double shift;
  double *heads, *rests;  // [count, rounded up to a panel]: numerators; 0 behind the last key
};
// The sum of the numerators, and those of numerators times the values of one panel of components.
struct PreciseSums {
  const double *heads, *rests;
  size_t count;
  const double* values;              // [count][panel rows]; null: 1 in each
  double *sums, *sum_rests, *sizes;  // [panel rows]; sizes: of the absolute values
};
// Quotients of sums to the digits that they have.
struct PreciseMean {
  double head, rest;
};

struct SoftmaxKernels {
  void (*softmax)(const SoftmaxColumns&);
  // Rounded to float32, column j to out + j * stride; returns how many of the first `columns` columns' elements do not round
  // alike over their whole interval: open[n] = row * panel columns + column of each.
  size_t (*round_to_float32)(const MeanColumns&, size_t columns, float* out, size_t stride, uint32_t* open);
  // The ends of the intervals, [rows][columns]; NaN where nothing is known.
  void (*ends)(const MeanColumns&, double* low, double* high);
  void (*precise_row)(const PreciseRow&);
  void (*precise_sums)(const PreciseSums&);
  PreciseMean (*precise_mean)(double sum, double sum_rest, double total, double total_rest);
};
const SoftmaxKernels& softmax_kernels_none();
const SoftmaxKernels& softmax_kernels_avx2();
const SoftmaxKernels& softmax_kernels_avx512();
// Those of the instruction set in use.
const SoftmaxKernels& softmax_kernels();

// |computed exp / exp - 1| of a numerator that is not 0, for the logits as they are; and of heads and rests together.
inline constexpr double kNumeratorError = 0x1p-49, kPreciseNumeratorError = 0x1.8p-92;
// Additions on the way of a numerator into its total.
inline size_t total_depth(size_t keys) { return 64 + keys / 64 + 2; }

}  // namespace onnxv
