// An exact real, an infinity or NaN: the parts of complex sums and products that round once, at the end.
#pragma once

#include <cstdint>

#include "src/number/format.h"
#include "src/number/rational.h"

namespace onnxv {

// Specials follow IEEE 754: inf - inf and 0 · inf are NaN, an exact zero sum is +0 unless both
// addends are -0.
class Extended {
 public:
  static Extended from_code(const Format& format, uint64_t code);

  Extended operator+(const Extended& other) const;
  Extended operator-(const Extended& other) const { return *this + -other; }
  Extended operator*(const Extended& other) const;
  Extended operator-() const;
  // To nearest, ties to even; NaN as the canonical one.
  uint64_t encode(const Format& format) const;

 private:
  enum class Kind : uint8_t { kFinite, kInfinite, kNan };
  Extended(Kind kind, bool negative, Rational value)
      : kind_(kind), negative_(negative), value_(std::move(value)) {}
  static Extended nan() { return {Kind::kNan, false, {}}; }
  bool is_zero() const { return kind_ == Kind::kFinite && value_.sign() == 0; }

  Kind kind_;
  bool negative_;   // the sign, also of a zero and of an infinity
  Rational value_;  // finite: the value
};

}  // namespace onnxv
