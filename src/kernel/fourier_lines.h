// The parts of many Fourier transforms as an operand of a formula: one element per line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "src/number/ladder.h"
#include "src/number/rational.h"

namespace onnxv {

struct FourierProblem {
  size_t lines = 0, samples = 0, bins = 0, parts = 2;  // parts 1: real parts alone
  int64_t length = 1;
  int sign = -1;
  double divisor = 1;
  bool complex = false;
  bool symmetric = false;      // every sample but the first and the middle one counts twice
  std::vector<double> window;  // empty, or a factor for each sample
  // The samples of a line: real parts, then the imaginary ones of complex lines.
  std::function<void(size_t line, double* out)> read;
  // A result that is rational, before the division; asked for what no enclosure would settle.
  std::function<std::optional<Rational>(size_t line, size_t bin, bool imaginary)> rational;
};

// Line i is part i % parts of bin i / parts % bins of transform i / (parts * bins). Nothing where a sample is not finite, or so large or
// small that double-double would lose it.
std::unique_ptr<LineSource> fourier_lines(FourierProblem problem);

}  // namespace onnxv
