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
// The same of their logarithms.
std::vector<size_t> log_softmax_lines(const float* x, size_t lines, size_t length, float* y);

// d = x - mean (centered) or x; deviation = sqrt(sum d² / length + epsilon);
// y = d / deviation * scale + bias, rounded to float32, and so is the quotient if rounds_quotient.
struct LineNormalization {
  const float* x = nullptr;
  size_t lines = 0, length = 0;
  // `run` neighbours share a scale and a bias, the next ones the next; lines `groups` apart share theirs. run: 1, or kShortLine at
  // least and a part of length. bias null: nothing is added.
  const float *scale = nullptr, *bias = nullptr;
  size_t run = 1, groups = 1;
  double epsilon = 0;
  bool centered = true;
  bool rounds_quotient = true;
  float* y = nullptr;
  float *mean = nullptr, *inverse = nullptr;  // of each line, or null; centered only: the mean, 1 / deviation
};
std::vector<size_t> normalize_lines(const LineNormalization& job);

}  // namespace onnxv
