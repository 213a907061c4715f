// normalized_axis for an axis that an input holds: values, not the model, decide, so the error is another kind.
#pragma once

#include <string>
#include <string_view>

#include "src/base/error.h"
#include "src/tensor/shape.h"

namespace onnxv {

// In [0, rank - 1]; undefined error "input-range" outside [-rank, rank - 1].
inline int64_t normalized_input_axis(int64_t axis, int64_t rank, std::string_view name) {
  if (axis < -rank || axis >= rank) {
    fail_undefined("input-range", std::string(name) + " is " + std::to_string(axis),
                   rank == 0 ? "but the tensor has no axes" : "must be in [" + std::to_string(-rank) + ", " + std::to_string(rank - 1) + "]");
  }
  return axis < 0 ? axis + rank : axis;
}

}  // namespace onnxv
