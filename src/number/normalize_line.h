// One line of a normalization (float_lines.h), for one instruction set.
#pragma once

#include "src/number/float_lines.h"

namespace onnxv {
inline namespace ONNXV_LANES {

// False: some element is not settled.
bool normalize_line(const LineNormalization& job, size_t line);

}  // namespace ONNXV_LANES
}  // namespace onnxv
