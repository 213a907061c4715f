// Exact integers and rationals, for decisions that must not be computed in floating point.
#pragma once

#include <bit>
#include <compare>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "src/number/format.h"

namespace onnxv {

// An integer of any size. Boost.Multiprecision's cpp_int behind a pointer: only rational.cc sees it.
class BigInt {
 public:
  BigInt();
  BigInt(int64_t value);  // NOLINT: implicit on purpose
  static BigInt from_int128(int128 value);
  static BigInt from_decimal(std::string_view digits);  // [+-]?[0-9]+
  BigInt(const BigInt&);
  BigInt(BigInt&&) noexcept;
  BigInt& operator=(const BigInt&);
  BigInt& operator=(BigInt&&) noexcept;
  ~BigInt();

  BigInt operator+(const BigInt&) const;
  BigInt operator-(const BigInt&) const;
  BigInt operator*(const BigInt&) const;
  BigInt operator-() const;
  BigInt& operator+=(const BigInt&);
  BigInt& operator*=(const BigInt&);
  // Quotient toward zero, and its remainder (sign of the dividend). Divisor 0 is an internal error.
  BigInt operator/(const BigInt&) const;
  BigInt operator%(const BigInt&) const;
  BigInt shifted_left(unsigned bits) const;
  std::strong_ordering operator<=>(const BigInt&) const;
  bool operator==(const BigInt&) const;
  int sign() const;
  unsigned bit_length() const;  // of the magnitude
  // Low 64 bits of the two's complement.
  uint64_t low_bits() const;
  BigInt square_root() const;  // floor; of a negative: internal error
  std::string text() const;

 private:
  friend class Rational;
  struct Number;
  std::unique_ptr<Number> number_;
};

// Neither NaN nor an infinity: what Rational::from_double takes.
inline bool is_finite(double value) { return (std::bit_cast<uint64_t>(value) >> 52 & 0x7FF) != 0x7FF; }

// A rational number in lowest terms.
class Rational {
 public:
  Rational();
  Rational(int64_t value);  // NOLINT: implicit on purpose
  Rational(BigInt numerator, BigInt denominator);  // denominator 0: internal error
  static Rational from_double(double value);       // exact; a non-finite value is an internal error
  // [+-]? (digits[.digits*] | .digits) ([eE][+-]?digits)? exactly. Exponents beyond +-20000 are cut there.
  static Rational from_decimal(std::string_view text);
  Rational(const Rational&);
  Rational(Rational&&) noexcept;
  Rational& operator=(const Rational&);
  Rational& operator=(Rational&&) noexcept;
  ~Rational();

  Rational operator+(const Rational&) const;
  Rational operator-(const Rational&) const;
  Rational operator*(const Rational&) const;
  Rational operator/(const Rational&) const;  // by 0: internal error
  Rational operator-() const;
  std::strong_ordering operator<=>(const Rational&) const;
  bool operator==(const Rational&) const;
  int sign() const;
  BigInt numerator() const;
  BigInt denominator() const;

  BigInt floor() const;
  BigInt ceil() const;
  BigInt truncated() const;
  BigInt nearest_even() const;
  // floor() as int64; limit error where it does not fit.
  int64_t floor_int64() const;
  int64_t ceil_int64() const;
  // Rounded once. `negative_zero`: the sign of an exact zero.
  uint64_t encode(const Format& format, Rounding rounding, Overflow overflow, bool negative_zero = false) const;
  // Nearest double (ties to even), and whether it is exact.
  double to_double() const;
  bool is_double() const;
  // value = head + rest for encode(): head is within one ulp on the near side of zero.
  Sticky sticky() const;

 private:
  struct Number;
  std::unique_ptr<Number> number_;
};

// Shortest decimal that reads back as the same code of `format` (to nearest even), the nearest among those; positional, at least
// one digit after the point: "1.0", "-0.0", "0.0000001", "nan", "inf", "-inf".
std::string shortest_decimal(const Format& format, uint64_t code);
// For reports: the same digits, below 1e-4 and from 1e16 on with an exponent: "1.5", "1e-07", "1.5e+20".
std::string shortest_text(const Format& format, uint64_t code);

}  // namespace onnxv
