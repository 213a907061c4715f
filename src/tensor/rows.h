// Many runs of elements, each as far behind the last: what cutting and joining tensors copies.
#pragma once

#include "src/tensor/tensor.h"

namespace onnxv {

// Where a run starts, and how many elements behind it the next one does.
struct StridedRuns {
  size_t start, step;
};

// Copies `runs` runs of `count` elements each out of `data` over elements of `target`, which has the same type.
void copy_runs(const Tensor& data, StridedRuns from, Tensor& target, StridedRuns to, size_t count, size_t runs);

}  // namespace onnxv
