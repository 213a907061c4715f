// Softmax and the normalizations of float32 lines as they lie in memory: lanes run along the line, and one bound per line (derived in
// line_loops.cc) takes the place of a radius per element. A line that its bound does not settle is left to the ladder.
#pragma once

#include <cstddef>
#include <vector>

namespace onnxv {

// Lines shorter than this are the ladder's, too: it takes several at a time.
inline constexpr size_t kShortLine = 16;

// y = softmax of each line, rounded once. Returns the lines whose results do not count, in order.
std::vector<size_t> softmax_lines(const float* x, size_t lines, size_t length, float* y);

// d = x - mean (centered) or x; deviation = sqrt(sum d² / length + epsilon);
// y = round(d / deviation) * scale + bias, the quotient and the result rounded to float32.
struct LineNormalization {
  const float* x;
  size_t lines, length;
  const float *scale, *bias;  // one line for all; bias null: nothing is added
  double epsilon;
  bool centered;
  float* y;
  float *mean, *inverse;  // of each line, centered only: the mean, 1 / deviation
};
std::vector<size_t> normalize_lines(const LineNormalization& job);

}  // namespace onnxv
