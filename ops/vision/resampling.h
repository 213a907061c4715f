// Resampling along axes: exact weights per output position, and the sum over the product of all axes.
#pragma once

#include <cstdint>
#include <vector>

#include "ops/operator.h"
#include "src/number/ladder.h"
#include "src/number/rational.h"

namespace onnxv {

// One output position of one axis: sum_k numerators[k] / denominator * input[indices[k]].
struct AxisSample {
  std::vector<int64_t> indices;
  std::vector<BigInt> numerators;
  BigInt denominator{1};
  bool outside = false;  // beyond the input: the whole element takes the extrapolation value
};

// All output positions of one axis; an axis that is passed through has one tap of weight 1 per position.
struct AxisSampling {
  std::vector<AxisSample> positions;
  size_t taps() const;  // the most of any position; at least 1
};

AxisSampling identity_sampling(int64_t length);
// What becomes of a neighbour whose weight is exactly 0: it contributes nothing, whatever it holds, or it is a term of the
// sum, which an infinity or NaN there makes NaN.
enum class Weightless { kLeftOut, kTaken };
// Weights as rationals, brought to one denominator. Indices may repeat (clamped edges): those whose weights have one sign are joined,
// so that an infinity there makes what it makes in the sum term by term.
AxisSample joined_sample(const std::vector<int64_t>& indices, const std::vector<Rational>& weights, Weightless weightless);

// One sampling per axis of x. `target`: how the exact sum is rounded.
Tensor resample(const Tensor& x, const std::vector<AxisSampling>& axes, Target target, double extrapolation_value);
// Every position has exactly one tap: bits are copied, any type.
Tensor pick(const Tensor& x, const std::vector<AxisSampling>& axes, double extrapolation_value);

}  // namespace onnxv
