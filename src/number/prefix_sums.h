// Running sums of many lines of float32, each rounded once.
#pragma once

#include <cstddef>
#include <cstdint>

namespace onnxv {

// Element i of line k stands at k * line_step + i * element_step of both arrays; i counts in the order of summation.
struct PrefixLines {
  const float* x;
  uint32_t* codes;  // float32
  size_t lines, length;
  ptrdiff_t line_step, element_step;
  bool exclusive;  // the sum of the elements before, +0 for the first; else the element is in it
};

// Sets open[k] to 1 where some sum of line k could not be decided; infinities and NaN are not.
void prefix_sums(const PrefixLines& lines, uint8_t* open);

}  // namespace onnxv
