#include "src/number/extended.h"

#include <bit>
#include <cmath>

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

}  // namespace onnxv
