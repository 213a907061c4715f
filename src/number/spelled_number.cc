#include "src/number/spelled_number.h"

#include <algorithm>

namespace onnxv {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool equals_ignoring_case(std::string_view text, std::string_view upper) {
  return std::equal(text.begin(), text.end(), upper.begin(), upper.end(), [](char a, char b) {
    return (a >= 'a' && a <= 'z' ? static_cast<char>(a - 'a' + 'A') : a) == b;
  });
}

std::string_view take_digits(std::string_view& text) {
  const size_t count = static_cast<size_t>(std::find_if_not(text.begin(), text.end(), is_digit) - text.begin());
  const std::string_view digits = text.substr(0, count);
  text.remove_prefix(count);
  return digits;
}

bool take_sign(std::string_view& text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  return negative;
}

// ([eE][+-]?digits)? up to the end. Exponents are cut at 2^40, far beyond any string's length.
std::optional<int64_t> read_exponent(std::string_view text) {
  if (text.empty()) return 0;
  if (text[0] != 'e' && text[0] != 'E') return std::nullopt;
  text.remove_prefix(1);
  const bool negative = take_sign(text);
  const std::string_view digits = take_digits(text);
  if (digits.empty() || !text.empty()) return std::nullopt;
  int64_t value = 0;
  for (const char digit : digits) value = std::min(value * 10 + (digit - '0'), int64_t{1} << 40);
  return negative ? -value : value;
}

// Moves the zeros at either end of the digits into the exponent.
void trim(Spelling* number) {
  std::string& digits = number->digits;
  const size_t end = digits.find_last_not_of('0') + 1;
  number->exponent += static_cast<int64_t>(digits.size() - end);
  digits.resize(end);
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
  if (digits.empty()) number->exponent = 0;
}

}  // namespace

std::optional<Spelling> read_number(std::string_view text) {
  Spelling number;
  number.negative = take_sign(text);
  if (equals_ignoring_case(text, "INF")) {
    number.kind = Spelling::Kind::kInfinity;
    return number;
  }
  if (equals_ignoring_case(text, "NAN")) {
    number.kind = Spelling::Kind::kNan;
    return number;
  }
  number.digits = take_digits(text);
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    const std::string_view fraction = take_digits(text);
    number.digits += fraction;
    number.exponent = -static_cast<int64_t>(fraction.size());
  }
  if (number.digits.empty()) return std::nullopt;
  const std::optional<int64_t> written = read_exponent(text);
  if (!written) return std::nullopt;
  number.exponent += *written;
  trim(&number);
  return number;
}

std::optional<Extended> spelled_number(std::string_view text) {
  const std::optional<Spelling> number = read_number(text);
  if (!number) return std::nullopt;
  if (number->kind == Spelling::Kind::kNan) return Extended::nan();
  if (number->kind == Spelling::Kind::kInfinity) return Extended::infinity(number->negative);
  const Extended value(number->rational());
  return value.is_zero() && number->negative ? -value : value;
}

Rational Spelling::rational() const {
  // The midpoints between neighbouring doubles have fewer than 800 digits: a number with more digits than this lies on the same
  // side of each as its first ones with a nonzero one behind.
  constexpr size_t kMostDigits = 1200;
  // Beyond the largest double's and below the smallest one's half.
  constexpr int64_t kMostMagnitude = 400;
  const std::string sign = negative ? "-" : "";
  if (digits.empty()) return Rational(0);
  if (whole_digits() > kMostMagnitude) return Rational::from_decimal(sign + "1e400");
  if (whole_digits() < -kMostMagnitude) return Rational::from_decimal(sign + "1e-400");
  if (digits.size() <= kMostDigits) {
    return Rational::from_decimal(sign + digits + "e" + std::to_string(exponent));
  }
  const int64_t dropped = static_cast<int64_t>(digits.size() - kMostDigits);
  return Rational::from_decimal(sign + digits.substr(0, kMostDigits) + "1e" +
                                std::to_string(exponent + dropped - 1));
}

uint64_t Spelling::low_bits() const {
  const int64_t given = static_cast<int64_t>(digits.size());
  const int64_t from_digits = std::clamp<int64_t>(whole_digits(), 0, given);
  uint64_t value = 0;
  for (int64_t i = 0; i < from_digits; ++i) {
    value = value * 10 + static_cast<uint64_t>(digits[static_cast<size_t>(i)] - '0');
  }
  // 10^64 is a multiple of 2^64.
  for (int64_t i = 0; i < std::min<int64_t>(exponent, 64); ++i) value *= 10;
  return negative ? -value : value;
}

bool Spelling::fits(IntegerFormat format) const {
  if (kind != Kind::kFinite || exponent < 0 || whole_digits() > 20) return false;
  int128 value = 0;
  for (const char digit : digits) value = value * 10 + (digit - '0');
  for (int64_t i = 0; i < exponent; ++i) value *= 10;
  if (negative) value = -value;
  return value >= smallest_integer(format) && value <= largest_integer(format);
}

}  // namespace onnxv
