// Formats go by number, format_number() of src/number/ladder.h. What lanes know of them by heart.
#pragma once

#include <cstdint>

namespace onnxv {

inline constexpr int64_t kFormats = 12, kFloat32Number = 2;

}  // namespace onnxv
