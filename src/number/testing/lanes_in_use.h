#pragma once

#include <string_view>

#include "src/number/ladder.h"

namespace onnxv {

// The lanes of the instruction set in use.
inline void (*lanes_in_use())(const LaneBlock&) {
  [[maybe_unused]] const std::string_view set = instruction_set();
#ifdef ONNXV_SET_avx512
  if (set == "avx512") return run_lanes_avx512;
#endif
#ifdef ONNXV_SET_avx2
  if (set == "avx2") return run_lanes_avx2;
#endif
#ifdef ONNXV_SET_none
  if (set == "none") return run_lanes_none;
#endif
  return nullptr;
}

}  // namespace onnxv
