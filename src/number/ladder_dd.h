// The BallDD rung of the ladder: the lines that lanes left open, before they are proved by Interval.
#pragma once

#include <cstddef>
#include <vector>

namespace onnxv {

struct LadderCall;

// Writes what it decides; returns the lines that stay open, in order. `per_line`: elements of the longest operand or result.
std::vector<size_t> climb_by_ball_dd(const LadderCall& call, size_t per_line, std::vector<size_t> lines);

}  // namespace onnxv
