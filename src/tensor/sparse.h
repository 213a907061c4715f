// Sparse tensors as the dense tensors that they mean.
#pragma once

#include "src/tensor/value.h"

namespace onnxv {

// Zero bits (or "") wherever no value stands. Schema error "sparse-indices" when the indices are of
// the wrong shape, outside the tensor, or not strictly ascending in row-major order.
Tensor dense(const SparseTensor& sparse);

}  // namespace onnxv
