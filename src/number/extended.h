// Exact arithmetic with IEEE 754's special values: a finite value is a rational number, and infinities, NaN and the
// sign of zero go through every operation as IEEE 754 has them. One rounding, in `encode`.
#pragma once

#include <compare>
#include <cstdint>

#include "src/number/rational.h"

namespace onnxv {

class Extended {
 public:
  Extended() = default;                        // +0
  Extended(int64_t value) : value_(value) {}   // NOLINT: implicit on purpose
  explicit Extended(Rational value) : value_(std::move(value)) {}  // a zero is +0
  // Any double, exactly.
  static Extended from_double(double value);
  static Extended from_code(const Format& format, uint64_t code) { return from_double(decode(format, code)); }
  static Extended nan();
  static Extended infinity(bool negative);

  bool is_nan() const { return kind_ == Kind::kNan; }
  bool is_infinite() const { return kind_ == Kind::kInfinite; }
  bool is_finite() const { return kind_ == Kind::kFinite; }
  bool is_zero() const { return is_finite() && value_.sign() == 0; }
  // The sign bit: true for -0, negative numbers and -infinity; false for NaN.
  bool is_negative() const;
  // The value of a finite one.
  const Rational& rational() const { return value_; }

  Extended operator-() const;
  Extended operator+(const Extended& other) const;
  Extended operator-(const Extended& other) const { return *this + -other; }
  Extended operator*(const Extended& other) const;
  Extended operator/(const Extended& other) const;
  Extended absolute() const { return is_negative() ? -*this : *this; }
  // Unordered with NaN; -0 equals +0.
  std::partial_ordering operator<=>(const Extended& other) const;
  bool operator==(const Extended& other) const { return (*this <=> other) == 0; }

  // Rounded once, to nearest even; overflow to infinity.
  uint64_t encode(const Format& format) const;
  // Its nearest double; NaN and infinities as they are.
  double to_double() const;

 private:
  enum class Kind : uint8_t { kFinite, kInfinite, kNan };
  static Extended signed_zero(bool negative);

  Kind kind_ = Kind::kFinite;
  bool negative_ = false;  // of an infinity or a zero
  Rational value_;
};

}  // namespace onnxv
