// Discrete Fourier transforms in double-double, with a bound of their error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "src/number/double_double.h"

namespace onnxv {

inline constexpr double kPairUnit = 0x1p-106;  // u² of a DoubleDouble

struct ComplexDouble {
  DoubleDouble re, im;
};

// sum_n x[n] e^(sign 2 pi j k n / N) for all k. Lengths of small prime factors by a transform of mixed radix, all others as a
// convolution with a chirp. Made once for many lines; safe from several threads.
class FourierTransform {
 public:
  FourierTransform(int64_t length, int sign);
  ~FourierTransform();
  FourierTransform(const FourierTransform&) = delete;
  FourierTransform& operator=(const FourierTransform&) = delete;

  // In place, `length` numbers, none larger than 2^300.
  void run(ComplexDouble* x) const;
  // Every result is off by at most this times the Euclidean norm of x.
  double error() const { return error_; }

 private:
  struct Radix;
  struct Chirp;
  std::unique_ptr<Radix> radix_;
  std::unique_ptr<Chirp> chirp_;
  double error_ = 0;
};

}  // namespace onnxv
