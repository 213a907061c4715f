// The formulas that Attention and FlexAttention share.
#pragma once

#include "src/number/formula.h"

namespace onnxv {

// Options [the scale is given (else it is 1 / sqrt of the operand), softcap, a bias is added],
// operands q·k, bias, scale or head size, softcap: one score.
extern const Formula kAttentionScoreFormula;
// Options [the scale is given, softcap, a bias is added, format of softmax_precision or kNoFormat],
// operands the products q·k of a row, its biases, [scale or head size, softcap]: the row's weights.
extern const Formula kAttentionWeightsFormula;
// The sum of Softmax's numerators times values, over the sum of the numerators.
extern const Formula kWeightedMeanFormula;
// x itself, for casts that round once.
extern const Formula kAsItIsFormula;

// Softmax's numerators of many rows as lanes read them, for a product with values. Options and operands are those of
// kAttentionWeightsFormula.
struct NumeratorRows {
  Options options;
  const double *products, *radii;  // [rows][keys]
  const double* bias;              // the same; null: none
  double constants[2];
  size_t rows, keys;
  double* numerators;    // [rows][keys], midpoints
  double* radius_norms;  // [rows], Euclidean, of the numerators' radii
  double *totals, *total_radii;
};
void attention_numerators_none(const NumeratorRows& job);
void attention_numerators_avx2(const NumeratorRows& job);
void attention_numerators_avx512(const NumeratorRows& job);
#ifndef ONNXV_LANES
void attention_numerators(const NumeratorRows& job);
// One row as enclosures.
void attention_numerators(Options options, In<Interval> products, In<Interval> bias, In<Interval> constants, Out<Interval> y);
#endif

}  // namespace onnxv
