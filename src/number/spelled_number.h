// Numbers as strings spell them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "src/number/extended.h"

namespace onnxv {

// A number as a string spells it: digits * 10^exponent, with a sign.
struct Spelling {
  enum class Kind : uint8_t { kFinite, kInfinity, kNan };
  Kind kind = Kind::kFinite;
  bool negative = false;
  std::string digits;  // without zeros at either end; empty: zero
  int64_t exponent = 0;

  // The value of a finite one; beyond 10^400 either way, and past 1,200 digits, another value that every format rounds alike.
  Rational rational() const;
  // Toward zero, modulo 2^64.
  uint64_t low_bits() const;
  // True when it is an integer in the range of the format.
  bool fits(IntegerFormat format) const;

 private:
  int64_t whole_digits() const { return static_cast<int64_t>(digits.size()) + exponent; }
};

// [+-]? (digits[.digits*] | .digits) ([eE][+-]?digits)?, or [+-]?INF, or [+-]?NaN in any case; else nullopt.
std::optional<Spelling> read_number(std::string_view text);
// The same as a value.
std::optional<Extended> spelled_number(std::string_view text);

}  // namespace onnxv
