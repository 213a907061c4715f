#include "src/number/rational.h"

#include <algorithm>
#include <bit>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <utility>

#include "src/base/error.h"

namespace onnxv {
namespace {

using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// [0-9]*. Nineteen digits at a time: cpp_int's own reader takes them one by one.
cpp_int from_digits(std::string_view digits) {
  cpp_int value = 0;
  for (size_t begin = 0; begin < digits.size(); begin += 19) {
    uint64_t part = 0, scale = 1;
    for (const char digit : digits.substr(begin, 19)) {
      if (!is_digit(digit)) fail_internal("decimal", "not a digit: " + std::string(1, digit));
      part = part * 10 + static_cast<uint64_t>(digit - '0');
      scale *= 10;
    }
    value = value * scale + part;
  }
  return value;
}

// Takes a sign off the front of `text`; true for '-'.
bool take_sign(std::string_view& text) {
  if (text.empty() || (text[0] != '+' && text[0] != '-')) return false;
  const bool negative = text[0] == '-';
  text.remove_prefix(1);
  return negative;
}

cpp_int magnitude_of(uint128 value) {
  return (cpp_int(static_cast<uint64_t>(value >> 64)) << 64) + static_cast<uint64_t>(value);
}

unsigned bits_of(const cpp_int& magnitude) {
  return magnitude == 0 ? 0 : static_cast<unsigned>(msb(magnitude)) + 1;
}

uint64_t low_64(const cpp_int& magnitude) {
  return static_cast<uint64_t>(magnitude & cpp_int(~uint64_t{0}));
}

// floor(n / d), d > 0, and whether anything is left.
cpp_int floor_quotient(const cpp_int& n, const cpp_int& d, bool& exact) {
  cpp_int quotient, remainder;
  divide_qr(n, d, quotient, remainder);
  exact = remainder == 0;
  if (remainder < 0) --quotient;
  return quotient;
}

}  // namespace

struct BigInt::Number {
  cpp_int value;
  template <class... Parts>
  static std::unique_ptr<Number> make(Parts&&... parts) {
    return std::unique_ptr<Number>(new Number{cpp_int(std::forward<Parts>(parts)...)});
  }
};

struct Rational::Number {
  cpp_rational value;
  template <class... Parts>
  static std::unique_ptr<Number> make(Parts&&... parts) {
    return std::unique_ptr<Number>(new Number{cpp_rational(std::forward<Parts>(parts)...)});
  }
};

// ---- BigInt ----

BigInt::BigInt() : BigInt(0) {}
BigInt::BigInt(int64_t value) : number_(Number::make(value)) {}
BigInt::BigInt(const BigInt& other) : number_(Number::make(other.number_->value)) {}
BigInt::BigInt(BigInt&&) noexcept = default;
BigInt& BigInt::operator=(const BigInt& other) { return *this = BigInt(other); }
BigInt& BigInt::operator=(BigInt&&) noexcept = default;
BigInt::~BigInt() = default;

BigInt BigInt::from_int128(int128 value) {
  BigInt result;
  const uint128 bits = static_cast<uint128>(value);
  result.number_->value = magnitude_of(value < 0 ? -bits : bits);
  if (value < 0) result.number_->value.backend().negate();
  return result;
}

BigInt BigInt::from_decimal(std::string_view digits) {
  BigInt result;
  const bool negative = take_sign(digits);
  if (digits.empty()) fail_internal("decimal", "no digits");
  result.number_->value = from_digits(digits);
  return negative ? -result : result;
}

BigInt BigInt::operator+(const BigInt& other) const { return BigInt(*this) += other; }
BigInt BigInt::operator*(const BigInt& other) const { return BigInt(*this) *= other; }
BigInt BigInt::operator-(const BigInt& other) const {
  BigInt result(*this);
  result.number_->value -= other.number_->value;
  return result;
}
BigInt BigInt::operator-() const {
  BigInt result(*this);
  result.number_->value.backend().negate();
  return result;
}
BigInt& BigInt::operator+=(const BigInt& other) {
  number_->value += other.number_->value;
  return *this;
}
BigInt& BigInt::operator*=(const BigInt& other) {
  number_->value *= other.number_->value;
  return *this;
}

BigInt BigInt::operator/(const BigInt& other) const {
  if (other.sign() == 0) fail_internal("division-by-zero", "an integer is divided by zero");
  BigInt result(*this);
  result.number_->value /= other.number_->value;
  return result;
}
BigInt BigInt::operator%(const BigInt& other) const {
  if (other.sign() == 0) fail_internal("division-by-zero", "an integer is divided by zero");
  BigInt result(*this);
  result.number_->value %= other.number_->value;
  return result;
}

BigInt BigInt::shifted_left(unsigned bits) const {
  BigInt result(*this);
  result.number_->value <<= bits;
  return result;
}

std::strong_ordering BigInt::operator<=>(const BigInt& other) const {
  return number_->value.compare(other.number_->value) <=> 0;
}
bool BigInt::operator==(const BigInt& other) const {
  return number_->value == other.number_->value;
}

int BigInt::sign() const { return number_->value.sign(); }
unsigned BigInt::bit_length() const { return bits_of(abs(number_->value)); }

uint64_t BigInt::low_bits() const {
  const uint64_t low = low_64(abs(number_->value));
  return sign() < 0 ? -low : low;
}

BigInt BigInt::square_root() const {
  if (sign() < 0) fail_internal("square-root", "of a negative integer");
  BigInt result;
  result.number_->value = sqrt(number_->value);
  return result;
}

std::string BigInt::text() const { return number_->value.str(); }

// ---- Rational ----

Rational::Rational() : Rational(0) {}
Rational::Rational(int64_t value) : number_(Number::make(value)) {}
Rational::Rational(BigInt numerator, BigInt denominator) {
  if (denominator.sign() == 0) fail_internal("division-by-zero", "a rational with denominator 0");
  // Boost refuses a negative denominator.
  if (denominator.sign() < 0) {
    numerator = -numerator;
    denominator = -denominator;
  }
  number_ = Number::make(numerator.number_->value, denominator.number_->value);
}
Rational::Rational(const Rational& other) : number_(Number::make(other.number_->value)) {}
Rational::Rational(Rational&&) noexcept = default;
Rational& Rational::operator=(const Rational& other) { return *this = Rational(other); }
Rational& Rational::operator=(Rational&&) noexcept = default;
Rational::~Rational() = default;

Rational Rational::from_double(double value) {
  if (!std::isfinite(value)) fail_internal("not-finite", "a rational from NaN or infinity");
  int exponent = 0;
  // The fraction has 53 bits: shifted by as many it is an integer.
  cpp_int numerator = static_cast<int64_t>(std::ldexp(std::frexp(value, &exponent), 53));
  exponent -= 53;
  cpp_int denominator = 1;
  (exponent < 0 ? denominator : numerator) <<= static_cast<unsigned>(std::abs(exponent));
  Rational result;
  result.number_ = Number::make(numerator, denominator);
  return result;
}

Rational Rational::from_decimal(std::string_view text) {
  constexpr int64_t kMostExponent = 20000;
  const bool negative = take_sign(text);
  const size_t mantissa_end = std::min(text.find_first_of("eE"), text.size());
  const std::string_view mantissa = text.substr(0, mantissa_end);
  const size_t point = std::min(mantissa.find('.'), mantissa.size());
  std::string digits(mantissa.substr(0, point));
  int64_t exponent = 0;
  if (point < mantissa.size()) {
    digits += mantissa.substr(point + 1);
    exponent = -static_cast<int64_t>(mantissa.size() - point - 1);
  }
  int64_t written = 0;
  if (mantissa_end < text.size()) {
    std::string_view rest = text.substr(mantissa_end + 1);
    const bool below = take_sign(rest);
    if (rest.empty()) digits.clear();
    for (const char digit : rest) {
      if (!is_digit(digit)) digits.clear();
      written = std::min(written * 10 + (digit - '0'), kMostExponent);
    }
    if (below) written = -written;
  }
  if (digits.empty()) fail_internal("decimal", "no decimal number: " + std::string(text));
  exponent += written;
  cpp_int numerator = from_digits(digits), denominator = 1;
  const cpp_int scale = pow(cpp_int(10), static_cast<unsigned>(std::abs(exponent)));
  (exponent < 0 ? denominator : numerator) *= scale;
  Rational result;
  result.number_ = Number::make(numerator, denominator);
  return negative ? -result : result;
}

Rational Rational::operator+(const Rational& other) const {
  Rational result(*this);
  result.number_->value += other.number_->value;
  return result;
}
Rational Rational::operator-(const Rational& other) const {
  Rational result(*this);
  result.number_->value -= other.number_->value;
  return result;
}
Rational Rational::operator*(const Rational& other) const {
  Rational result(*this);
  result.number_->value *= other.number_->value;
  return result;
}
Rational Rational::operator/(const Rational& other) const {
  if (other.sign() == 0) fail_internal("division-by-zero", "a rational is divided by zero");
  Rational result(*this);
  result.number_->value /= other.number_->value;
  return result;
}
Rational Rational::operator-() const {
  Rational result(*this);
  result.number_->value = -number_->value;
  return result;
}

std::strong_ordering Rational::operator<=>(const Rational& other) const {
  return number_->value.compare(other.number_->value) <=> 0;
}
bool Rational::operator==(const Rational& other) const {
  return number_->value == other.number_->value;
}
int Rational::sign() const { return number_->value.sign(); }

BigInt Rational::numerator() const {
  BigInt result;
  result.number_->value = boost::multiprecision::numerator(number_->value);
  return result;
}
BigInt Rational::denominator() const {
  BigInt result;
  result.number_->value = boost::multiprecision::denominator(number_->value);
  return result;
}

BigInt Rational::floor() const {
  BigInt result;
  bool exact = false;
  result.number_->value = floor_quotient(boost::multiprecision::numerator(number_->value),
                                         boost::multiprecision::denominator(number_->value), exact);
  return result;
}
BigInt Rational::ceil() const { return -(-*this).floor(); }
BigInt Rational::truncated() const { return sign() < 0 ? ceil() : floor(); }

BigInt Rational::nearest_even() const {
  const BigInt below = floor();
  const Rational above_by = *this - Rational(below, 1);
  const std::strong_ordering half = above_by <=> Rational(1, 2);
  const bool odd = (below.low_bits() & 1) != 0;
  return half > 0 || (half == 0 && odd) ? below + 1 : below;
}

namespace {

int64_t as_int64(const BigInt& value) {
  if (value < BigInt(INT64_MIN) || value > BigInt(INT64_MAX)) {
    fail_limit("size-overflow", "a computed size exceeds 2^63");
  }
  return static_cast<int64_t>(value.low_bits());
}

}  // namespace

int64_t Rational::floor_int64() const { return as_int64(floor()); }
int64_t Rational::ceil_int64() const { return as_int64(ceil()); }

uint64_t Rational::encode(const Format& format, Rounding rounding, Overflow overflow,
                          bool negative_zero) const {
  if (sign() == 0) return encode_scaled(format, negative_zero, 0, 0, rounding, overflow);
  cpp_int n = abs(boost::multiprecision::numerator(number_->value));
  cpp_int d = boost::multiprecision::denominator(number_->value);
  // The quotient's leading 62 or 63 bits, and a last one that says whether anything is left: more
  // than any format's mantissa and the two bits that a rounding looks at.
  const int64_t shift = 62 - (static_cast<int64_t>(bits_of(n)) - static_cast<int64_t>(bits_of(d)));
  (shift > 0 ? n : d) <<= static_cast<unsigned>(std::abs(shift));
  bool exact = false;
  const uint64_t leading = low_64(floor_quotient(n, d, exact));
  return encode_scaled(format, sign() < 0, leading * 2 + (exact ? 0 : 1), -shift - 1, rounding,
                       overflow);
}

double Rational::to_double() const {
  return std::bit_cast<double>(encode(kFloat64, Rounding::kNearestEven, Overflow::kInfinity));
}

bool Rational::is_double() const {
  const double nearest = to_double();
  return std::isfinite(nearest) && from_double(nearest) == *this;
}

Sticky Rational::sticky() const {
  const double head =
      std::bit_cast<double>(encode(kFloat64, Rounding::kTowardZero, Overflow::kInfinity));
  return {.head = head, .rest_sign = (*this - from_double(head)).sign()};
}

}  // namespace onnxv
