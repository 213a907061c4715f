#include "ops/index/extended.h"

#include <utility>

namespace onnxv {

Extended Extended::from_code(const Format& format, uint64_t code) {
  if (is_nan(format, code)) return nan();
  const bool negative = format.has_sign && (code >> (format.bits - 1) & 1) != 0;
  if (is_infinity(format, code)) return {Kind::kInfinite, negative, {}};
  return {Kind::kFinite, negative, Rational::from_double(decode(format, code))};
}

Extended Extended::operator-() const { return {kind_, !negative_, -value_}; }

Extended Extended::operator+(const Extended& other) const {
  if (kind_ == Kind::kNan || other.kind_ == Kind::kNan) return nan();
  if (kind_ == Kind::kInfinite) {
    return other.kind_ == Kind::kInfinite && negative_ != other.negative_ ? nan() : *this;
  }
  if (other.kind_ == Kind::kInfinite) return other;
  Rational sum = value_ + other.value_;
  const bool negative = sum.sign() == 0 ? negative_ && other.negative_ : sum.sign() < 0;
  return {Kind::kFinite, negative, std::move(sum)};
}

Extended Extended::operator*(const Extended& other) const {
  if (kind_ == Kind::kNan || other.kind_ == Kind::kNan) return nan();
  const bool negative = negative_ != other.negative_;
  if (kind_ == Kind::kInfinite || other.kind_ == Kind::kInfinite) {
    return is_zero() || other.is_zero() ? nan() : Extended(Kind::kInfinite, negative, {});
  }
  return {Kind::kFinite, negative, value_ * other.value_};
}

uint64_t Extended::encode(const Format& format) const {
  if (kind_ == Kind::kNan) return format.canonical_nan;
  if (kind_ == Kind::kInfinite) return infinity_or_nan(format, negative_);
  return value_.encode(format, Rounding::kNearestEven, Overflow::kInfinity, negative_);
}

}  // namespace onnxv
