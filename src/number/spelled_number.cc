#include "src/number/spelled_number.h"

namespace onnxv {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

size_t skip_digits(std::string_view text, size_t at) {
  while (at < text.size() && is_digit(text[at])) ++at;
  return at;
}

// (digits[.digits*] | .digits) ([eE][+-]?digits)?
bool is_decimal(std::string_view text) {
  size_t at = skip_digits(text, 0);
  size_t digits = at;
  if (at < text.size() && text[at] == '.') {
    const size_t end = skip_digits(text, at + 1);
    digits += end - at - 1;
    at = end;
  }
  if (digits == 0) return false;
  if (at == text.size()) return true;
  if (text[at] != 'e' && text[at] != 'E') return false;
  ++at;
  if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
  return at < text.size() && skip_digits(text, at) == text.size();
}

bool equals_ignoring_case(std::string_view text, std::string_view upper) {
  if (text.size() != upper.size()) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i] >= 'a' && text[i] <= 'z' ? static_cast<char>(text[i] - 'a' + 'A') : text[i];
    if (c != upper[i]) return false;
  }
  return true;
}

}  // namespace

std::optional<Extended> spelled_number(std::string_view text) {
  const bool negative = text.starts_with('-');
  const std::string_view magnitude = negative || text.starts_with('+') ? text.substr(1) : text;
  if (equals_ignoring_case(magnitude, "NAN")) return Extended::nan();
  if (equals_ignoring_case(magnitude, "INF")) return Extended::infinity(negative);
  if (!is_decimal(magnitude)) return std::nullopt;
  const Extended value(Rational::from_decimal(magnitude));
  return negative ? -value : value;
}

}  // namespace onnxv
