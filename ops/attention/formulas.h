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
// The same without a softmax_precision, and values [columns][keys] as a fourth operand: the
// weighted sums of the columns.
extern const Formula kAttentionFormula;
// x itself, for casts that round once.
extern const Formula kAsItIsFormula;

}  // namespace onnxv
