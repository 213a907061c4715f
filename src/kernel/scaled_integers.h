// Integers scaled, rounded to nearest even, moved by a zero point and saturated to 8 bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/number/format.h"

namespace onnxv {

// value * a * b / y, all three finite, of at most 24 significant bits, y not 0.
struct IntegerScale {
  double a, b, y;
  int64_t zero;  // of the output's type
};
// Codes of `count` < 2^32 values in a type of 8 bits; returns the positions of those that a double cannot decide.
std::vector<uint32_t> scale_integers(const int32_t* values, size_t count, const IntegerScale& by, IntegerFormat type, uint8_t* codes);

}  // namespace onnxv
