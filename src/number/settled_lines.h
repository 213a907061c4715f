// Lines that are read on lanes alone, beside the ladder: for code that has its own exact path for those that stay open.
#pragma once

#include "src/number/ladder.h"

namespace onnxv {

// False under --rigorous, and within a ToleranceScope, where only the ladder leaves bounds.
bool lanes_suffice();
// Reads the block's lines (its `open` is not used). Returns those of which an element stays open, in order: their codes mean
// nothing.
std::vector<size_t> settle_lines_on_lanes(LaneBlock block);
// Counts elements and lines that were settled outside of the ladder.
void count_settled(uint64_t elements, uint64_t lines);

}  // namespace onnxv
