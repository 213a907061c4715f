// Two operands of numpy.matmul as stacks of matrices: vectors promoted, batch dimensions broadcast.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/tensor/shape.h"

namespace onnxv {

struct MatrixStack {
  Shape batch;          // the broadcast batch dimensions
  Shape a, b;           // the operands' shapes with at least two dimensions
  size_t m = 0, n = 0, k = 0;
  Shape full;           // batch + [m, n]
  Shape out;            // the same without the dimensions of promoted vectors

  // First element of each of the operand's matrices, one per element of `batch`.
  std::vector<int64_t> a_offsets() const;
  std::vector<int64_t> b_offsets() const;
};

// Schema errors "rank" for a scalar operand, "shape-mismatch" for inner or batch dimensions that do not fit.
MatrixStack matrix_stack(const Shape& a, const Shape& b);

}  // namespace onnxv
