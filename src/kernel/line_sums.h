// Sums, means and norms along lines of narrow elements (kernel/vectors.h), each enclosed by a bound that settles nearly all.
#pragma once

#include <vector>

#include "src/number/plain_sums.h"
#include "src/tensor/lines.h"

namespace onnxv {

enum class LineSum : uint8_t { kSum, kMean, kMagnitudes, kSquares, kNorm };

// Of each line a number, and how far from it the real one may be: infinite or NaN where nothing is known.
struct EnclosedLines {
  std::vector<double> m, r;
  explicit EnclosedLines(size_t lines) : m(lines + kSettlePadding), r(lines + kSettlePadding) {}
};

// The lines of the layout; the tensor's type must be a float32 or narrower (src/tensor/floats.h).
EnclosedLines line_sums(LineSum what, const Tensor& x, LineLayout layout);

// Writes the elements of `y`, of 8 bits or more, that the bounds leave no choice; returns the others.
std::vector<size_t> settle_lines(const EnclosedLines& lines, Tensor* y);

}  // namespace onnxv
