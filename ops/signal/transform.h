// The discrete Fourier transform of many lines: what DFT and STFT share.
#pragma once

#include <cstdint>

#include "ops/operator.h"
#include "src/tensor/lines.h"

namespace onnxv {

struct Transform {
  const Tensor* signal = nullptr;
  size_t lines = 0;
  size_t samples = 0;  // of each line, at most `length`; the samples behind them are 0
  int64_t length = 1;  // N
  size_t bins = 0;     // results per line
  LineJob::Positions real,
      imaginary;  // of the samples of a line in `signal`; no imaginary: real samples
  const Tensor* window = nullptr;  // `samples` elements that the samples are multiplied by
  bool inverse = false;            // e^(+j …), divided by N
  // The samples are bins 0 to N/2 of a conjugate-symmetric spectrum, and the results are real.
  bool symmetric = false;
  size_t parts() const { return symmetric ? 1 : 2; }
};

// [lines, bins, parts] of the signal's type: bin k is sum_n x[n] e^(∓2πj kn/N), each part exact and
// rounded once. Zeros are +0.
Tensor transformed(const Transform& transform);

}  // namespace onnxv
