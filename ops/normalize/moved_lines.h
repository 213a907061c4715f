// Undoes reduced_view (src/tensor/lines.h) for results of X's size.
#pragma once

#include "src/tensor/index.h"

namespace onnxv {

// `moved` holds the elements of a tensor of `shape` with `axes` moved last; back in the order of `shape`.
inline Tensor moved_back(const Tensor& moved, const Shape& shape, const std::vector<int64_t>& axes) {
  std::vector<bool> reduced(static_cast<size_t>(shape.rank()), false);
  for (const int64_t axis : axes) reduced[static_cast<size_t>(axis)] = true;
  std::vector<int64_t> strides(static_cast<size_t>(shape.rank()));
  int64_t stride = 1;
  for (const bool wanted : {true, false}) {
    for (int64_t axis = shape.rank(); axis-- > 0;) {
      if (reduced[static_cast<size_t>(axis)] != wanted) continue;
      strides[static_cast<size_t>(axis)] = stride;
      stride *= shape[axis];
    }
  }
  return strided_copy(moved, shape, 0, strides);
}

}  // namespace onnxv
