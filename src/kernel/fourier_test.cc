// Fast transforms against the definition in intervals: every result within its stated bound.
#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <vector>

#include "src/kernel/fourier.h"
#include "src/kernel/fourier_lines.h"
#include "src/number/interval.h"

namespace onnxv {
namespace {

Interval exactly(DoubleDouble x) { return Interval(x.head) + Interval(x.tail); }

// |x| <= limit for every number of the interval.
bool within(const Interval& x, double limit) {
  return mpfr_cmp_d(x.low(), -limit) >= 0 && mpfr_cmp_d(x.high(), limit) <= 0;
}

TEST_CASE("transforms of small factors, of large primes and of their products stay within their bounds") {
  const PrecisionScope scope(300);
  std::mt19937_64 random(17);
  std::normal_distribution<double> normal;
  for (const int64_t length : {1, 2, 3, 4, 5, 6, 8, 12, 30, 49, 61, 64, 67, 100, 128, 134, 211}) {
    for (const int sign : {-1, 1}) {
      const size_t n = static_cast<size_t>(length);
      std::vector<ComplexDouble> x(n);
      double squares = 0;
      for (ComplexDouble& number : x) {
        number = {two_product(normal(random), normal(random)), {normal(random), 0}};
        squares += number.re.head * number.re.head + number.im.head * number.im.head;
      }
      std::vector<ComplexDouble> y = x;
      const FourierTransform transform(length, sign);
      transform.run(y.data());
      const double bound = transform.error() * std::sqrt(squares) * (1 + 0x1p-20);
      CHECK(bound < 0x1p-80 * std::sqrt(squares));
      for (size_t k = 0; k < n; ++k) {
        Interval re, im, cosine, sine;
        for (size_t i = 0; i < n; ++i) {
          turn(sign * static_cast<int64_t>(k * i % n), length, cosine, sine);
          re = re + (exactly(x[i].re) * cosine - exactly(x[i].im) * sine);
          im = im + (exactly(x[i].re) * sine + exactly(x[i].im) * cosine);
        }
        CAPTURE(length);
        CAPTURE(k);
        CHECK(within(re - exactly(y[k].re), bound));
        CHECK(within(im - exactly(y[k].im), bound));
      }
    }
  }
}

TEST_CASE("lines that double-double would lose are left to others") {
  const auto usable = [](double sample) {
    FourierProblem problem;
    problem.lines = problem.samples = problem.bins = 1;
    problem.read = [sample](size_t, double* out) { *out = sample; };
    return fourier_lines(problem) != nullptr;
  };
  CHECK(usable(0));
  CHECK(usable(-1e80));
  CHECK(!usable(1e200));
  CHECK(!usable(1e-200));
  CHECK(!usable(std::nan("")));
  CHECK(!usable(HUGE_VAL));
}

}  // namespace
}  // namespace onnxv
