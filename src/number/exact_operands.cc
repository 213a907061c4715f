#include "src/number/exact_operands.h"

#include <cmath>
#include <vector>

#include "src/number/interval.h"

namespace onnxv {
namespace {

Interval interval_of(const BigInt& value) {
  Interval x;
  const std::string digits = value.text();
  mpfr_set_str(x.low(), digits.c_str(), 10, MPFR_RNDD);
  mpfr_set_str(x.high(), digits.c_str(), 10, MPFR_RNDU);
  return x;
}

Rational as_rational(const BigInt& value) { return Rational(value, BigInt(1)); }
const Rational& as_rational(const Rational& value) { return value; }

template <class Number>
class ExactSource : public LineSource {
 public:
  ExactSource(size_t count, std::function<void(size_t, Number*)> values) : count_(count), values_(std::move(values)) {}
  size_t count() const override { return count_; }
  bool exact() const override { return false; }
  void read(size_t first, size_t lines, double* out) const override {
    each(first, lines, [&](const Rational& value) { *out++ = value.to_double(); });
  }
  void read_radii(size_t first, size_t lines, double* out) const override {
    each(first, lines, [&](const Rational& value) {
      *out++ = value.is_double() ? 0 : std::fabs(value.to_double()) * 0x1p-52 + 0x1p-1000;
    });
  }
  void read_intervals(size_t line, Interval* out) const override {
    std::vector<Number> numbers(count_ + 1);
    values_(line, numbers.data());
    for (size_t i = 0; i < count_; ++i) out[i] = interval_of(numbers[i]);
  }

 private:
  template <class Use>
  void each(size_t first, size_t lines, const Use& use) const {
    std::vector<Number> numbers(count_ + 1);
    for (size_t line = first; line < first + lines; ++line) {
      values_(line, numbers.data());
      for (size_t i = 0; i < count_; ++i) use(as_rational(numbers[i]));
    }
  }
  size_t count_;
  std::function<void(size_t, Number*)> values_;
};

}  // namespace

Interval interval_of(const Rational& value) { return interval_of(value.numerator()) / interval_of(value.denominator()); }

std::unique_ptr<LineSource> big_integer_source(size_t count, std::function<void(size_t line, BigInt* out)> values) {
  return std::make_unique<ExactSource<BigInt>>(count, std::move(values));
}
std::unique_ptr<LineSource> rational_source(size_t count, std::function<void(size_t line, Rational* out)> values) {
  return std::make_unique<ExactSource<Rational>>(count, std::move(values));
}

}  // namespace onnxv
