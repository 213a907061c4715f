#include "src/number/extended.h"

#include <bit>
#include <cmath>

#include "src/base/error.h"

namespace onnxv {

Extended Extended::from_double(double value) {
  if (std::isnan(value)) return nan();
  if (std::isinf(value)) return infinity(std::signbit(value));
  if (value == 0) return signed_zero(std::signbit(value));
  return Extended(Rational::from_double(value));
}

Extended Extended::nan() {
  Extended result;
  result.kind_ = Kind::kNan;
  return result;
}

Extended Extended::infinity(bool negative) {
  Extended result;
  result.kind_ = Kind::kInfinite;
  result.negative_ = negative;
  return result;
}

Extended Extended::signed_zero(bool negative) {
  Extended result;
  result.negative_ = negative;
  return result;
}

bool Extended::is_negative() const {
  if (is_nan()) return false;
  return is_infinite() || value_.sign() == 0 ? negative_ : value_.sign() < 0;
}

Extended Extended::operator-() const {
  if (is_nan()) return nan();
  if (is_infinite()) return infinity(!negative_);
  if (is_zero()) return signed_zero(!negative_);
  return Extended(-value_);
}

Extended Extended::operator+(const Extended& other) const {
  if (is_nan() || other.is_nan()) return nan();
  if (is_infinite() && other.is_infinite()) return negative_ == other.negative_ ? *this : nan();
  if (is_infinite()) return *this;
  if (other.is_infinite()) return other;
  if (is_zero() && other.is_zero()) return signed_zero(negative_ && other.negative_);
  return Extended(value_ + other.value_);
}

Extended Extended::operator*(const Extended& other) const {
  if (is_nan() || other.is_nan()) return nan();
  const bool negative = is_negative() != other.is_negative();
  if (is_infinite() || other.is_infinite()) {
    return is_zero() || other.is_zero() ? nan() : infinity(negative);
  }
  if (is_zero() || other.is_zero()) return signed_zero(negative);
  return Extended(value_ * other.value_);
}

Extended Extended::operator/(const Extended& other) const {
  if (is_nan() || other.is_nan()) return nan();
  const bool negative = is_negative() != other.is_negative();
  if (is_infinite()) return other.is_infinite() ? nan() : infinity(negative);
  if (other.is_infinite()) return signed_zero(negative);
  if (other.is_zero()) return is_zero() ? nan() : infinity(negative);
  return is_zero() ? signed_zero(negative) : Extended(value_ / other.value_);
}

std::partial_ordering Extended::operator<=>(const Extended& other) const {
  if (is_nan() || other.is_nan()) return std::partial_ordering::unordered;
  const auto rank = [](const Extended& x) { return x.is_infinite() ? (x.negative_ ? -1 : 1) : 0; };
  if (rank(*this) != 0 || rank(other) != 0) return rank(*this) <=> rank(other);
  return value_ <=> other.value_;
}

uint64_t Extended::encode(const Format& format) const {
  if (is_nan()) return format.canonical_nan;
  if (is_infinite()) return infinity_or_nan(format, negative_);
  return value_.encode(format, Rounding::kNearestEven, Overflow::kInfinity, negative_);
}

double Extended::to_double() const { return std::bit_cast<double>(encode(kFloat64)); }

// With s = floor(sqrt(p 4^k / q)) of at least 80 bits, the root lies in [s, s + 1) / 2^k. No format has a number or a
// midpoint between two numbers strictly inside that gap, so any point inside rounds as the root does.
uint64_t encode_square_root(const Rational& square, bool negative, const Format& format) {
  if (square.sign() < 0) fail_internal("square-root", "the square root of a negative number is asked for");
  if (square.sign() == 0) return Extended::from_double(negative ? -0.0 : 0.0).encode(format);
  const auto wanted = 162 + static_cast<int>(square.denominator().bit_length());
  const int missing = wanted - static_cast<int>(square.numerator().bit_length());
  const unsigned k = missing > 0 ? static_cast<unsigned>(missing + 1) / 2 : 0;
  const BigInt scaled = square.numerator().shifted_left(2 * k);
  const BigInt root = (scaled / square.denominator()).square_root();
  const bool exact = root * root * square.denominator() == scaled;
  const BigInt inside = exact ? root : root * BigInt(2) + BigInt(1);
  const Rational value(inside, BigInt(1).shifted_left(exact ? k : k + 1));
  return (negative ? -value : value).encode(format, Rounding::kNearestEven, Overflow::kInfinity);
}

}  // namespace onnxv
