// The types that are quantized to, and how a value becomes one.
#pragma once

#include "ops/operator.h"
#include "src/number/ladder.h"

namespace onnxv {

// The version of QuantizeLinear whose types include it first; 0: none.
int first_version_of_quantized(DType dtype);

// Integers saturate, after rounding to nearest even. So do floats, unless they are float8 and `saturate` is off.
Target quantized_target(DType dtype, bool saturate);

// A float type that has a NaN.
bool holds_nan(DType dtype);

// No NaN and no infinity, nor, where asked, a zero.
bool all_finite(const Tensor& tensor, bool and_nonzero);

// Choice: NaN as an integer, which the text leaves undefined, is the smallest one; NaN as a type without NaN is as Cast has it. Both
// are marked: `nans` (uint8) is 1 for each.
void mark_nan_elements(const OpCall& call, const Tensor& nans);

}  // namespace onnxv
