#include "conformance/generate/value_class.h"

#include <algorithm>
#include <string>
#include <vector>

#include "src/base/int128.h"
#include "src/number/format.h"

namespace onnxv::generate {
namespace {

struct ClassName {
  ValueClass value_class;
  std::string_view name, words;
};
constexpr std::array<ClassName, 9> kNames = {{
    {ValueClass::kOrdinary, "ordinary", "ordinary values"},
    {ValueClass::kZeros, "zeros", "zeros"},
    {ValueClass::kSignedZeros, "signed_zeros", "signed zeros"},
    {ValueClass::kSubnormals, "subnormals", "subnormal numbers"},
    {ValueClass::kTies, "ties", "ties"},
    {ValueClass::kExtremes, "extremes", "extreme values"},
    {ValueClass::kInfinities, "infinities", "infinities"},
    {ValueClass::kNan, "nan", "NaN"},
    {ValueClass::kPatterns, "patterns", "arbitrary bit patterns"},
}};

// Two independent draws for each element.
class Draw {
 public:
  Draw(const PhiloxStream& stream, size_t element)
      : choice_(stream.bits(2 * element)), detail_(stream.bits(2 * element + 1)) {}
  // Which of `count` kinds the element is.
  size_t choice(size_t count) const { return static_cast<size_t>(choice_ % count); }
  bool flag() const { return (choice_ >> 32 & 1) != 0; }
  // In [0, count).
  uint64_t below(uint64_t count) const { return detail_ % count; }
  uint64_t bits() const { return detail_; }

 private:
  uint64_t choice_, detail_;
};

// ---- floats ----

uint64_t rounded(const Format& format, double value) {
  return encode(format, {value, 0}, Rounding::kNearestEven, Overflow::kSaturate);
}

// Uniform in [-4, 4) on a grid of 2^-50, rounded; powers of two where there is nothing else.
uint64_t ordinary(const Format& format, const Draw& draw) {
  if (!format.has_zero_and_subnormals)
    return static_cast<uint64_t>(format.bias) - 4 + draw.below(8);
  const auto steps = static_cast<int64_t>(draw.bits() >> 11) - (int64_t{1} << 52);
  return rounded(format, static_cast<double>(steps) * 0x1p-50);
}

uint64_t sign_bit(const Format& format) {
  return format.has_sign ? uint64_t{1} << (format.bits - 1) : 0;
}
uint64_t with_sign(const Format& format, uint64_t code, bool negative) {
  return negative && !(code == 0 && !format.has_negative_zero) ? code | sign_bit(format) : code;
}

uint64_t subnormal(const Format& format, const Draw& draw) {
  const uint64_t normal = uint64_t{1} << format.mantissa_bits;  // the smallest
  const std::array<uint64_t, 6> codes = {1,
                                         normal - 1,
                                         normal,
                                         normal + 1,
                                         1 + draw.below(std::max<uint64_t>(normal - 1, 1)),
                                         1 + draw.below(std::max<uint64_t>(normal - 1, 1))};
  return with_sign(format, codes[draw.choice(codes.size())], draw.flag());
}

// n + 1/2, or half way between two numbers of a format with fewer bits.
uint64_t tie(const Format& format, const Draw& draw) {
  constexpr std::array<double, 6> halves = {0.5, 0x1p-2, 0x1p-4, 0x1p-8, 0x1p-11, 0x1p-24};
  const size_t choice = draw.choice(2 * halves.size());
  const bool plain = choice >= halves.size();
  const double unit = plain ? 1 : 2 * halves[choice];
  const double below =
      plain ? static_cast<double>(draw.below(8)) : 1 + unit * static_cast<double>(draw.below(3));
  return with_sign(format, rounded(format, below + unit / 2), draw.flag());
}

uint64_t extreme(const Format& format, const Draw& draw) {
  const uint64_t largest = largest_finite(format, false), one = rounded(format, 1);
  const uint64_t normal = format.has_zero_and_subnormals ? uint64_t{1} << format.mantissa_bits : 0;
  const uint64_t smallest = format.has_zero_and_subnormals ? 1 : 0;
  const std::array<uint64_t, 8> codes = {largest, largest - 1, normal,  smallest,
                                         one,     one + 1,     one - 1, largest};
  return with_sign(format, codes[draw.choice(codes.size())], draw.flag());
}

uint64_t not_a_number(const Format& format, bool negative) {
  return negative && format.nan == NanPatterns::kIeee ? signed_nan(format, true)
                                                      : format.canonical_nan;
}

uint64_t float_code(const Format& format, ValueClass value_class, const Draw& draw) {
  switch (value_class) {
    case ValueClass::kZeros: return 0;
    case ValueClass::kSignedZeros:
      return draw.choice(4) == 0 ? ordinary(format, draw) : with_sign(format, 0, draw.flag());
    case ValueClass::kSubnormals: return subnormal(format, draw);
    case ValueClass::kTies: return tie(format, draw);
    case ValueClass::kExtremes: return extreme(format, draw);
    case ValueClass::kInfinities:
      return draw.choice(3) == 0 ? infinity_or_nan(format, draw.flag()) : ordinary(format, draw);
    case ValueClass::kNan:
      return draw.choice(4) == 0 ? not_a_number(format, draw.flag()) : ordinary(format, draw);
    case ValueClass::kPatterns:
      return format.bits == 64 ? draw.bits() : draw.bits() & ((uint64_t{1} << format.bits) - 1);
    default: return ordinary(format, draw);
  }
}

// ---- integers, bool, strings ----

uint64_t integer_code(IntegerFormat format, ValueClass value_class, const Draw& draw) {
  const int128 low = smallest_integer(format), high = largest_integer(format);
  const auto near_zero = [&](int64_t value) {
    return wrap_integer(format, std::clamp<int128>(value, low, high));
  };
  switch (value_class) {
    case ValueClass::kZeros: return 0;
    case ValueClass::kTies: return near_zero(static_cast<int64_t>(draw.below(16)) * 2 - 15);
    case ValueClass::kExtremes: {
      const std::array<int128, 7> values = {
          low, high, low + 1, high - 1, 0, 1, format.is_signed ? -1 : 2};
      return wrap_integer(format, values[draw.choice(values.size())]);
    }
    case ValueClass::kPatterns: return wrap_integer(format, static_cast<int128>(draw.bits()));
    default: return near_zero(static_cast<int64_t>(draw.below(19)) - (format.is_signed ? 9 : 0));
  }
}

uint64_t bool_code(ValueClass value_class, const Draw& draw) {
  if (value_class == ValueClass::kZeros) return 0;
  return value_class == ValueClass::kExtremes || draw.flag() ? 1 : 0;
}

std::string text(ValueClass value_class, const Draw& draw) {
  constexpr std::array<std::string_view, 10> words = {"",
                                                      "a",
                                                      "A",
                                                      "onnx",
                                                      "Hello World",
                                                      "42",
                                                      "-1.5",
                                                      "na\xc3\xafve",
                                                      "\xe6\x97\xa5\xe6\x9c\xac",
                                                      "inf"};
  if (value_class == ValueClass::kZeros) return "";
  const std::string word(words[draw.below(words.size())]);
  if (value_class != ValueClass::kExtremes) return word;
  std::string repeated = "\xf0\x9f\x99\x82";  // beyond the basic plane
  for (size_t i = 0; i < 20 * draw.choice(5); ++i) repeated += word;
  return repeated;
}

}  // namespace

std::optional<ValueClass> value_class_from_name(std::string_view name) {
  for (const ClassName& entry : kNames) {
    if (entry.name == name) return entry.value_class;
  }
  return std::nullopt;
}

std::string_view value_class_words(ValueClass value_class) {
  return kNames.at(static_cast<size_t>(value_class)).words;
}

bool has_class(DType dtype, ValueClass value_class) {
  if (value_class == ValueClass::kOrdinary) return true;
  if (is_complex(dtype)) dtype = DType::kFloat;
  if (is_float(dtype)) {
    const Format& format = float_format(dtype);
    switch (value_class) {
      case ValueClass::kZeros:
      case ValueClass::kSubnormals: return format.has_zero_and_subnormals;
      case ValueClass::kSignedZeros: return format.has_negative_zero;
      case ValueClass::kTies: return format.mantissa_bits > 0;
      case ValueClass::kInfinities: return format.has_infinity;
      case ValueClass::kNan: return format.nan != NanPatterns::kNone;
      default: return true;
    }
  }
  const bool everywhere = value_class == ValueClass::kZeros || value_class == ValueClass::kExtremes;
  if (dtype == DType::kBool || dtype == DType::kString) return everywhere;
  return everywhere || value_class == ValueClass::kTies || value_class == ValueClass::kPatterns;
}

void fill_by_class(Tensor& tensor, ValueClass value_class, const PhiloxStream& stream) {
  const DType dtype = tensor.dtype();
  if (!has_class(dtype, value_class)) value_class = ValueClass::kOrdinary;
  if (dtype == DType::kString) {
    std::vector<std::string>& strings = tensor.mutable_strings();
    for (size_t i = 0; i < strings.size(); ++i) strings[i] = text(value_class, Draw(stream, i));
    return;
  }
  if (is_complex(dtype)) {  // two reals each
    const DType part = dtype == DType::kComplex64 ? DType::kFloat : DType::kDouble;
    Tensor parts(part, Shape{static_cast<int64_t>(2 * tensor.size())});
    fill_by_class(parts, value_class, stream);
    std::copy(parts.bytes().begin(), parts.bytes().end(), tensor.mutable_bytes().begin());
    return;
  }
  for (size_t i = 0; i < tensor.size(); ++i) {
    const Draw draw(stream, i);
    tensor.set_code(
        i, dtype == DType::kBool ? bool_code(value_class, draw)
           : is_float(dtype)
               ? float_code(float_format(dtype), value_class, draw)
               : integer_code({dtype_bits(dtype), is_signed_integer(dtype)}, value_class, draw));
  }
}

}  // namespace onnxv::generate
