// For tests of kernels that answer in place of a formula: awkward data, and the formula's own answer.
#pragma once

#include "src/run/testing.h"

namespace onnxv::testing {

// Counted codes of any type up to 64 bits: a third of them any bits (NaN, infinities and subnormals among them), a third halves
// between -64 and 64 (integers: small), which are ties, a third zeros of both signs, ones and ends.
Tensor awkward(DType dtype, Shape shape, uint64_t seed);

// Whole numbers that every machine draws alike.
class Draws {
 public:
  explicit Draws(uint64_t seed) : state_(seed * 2 + 1) {}
  uint32_t below(uint32_t n);

 private:
  uint64_t state_;
};

// The values rounded to a float type.
Tensor rounded(DType dtype, Shape shape, const std::vector<double>& values);

// What the node gives by its formulas alone: kernels leave the work to them where bounds are asked for.
Outputs by_formulas(NodeUnderTest node);

}  // namespace onnxv::testing
