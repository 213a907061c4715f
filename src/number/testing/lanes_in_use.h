#pragma once


#include "src/number/instruction_sets.h"
#include "src/number/ladder.h"

namespace onnxv {

// The lanes of the instruction set in use.
inline void (*lanes_in_use())(const LaneBlock&) {
  return ONNXV_OF_SET(run_lanes);
}

}  // namespace onnxv
