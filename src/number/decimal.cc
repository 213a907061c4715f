// Shortest decimals. float32 and float64 by the standard library; the narrow formats, which it does
// not know, by trying one digit more until the number reads back.
#include <bit>
#include <charconv>
#include <cmath>

#include "src/base/error.h"
#include "src/number/rational.h"

namespace onnxv {
namespace {

// digits[0].digits[1]... * 10^exponent
struct Decimal {
  std::string digits;
  int exponent = 0;
};

Decimal zeros_trimmed(Decimal decimal) {
  const size_t last = decimal.digits.find_last_not_of('0');
  decimal.digits.resize(last == std::string::npos ? 1 : last + 1);
  return decimal;
}

template <class Float>
Decimal from_to_chars(Float value) {
  char text[64];
  const std::to_chars_result end =
      std::to_chars(text, text + sizeof text, value, std::chars_format::scientific);
  if (end.ec != std::errc()) fail_internal("decimal", "a float has no text");
  const std::string_view written(text, static_cast<size_t>(end.ptr - text));
  const size_t mark = written.find('e');
  Decimal decimal;
  for (const char c : written.substr(0, mark)) {
    if (c != '.') decimal.digits += c;
  }
  // from_chars knows no '+'.
  const size_t number = mark + (written[mark + 1] == '+' ? 2 : 1);
  std::from_chars(text + number, end.ptr, decimal.exponent);
  return decimal;
}

Rational power_of_ten(int exponent) {
  return Rational::from_decimal("1e" + std::to_string(exponent));
}

// Whether `candidate` > 0 rounds to the positive `code`.
bool reads_back(const Format& format, uint64_t code, const Rational& candidate,
                const Rational& value) {
  // Choice: a decimal for float8e8m0 must read back in every round_mode of Cast; only the value
  // itself does.
  if (!format.has_zero_and_subnormals) return candidate == value;
  if (candidate.encode(format, Rounding::kNearestEven, Overflow::kInfinity) != code) return false;
  if (format.nan != NanPatterns::kNone || code != largest_finite(format, false)) return true;
  // These formats saturate: everything above would read back. Take what rounds to the largest
  // value, without its upper tie, which belongs to the even neighbour.
  const Rational below = Rational::from_double(decode(format, code - 1));
  return candidate - value < (value - below) / Rational(2);
}

// The nearest decimal with the fewest digits that reads back as the positive finite `code`.
Decimal search(const Format& format, uint64_t code) {
  const Rational value = Rational::from_double(decode(format, code));
  int exponent = static_cast<int>(std::floor(std::log10(decode(format, code))));
  // log10 is a guess next to powers of ten.
  while (value < power_of_ten(exponent)) --exponent;
  while (value >= power_of_ten(exponent + 1)) ++exponent;
  for (int count = 1;; ++count) {
    const Rational unit = power_of_ten(exponent - count + 1);
    const BigInt nearest = (value / unit).nearest_even();
    const BigInt below = (value / unit).floor();
    const BigInt other = nearest == below ? below + 1 : below;
    for (const BigInt& digits : {nearest, other}) {
      if (!reads_back(format, code, Rational(digits, 1) * unit, value)) continue;
      const std::string text = digits.text();
      // Rounding 9.99 up to two digits gives 100: one digit more, the exponent one higher.
      const int carried = static_cast<int>(text.size()) - count;
      return zeros_trimmed({.digits = text, .exponent = exponent + carried});
    }
  }
}

Decimal shortest_digits(const Format& format, uint64_t code) {
  if (&format == &kFloat64) return from_to_chars(std::bit_cast<double>(code));
  if (&format == &kFloat32) return from_to_chars(std::bit_cast<float>(static_cast<uint32_t>(code)));
  return search(format, code);
}

std::string positional(const Decimal& decimal) {
  const int count = static_cast<int>(decimal.digits.size());
  if (decimal.exponent < 0) {
    return "0." + std::string(static_cast<size_t>(-decimal.exponent - 1), '0') + decimal.digits;
  }
  const int whole = decimal.exponent + 1;
  if (count <= whole)
    return decimal.digits + std::string(static_cast<size_t>(whole - count), '0') + ".0";
  std::string text = decimal.digits;
  return text.insert(static_cast<size_t>(whole), ".");
}

std::string scientific(const Decimal& decimal) {
  std::string text = decimal.digits;
  if (text.size() > 1) text.insert(1, ".");
  const std::string exponent = std::to_string(std::abs(decimal.exponent));
  text += decimal.exponent < 0 ? "e-" : "e+";
  return text + (exponent.size() < 2 ? "0" : "") + exponent;
}

bool is_negative(const Format& format, uint64_t code) {
  return format.has_sign && ((code >> (format.bits - 1)) & 1) != 0;
}

// "nan", "inf", "-inf", "0.0", "-0.0"; empty for other values.
std::string special_text(const Format& format, uint64_t code) {
  if (is_nan(format, code)) return "nan";
  if (is_infinity(format, code)) return is_negative(format, code) ? "-inf" : "inf";
  if (decode(format, code) != 0) return {};
  return is_negative(format, code) ? "-0.0" : "0.0";
}

uint64_t magnitude(const Format& format, uint64_t code) {
  return is_negative(format, code) ? code ^ (uint64_t{1} << (format.bits - 1)) : code;
}

}  // namespace

std::string shortest_decimal(const Format& format, uint64_t code) {
  const std::string special = special_text(format, code);
  if (!special.empty()) return special;
  return (is_negative(format, code) ? "-" : "") +
         positional(shortest_digits(format, magnitude(format, code)));
}

std::string shortest_text(const Format& format, uint64_t code) {
  const std::string special = special_text(format, code);
  if (!special.empty()) return special;
  // Every float8e8m0 value but NaN is a float32, whose digits are fewer than the exact ones.
  if (&format == &kFloat8e8m0) {
    return shortest_text(kFloat32,
                         Rational::from_double(decode(format, code))
                             .encode(kFloat32, Rounding::kNearestEven, Overflow::kInfinity));
  }
  const Decimal decimal = shortest_digits(format, magnitude(format, code));
  const bool plain = decimal.exponent >= -4 && decimal.exponent < 16;
  return (is_negative(format, code) ? "-" : "") +
         (plain ? positional(decimal) : scientific(decimal));
}

}  // namespace onnxv
