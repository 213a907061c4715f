// The equation of an Einsum, resolved against the shapes of its operands.
#pragma once

#include <string_view>
#include <vector>

#include "src/tensor/shape.h"

namespace onnxv {

// One index of the equation: a letter, or one dimension of the ellipsis.
struct EinsumIndex {
  int64_t length = 1;
  std::vector<int64_t> strides;  // per operand, in elements; 0 where the operand does not have it
  bool occurs(size_t operand) const { return strides[operand] != 0; }
};

struct Einsum {
  std::vector<EinsumIndex> kept;    // the output's dimensions, in order
  std::vector<EinsumIndex> summed;
  Shape out;
};

// Schema errors "equation" for what does not parse, "shape-mismatch" for lengths that differ.
Einsum einsum_of(std::string_view equation, const std::vector<Shape>& operands);

}  // namespace onnxv
