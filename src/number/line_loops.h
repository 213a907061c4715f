// The loops of float_lines.h over one line, compiled once per instruction set.
#pragma once

#include <cstddef>

#include "src/number/float_lines.h"

namespace onnxv {

struct LineLoops {
  // `room`: length doubles. False: some element is not settled.
  bool (*softmax)(const float* x, size_t length, double* room, float* y);
  bool (*log_softmax)(const float* x, size_t length, float* y);
  bool (*normalize)(const LineNormalization& job, size_t line);
};
extern const LineLoops kLineLoops_none, kLineLoops_avx2, kLineLoops_avx512;

}  // namespace onnxv
