// Strings to numbers, and numbers to strings.
#include <limits>

#include "ops/cast/conversion.h"
#include "src/base/error.h"
#include "src/number/spelled_number.h"

namespace onnxv {
namespace {

std::string text_of(const Tensor& x, size_t element) {
  const DType dtype = x.dtype();
  const uint64_t code = x.code(element);
  if (dtype == DType::kBool) return code != 0 ? "True" : "False";
  if (is_float(dtype)) return shortest_decimal(float_format(dtype), code);
  const int128 value = decode_integer(integer_format_of(dtype), code);
  return value < 0 ? std::to_string(static_cast<int64_t>(value)) : std::to_string(static_cast<uint64_t>(value));
}

uint64_t float_code_of(const Spelling& number, const CastRules& rules, Open* open) {
  using Limits = std::numeric_limits<double>;
  const Format& format = float_format(rules.to);
  if (number.kind != Spelling::Kind::kFinite) {
    const double special = number.kind == Spelling::Kind::kNan ? Limits::quiet_NaN() : Limits::infinity();
    return float_code({number.negative ? -special : special, 0}, rules, open);
  }
  if (number.digits.empty()) return float_code({number.negative ? -0.0 : 0.0, 0}, rules, open);
  const Rational value = number.rational();
  if (&format == &kFloat64) return value.encode(format, Rounding::kNearestEven, Overflow::kInfinity);
  return float_code(value.sticky(), rules, open);
}

uint64_t code_of(const Spelling& number, const CastRules& rules, Open* open) {
  const bool finite = number.kind == Spelling::Kind::kFinite;
  if (rules.to == DType::kBool) return finite && number.digits.empty() ? 0 : 1;
  if (is_float(rules.to)) return float_code_of(number, rules, open);
  const IntegerFormat format = integer_format_of(rules.to);
  if (!number.fits(format)) *open = Open::kIntegerRange;
  return finite ? wrap_integer(format, static_cast<int128>(number.low_bits())) : 0;
}

}  // namespace

// Choice: the text asks for a "plain floating-point representation" and no more. A float is its shortest decimal that reads back
// in its own type, never with an exponent and with at least one digit behind the point; a Bool is "True" or "False".
void numbers_to_texts(const Tensor& x, Tensor* y, OpenElements* open) {
  std::vector<std::string>& texts = y->mutable_strings();
  for (size_t i = 0; i < texts.size(); ++i) texts[i] = text_of(x, i);
  if (!is_integer(x.dtype())) open->mark_all(Open::kText);
}

// Choice: a string that is no decimal number, whose conversion the text leaves undefined, is an error; a number with a fraction, or
// outside the range, becomes an integer as a float would: truncated, modulo 2^n.
void texts_to_numbers(const Tensor& x, const CastRules& rules, Tensor* y, OpenElements* open) {
  const std::vector<std::string>& texts = x.strings();
  for (size_t i = 0; i < texts.size(); ++i) {
    const std::optional<Spelling> number = read_number(texts[i]);
    if (!number) {
      fail_undefined("cast-text", "element " + std::to_string(i) + " is \"" + texts[i].substr(0, 40) + "\"",
                     "must be a decimal number, INF or NaN");
    }
    Open why = Open::kDefined;
    y->set_code(i, code_of(*number, rules, &why));
    open->mark(i, why);
  }
}

}  // namespace onnxv
