#include "src/kernel/fourier_lines.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "src/base/parallel.h"
#include "src/kernel/fourier.h"
#include "src/number/exact_operands.h"
#include "src/number/interval.h"

namespace onnxv {
namespace {

// Where neither products overflow nor what underflows matters: 2^-1074 against 2^-300 * 2^-106.
constexpr double kSmallest = 0x1p-300, kLargest = 0x1p300;
constexpr double kQuotient = 15.1;  // of u² = 2^-106

class FourierLines : public LineSource {
 public:
  explicit FourierLines(FourierProblem problem) : p_(std::move(problem)) {
    const size_t results = p_.lines * p_.bins * p_.parts;
    values_.resize(results);
    radii_.resize(results);
    const FourierTransform transform(p_.length, p_.sign);
    parallel_for(p_.lines, 1, [&](size_t begin, size_t end) {
      for (size_t line = begin; line < end; ++line) {
        if (!compute(transform, line)) usable_ = false;
      }
    });
  }
  bool usable() const { return usable_; }

  size_t count() const override { return 1; }
  bool exact() const override { return false; }
  void read(size_t first, size_t lines, double* out) const override {
    std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(first), lines, out);
  }
  void read_radii(size_t first, size_t lines, double* out) const override {
    std::copy_n(radii_.begin() + static_cast<std::ptrdiff_t>(first), lines, out);
  }
  void read_intervals(size_t at, Interval* out) const override;

 private:
  bool compute(const FourierTransform& transform, size_t line);
  bool twice(size_t n) const { return p_.symmetric && n != 0 && 2 * static_cast<int64_t>(n) != p_.length; }

  FourierProblem p_;
  std::vector<double> values_, radii_;
  std::atomic<bool> usable_{true};
};

// False where the line is left to others.
bool FourierLines::compute(const FourierTransform& transform, size_t line) {
  const size_t n = static_cast<size_t>(p_.length);
  std::vector<double> samples(2 * p_.samples);
  p_.read(line, samples.data());
  std::vector<ComplexDouble> x(n);
  double squares = 0;
  for (size_t i = 0; i < (p_.complex ? 2 : 1) * p_.samples; ++i) {
    const size_t at = i % p_.samples;
    DoubleDouble& part = i < p_.samples ? x[at].re : x[at].im;
    part = two_product(samples[i] * (twice(at) ? 2.0 : 1.0), p_.window.empty() ? 1.0 : p_.window[at]);
    const double size = std::fabs(part.head);
    if (size != 0 && !(size >= kSmallest && size <= kLargest)) return false;
    if (size == 0 && samples[i] != 0 && !p_.window.empty() && p_.window[at] != 0) return false;
    squares += size * size;
  }
  transform.run(x.data());
  // The sum of the squares and its root are off by far less than 2^-20.
  const double bound = std::sqrt(squares) * transform.error() * (1 + 0x1p-20);
  for (size_t i = 0; i < p_.bins * p_.parts; ++i) {
    const ComplexDouble& bin = x[i / p_.parts];
    const DoubleDouble sum = p_.parts == 2 && i % 2 == 1 ? bin.im : bin.re, y = sum / DoubleDouble{p_.divisor, 0};
    const size_t to = line * p_.bins * p_.parts + i;
    values_[to] = y.head;
    radii_[to] = bound == 0 ? 0 : (std::fabs(y.tail) + bound / p_.divisor + std::fabs(y.head) * (kQuotient * kPairUnit)) * (1 + 0x1p-20);
  }
  return true;
}

// The definition: a dot product with roots of unity.
void FourierLines::read_intervals(size_t at, Interval* out) const {
  const size_t line = at / (p_.bins * p_.parts), bin = at / p_.parts % p_.bins;
  const bool imaginary_part = p_.parts == 2 && at % 2 == 1;
  const Interval divisor(p_.divisor);
  if (const std::optional<Rational> rational = p_.rational(line, bin, imaginary_part)) {
    *out = interval_of(*rational) / divisor;
    return;
  }
  std::vector<double> samples(2 * p_.samples);
  p_.read(line, samples.data());
  std::vector<Interval> terms, factors;
  Interval cosine, sine;
  for (size_t n = 0; n < p_.samples; ++n) {
    turn(p_.sign * static_cast<int64_t>(bin * n % static_cast<size_t>(p_.length)), p_.length, cosine, sine);
    const Interval weight = Interval(twice(n) ? 2.0 : 1.0) * Interval(p_.window.empty() ? 1.0 : p_.window[n]);
    terms.push_back(Interval(samples[n]) * weight);
    factors.push_back(imaginary_part ? sine : cosine);
    if (!p_.complex) continue;
    terms.push_back(Interval(samples[p_.samples + n]) * weight);
    factors.push_back(imaginary_part ? cosine : -sine);
  }
  *out = dot(In<Interval>{terms.data(), terms.size()}, In<Interval>{factors.data(), factors.size()}) / divisor;
}

}  // namespace

std::unique_ptr<LineSource> fourier_lines(FourierProblem problem) {
  auto lines = std::make_unique<FourierLines>(std::move(problem));
  if (!lines->usable()) return nullptr;
  return lines;
}

}  // namespace onnxv
