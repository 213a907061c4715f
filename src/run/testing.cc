#include "src/run/testing.h"

#include <array>
#include <charconv>
#include <cmath>

#include "src/number/format.h"

namespace onnxv::testing {
namespace {

template <class T>
Tensor plain(DType dtype, Shape shape, const std::vector<T>& values) {
  if (shape.elements() != static_cast<int64_t>(values.size())) {
    fail_internal("test-values", "a tensor of shape " + shape.text() + " is given " +
                                     std::to_string(values.size()) + " values");
  }
  return Tensor::of(dtype, std::move(shape), std::span<const T>(values));
}

template <class T>
std::string number_text(T value) {
  std::array<char, 64> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return std::string(buffer.data(), end);
}

IntegerFormat integer_format(DType dtype) { return {dtype_bits(dtype), is_signed_integer(dtype)}; }

std::string hex(uint64_t code) {
  std::array<char, 17> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), code, 16).ptr;
  return "0x" + std::string(buffer.data(), end);
}

std::string element_text(const Tensor& tensor, size_t i) {
  const DType dtype = tensor.dtype();
  if (tensor.is_string()) return "\"" + tensor.strings()[i] + "\"";
  if (dtype == DType::kComplex64) {
    const auto value = tensor.as<std::array<float, 2>>()[i];
    return "(" + number_text(value[0]) + ", " + number_text(value[1]) + ")";
  }
  if (dtype == DType::kComplex128) {
    const auto value = tensor.as<std::array<double, 2>>()[i];
    return "(" + number_text(value[0]) + ", " + number_text(value[1]) + ")";
  }
  const uint64_t code = tensor.code(i);
  if (dtype == DType::kFloat) return number_text(tensor.as<float>()[i]);
  if (is_float(dtype)) return number_text(decode(float_format(dtype), code));
  if (dtype == DType::kUint64) return number_text(code);
  if (is_integer(dtype))
    return number_text(static_cast<int64_t>(decode_integer(integer_format(dtype), code)));
  return number_text(code);
}

std::string tensor_text(const Tensor& tensor) {
  constexpr size_t kShown = 32;
  std::string text = std::string(dtype_display_name(tensor.dtype())) + tensor.shape().text();
  for (size_t i = 0; i < tensor.size(); ++i) {
    text += i == 0 ? " " : ", ";
    if (i == kShown) return text + "… " + std::to_string(tensor.size()) + " in all";
    text += element_text(tensor, i);
  }
  return text;
}

bool is_nan_element(const Tensor& tensor, size_t i) {
  return is_float(tensor.dtype()) && is_nan(float_format(tensor.dtype()), tensor.code(i));
}

bool same_complex(const Tensor& a, const Tensor& b, size_t i) {
  const auto same_half = [](auto x, auto y) {
    return (std::isnan(x) && std::isnan(y)) || (x == y && std::signbit(x) == std::signbit(y));
  };
  if (a.dtype() == DType::kComplex64) {
    const auto x = a.as<std::array<float, 2>>()[i], y = b.as<std::array<float, 2>>()[i];
    return same_half(x[0], y[0]) && same_half(x[1], y[1]);
  }
  const auto x = a.as<std::array<double, 2>>()[i], y = b.as<std::array<double, 2>>()[i];
  return same_half(x[0], y[0]) && same_half(x[1], y[1]);
}

std::string tensor_difference(const Tensor& actual, const Tensor& expected) {
  if (same_bits(actual, expected)) return "";
  const std::string both = "got " + tensor_text(actual) + "; expected " + tensor_text(expected);
  if (actual.dtype() != expected.dtype() || actual.shape() != expected.shape()) return both;
  for (size_t i = 0; i < actual.size(); ++i) {
    if (actual.is_string()) {
      if (actual.strings()[i] == expected.strings()[i]) continue;
      return "element " + std::to_string(i) + " differs; " + both;
    }
    if (is_complex(actual.dtype())) {
      if (!same_complex(actual, expected, i))
        return "element " + std::to_string(i) + " differs; " + both;
      continue;
    }
    if (actual.code(i) == expected.code(i)) continue;
    if (is_nan_element(actual, i) && is_nan_element(expected, i)) continue;
    return "element " + std::to_string(i) + ": got " + element_text(actual, i) + " (" +
           hex(actual.code(i)) + "), expected " + element_text(expected, i) + " (" +
           hex(expected.code(i)) + "); " + both;
  }
  return "";
}

std::string value_difference(const Value& actual, const Value& expected);

std::string list_difference(const std::vector<Value>& actual, const std::vector<Value>& expected) {
  if (actual.size() != expected.size()) {
    return "got " + std::to_string(actual.size()) + " items, expected " +
           std::to_string(expected.size());
  }
  for (size_t i = 0; i < actual.size(); ++i) {
    const std::string difference = value_difference(actual[i], expected[i]);
    if (!difference.empty()) return "item " + std::to_string(i) + ": " + difference;
  }
  return "";
}

std::string value_difference(const Value& actual, const Value& expected) {
  const std::string both = "got " + text_of(actual) + "; expected " + text_of(expected);
  if (actual.is_tensor() && expected.is_tensor())
    return tensor_difference(actual.tensor(), expected.tensor());
  if (actual.is_sequence() && expected.is_sequence()) {
    const Sequence& a = actual.sequence();
    const Sequence& b = expected.sequence();
    const bool known =
        a.element.kind != Type::Kind::kUnknown && b.element.kind != Type::Kind::kUnknown;
    if (known && !same_type(a.element, b.element)) return both;
    return list_difference(a.items, b.items);
  }
  if (actual.is_optional() && expected.is_optional()) {
    const Optional& a = actual.optional();
    const Optional& b = expected.optional();
    if (a.value == nullptr || b.value == nullptr) {
      return a.value == nullptr && b.value == nullptr && same_type(a.element, b.element) ? ""
                                                                                         : both;
    }
    return value_difference(*a.value, *b.value);
  }
  if (actual.is_map() && expected.is_map()) {
    const Map& a = actual.map();
    const Map& b = expected.map();
    const bool same_keys =
        a.key_type == b.key_type && a.int_keys == b.int_keys && a.string_keys == b.string_keys;
    return same_keys ? list_difference(a.values, b.values) : both;
  }
  return same_bits(actual, expected) ? "" : both;
}

}  // namespace

// ---- tensors ----

Tensor floats(Shape shape, std::vector<float> values) {
  return plain(DType::kFloat, std::move(shape), values);
}
Tensor doubles(Shape shape, std::vector<double> values) {
  return plain(DType::kDouble, std::move(shape), values);
}
Tensor int64s(Shape shape, std::vector<int64_t> values) {
  return plain(DType::kInt64, std::move(shape), values);
}
Tensor int32s(Shape shape, std::vector<int32_t> values) {
  return plain(DType::kInt32, std::move(shape), values);
}
Tensor uint8s(Shape shape, std::vector<uint8_t> values) {
  return plain(DType::kUint8, std::move(shape), values);
}
Tensor int8s(Shape shape, std::vector<int8_t> values) {
  return plain(DType::kInt8, std::move(shape), values);
}

Tensor bools(Shape shape, std::vector<bool> values) {
  return plain(DType::kBool, std::move(shape), std::vector<uint8_t>(values.begin(), values.end()));
}

Tensor strings(Shape shape, std::vector<std::string> values) {
  return Tensor(std::move(shape), std::move(values));
}

Tensor codes(DType dtype, Shape shape, std::vector<uint64_t> values) {
  Tensor tensor(dtype, std::move(shape));
  if (tensor.size() != values.size()) {
    fail_internal("test-values", "a tensor of shape " + tensor.shape().text() + " is given " +
                                     std::to_string(values.size()) + " values");
  }
  for (size_t i = 0; i < values.size(); ++i) tensor.set_code(i, values[i]);
  return tensor;
}

namespace {

uint64_t code_of(DType dtype, double value) {
  const auto refuse = [&]() {
    fail_internal("test-values", number_text(value) + " is not representable in " +
                                     std::string(dtype_name(dtype)));
  };
  if (is_float(dtype)) {
    const Format& format = float_format(dtype);
    const uint64_t code = encode(format, {value, 0}, Rounding::kNearestEven, Overflow::kInfinity);
    const double back = decode(format, code);
    const bool same = std::isnan(value)
                          ? std::isnan(back)
                          : back == value && std::signbit(back) == std::signbit(value);
    if (!same) refuse();
    return code;
  }
  if (value != std::trunc(value) || std::abs(value) >= 0x1p64) refuse();
  const auto whole = static_cast<decltype(decode_integer({}, 0))>(value);
  const IntegerFormat format =
      dtype == DType::kBool ? IntegerFormat{8, false} : integer_format(dtype);
  const uint64_t code = wrap_integer(format, whole);
  if (decode_integer(format, code) != whole || (dtype == DType::kBool && code > 1)) refuse();
  return code;
}

}  // namespace

Tensor numbers(DType dtype, Shape shape, std::vector<double> values) {
  if (!is_float(dtype) && !is_integer(dtype) && dtype != DType::kBool) {
    fail_internal("test-values", std::string(dtype_name(dtype)) + " holds no numbers");
  }
  std::vector<uint64_t> patterns;
  for (const double value : values) patterns.push_back(code_of(dtype, value));
  return codes(dtype, std::move(shape), std::move(patterns));
}

// ---- comparison ----

Sameness same(const Value& actual, const Value& expected) {
  return {value_difference(actual, expected)};
}

std::string text_of(const Value& value) {
  const auto list = [](const std::vector<Value>& items) {
    std::string text;
    for (const Value& item : items) text += (text.empty() ? "" : "; ") + text_of(item);
    return text;
  };
  if (!value.exists()) return "nothing";
  if (value.is_tensor()) return tensor_text(value.tensor());
  if (value.is_sequence()) return value.type().text() + " {" + list(value.sequence().items) + "}";
  if (value.is_map()) return value.type().text() + " {" + list(value.map().values) + "}";
  if (value.is_optional()) {
    const auto& held = value.optional().value;
    return value.type().text() + " {" + (held == nullptr ? "" : text_of(*held)) + "}";
  }
  return value.type().text();
}

}  // namespace onnxv::testing

namespace doctest {

String StringMaker<onnxv::testing::Sameness>::convert(const onnxv::testing::Sameness& value) {
  return value.difference.empty() ? "the same" : value.difference.c_str();
}
String StringMaker<onnxv::Tensor>::convert(const onnxv::Tensor& value) {
  return onnxv::testing::text_of(value).c_str();
}
String StringMaker<onnxv::Value>::convert(const onnxv::Value& value) {
  return onnxv::testing::text_of(value).c_str();
}
String StringMaker<onnxv::Shape>::convert(const onnxv::Shape& value) {
  return value.text().c_str();
}

}  // namespace doctest
