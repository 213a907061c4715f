// What several marks together leave open of one output: a NaN here, a zero's sign there.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ops/operator.h"

namespace onnxv {

struct OpenElements {
  bool all = false;
  std::vector<uint8_t> elements;  // one byte each, nonzero: open; empty: none, unless `all`
};

OpenElements open_elements(std::span<const UnspecifiedMark> marks, size_t output);

}  // namespace onnxv
