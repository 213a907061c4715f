// Sums, means and norms along lines of narrow elements (kernel/vectors.h), each enclosed by a bound that settles nearly all.
#pragma once

#include <vector>

#include "src/tensor/lines.h"

namespace onnxv {

enum class LineSum : uint8_t { kSum, kMean, kMagnitudes, kSquares, kNorm };

struct Enclosed {
  double m;
  double r;  // infinite or NaN where nothing is known
};

// The code of everything within the bound; false where it is not one.
bool settle_enclosed(const Target& target, Enclosed value, uint64_t* code);

// One for each line of the layout. The tensor's type must be narrow.
std::vector<Enclosed> line_sums(LineSum what, const Tensor& x, LineLayout layout);

}  // namespace onnxv
