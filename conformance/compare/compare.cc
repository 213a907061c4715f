#include "conformance/compare/compare.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "conformance/compare/elements.h"
#include "src/base/error.h"
#include "src/number/format.h"
#include "src/number/rational.h"

namespace onnxv {
namespace {

std::string hexadecimal(uint64_t code, int bits) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (int digit = (bits + 3) / 4 - 1; digit >= 0; --digit) {
    text += kDigits[(code >> (4 * digit)) & 0xf];
  }
  return "0x" + text;
}

std::string float_text(const Format& format, uint64_t code) {
  return shortest_text(format, code) + " (" + hexadecimal(code, format.bits) + ")";
}

std::string integer_text(DType dtype, uint64_t code) {
  const auto value = decode_integer({dtype_bits(dtype), is_signed_integer(dtype)}, code);
  // Every value of at most 64 bits is an int64 or a uint64.
  return value < 0 ? std::to_string(static_cast<int64_t>(value))
                   : std::to_string(static_cast<uint64_t>(value));
}

std::string string_text(const std::string& text) {
  constexpr size_t kLongest = 200;
  std::string quoted = "\"";
  for (const char c : text.substr(0, kLongest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      quoted += "\\x" + hexadecimal(byte, 8).substr(2);
    } else {
      quoted += c;
    }
  }
  return quoted + (text.size() > kLongest ? "\"…" : "\"");
}

std::string complex_text(const Tensor& tensor, size_t element) {
  const bool wide = tensor.dtype() == DType::kComplex128;
  const Format& format = wide ? kFloat64 : kFloat32;
  const size_t width = wide ? 8 : 4;
  uint64_t parts[2] = {0, 0};
  for (size_t part = 0; part < 2; ++part) {
    std::memcpy(&parts[part], tensor.bytes().data() + (2 * element + part) * width, width);
  }
  return shortest_text(format, parts[0]) + ", " + shortest_text(format, parts[1]) + "i (" +
         hexadecimal(parts[0], format.bits) + ", " + hexadecimal(parts[1], format.bits) + ")";
}

std::string_view kind_of(const Value& value) {
  if (value.is_tensor()) return "a tensor";
  if (value.is_sequence()) return "a sequence";
  if (value.is_optional()) return "an optional";
  if (value.is_map()) return "a map";
  if (value.is_sparse_tensor()) return "a sparse tensor";
  return "nothing";
}

std::string at(std::span<const int64_t> prefix) {
  if (prefix.empty()) return "";
  std::string text = "item ";
  for (size_t i = 0; i < prefix.size(); ++i) text += (i > 0 ? "." : "") + std::to_string(prefix[i]);
  return text + ": ";
}

// Walks two values in step; `prefix` is the way down.
class Walk {
 public:
  Walk(const CompareRequest& request, Comparison& comparison)
      : request_(request), comparison_(comparison) {}

  void values(const Value& expected, const Value& actual) {
    if (expected.is_optional() != actual.is_optional()) return unwrapped(expected, actual);
    if (kind_of(expected) != kind_of(actual)) {
      return problem("it is " + std::string(kind_of(actual)) + ", expected " +
                     std::string(kind_of(expected)));
    }
    if (expected.is_tensor()) return tensors(expected.tensor(), actual.tensor());
    if (expected.is_sequence()) return sequences(expected.sequence(), actual.sequence());
    if (expected.is_optional()) return optionals(expected.optional(), actual.optional());
    if (expected.is_map()) return maps(expected.map(), actual.map());
    if (expected.is_sparse_tensor())
      return sparse(expected.sparse_tensor(), actual.sparse_tensor());
  }

 private:
  void problem(const std::string& what) {
    comparison_.matches = false;
    if (comparison_.problem.empty()) comparison_.problem = at(prefix_) + what;
  }

  // An optional that holds a value and the value itself mean the same at a graph's edge.
  void unwrapped(const Value& expected, const Value& actual) {
    const bool has_expected =
        expected.is_optional() ? expected.optional().value != nullptr : expected.exists();
    const bool has_actual =
        actual.is_optional() ? actual.optional().value != nullptr : actual.exists();
    if (has_expected && has_actual) {
      return values(expected.is_optional() ? *expected.optional().value : expected,
                    actual.is_optional() ? *actual.optional().value : actual);
    }
    if (!has_expected && !has_actual) return;
    problem(has_expected ? "it is empty, expected a value" : "it holds a value, expected none");
  }

  void tensors(const Tensor& expected, const Tensor& actual) {
    if (expected.dtype() != actual.dtype()) {
      return problem("type is " + std::string(dtype_display_name(actual.dtype())) + ", expected " +
                     std::string(dtype_display_name(expected.dtype())));
    }
    if (expected.shape() != actual.shape()) {
      return problem("shape is " + actual.shape().text() + ", expected " + expected.shape().text());
    }
    if (request_.tolerance.kind == Tolerance::Kind::kDistribution) {
      return compare_samples(expected, actual, request_, comparison_);
    }
    compare_elements(expected, actual, request_, prefix_, comparison_);
  }

  void sequences(const Sequence& expected, const Sequence& actual) {
    if (expected.items.size() != actual.items.size()) {
      return problem("length is " + std::to_string(actual.items.size()) + ", expected " +
                     std::to_string(expected.items.size()));
    }
    for (size_t i = 0; i < expected.items.size(); ++i) {
      step(i, expected.items[i], actual.items[i]);
    }
  }

  void optionals(const Optional& expected, const Optional& actual) {
    if ((expected.value != nullptr) != (actual.value != nullptr)) {
      return problem(expected.value ? "it is empty, expected a value"
                                    : "it holds a value, expected none");
    }
    if (expected.value) values(*expected.value, *actual.value);
  }

  // The order of a map's entries means nothing.
  void maps(const Map& expected, const Map& actual) {
    if ((expected.key_type == DType::kString) != (actual.key_type == DType::kString)) {
      return problem("keys are " + std::string(dtype_display_name(actual.key_type)) +
                     ", expected " + std::string(dtype_display_name(expected.key_type)));
    }
    if (expected.size() != actual.size()) {
      return problem("it has " + std::to_string(actual.size()) + " entries, expected " +
                     std::to_string(expected.size()));
    }
    if (expected.key_type == DType::kString) {
      entries(expected, expected.string_keys, actual, actual.string_keys, string_text);
    } else {
      entries(expected, expected.int_keys, actual, actual.int_keys,
              [](int64_t key) { return std::to_string(key); });
    }
  }

  template <class Key, class Text>
  void entries(const Map& expected, const std::vector<Key>& expected_keys, const Map& actual,
               const std::vector<Key>& actual_keys, Text text) {
    std::map<Key, size_t> positions;
    for (size_t i = 0; i < actual_keys.size(); ++i) positions[actual_keys[i]] = i;
    for (size_t i = 0; i < expected_keys.size(); ++i) {
      const auto found = positions.find(expected_keys[i]);
      if (found == positions.end()) {
        problem("key " + text(expected_keys[i]) + " is missing");
      } else {
        step(i, expected.values[i], actual.values[found->second]);
      }
    }
  }

  // Position and value of what is stored; an element that is not stored is zero.
  static std::map<int64_t, size_t> stored(const SparseTensor& sparse) {
    std::map<int64_t, size_t> positions;
    const std::span<const int64_t> indices = sparse.indices.as<int64_t>();
    const size_t rank =
        sparse.indices.rank() == 2 ? static_cast<size_t>(sparse.indices.shape()[1]) : 0;
    const std::vector<int64_t> strides = strides_of(sparse.shape);
    for (size_t i = 0; i < sparse.values.size(); ++i) {
      int64_t position = 0;
      if (rank == 0) {
        position = indices[i];
      } else {
        for (size_t k = 0; k < rank && k < strides.size(); ++k) {
          position += indices[i * rank + k] * strides[k];
        }
      }
      positions[position] = i;
    }
    return positions;
  }

  void sparse(const SparseTensor& expected, const SparseTensor& actual) {
    if (expected.shape != actual.shape) {
      return problem("shape is " + actual.shape.text() + ", expected " + expected.shape.text());
    }
    if (expected.values.dtype() != actual.values.dtype()) {
      return problem("type is " + std::string(dtype_display_name(actual.values.dtype())) +
                     ", expected " + std::string(dtype_display_name(expected.values.dtype())));
    }
    const auto e = stored(expected), a = stored(actual);
    std::map<int64_t, char> all;
    for (const auto& [position, element] : e) all[position] = 0;
    for (const auto& [position, element] : a) all[position] = 0;
    const Shape count{static_cast<int64_t>(all.size())};
    Tensor ee(expected.values.dtype(), count), aa(expected.values.dtype(), count);
    size_t next = 0;
    for (const auto& [position, unused] : all) {
      if (const auto found = e.find(position); found != e.end()) {
        place(expected.values, found->second, ee, next);
      }
      if (const auto found = a.find(position); found != a.end()) {
        place(actual.values, found->second, aa, next);
      }
      ++next;
    }
    tensors(ee, aa);
  }

  static void place(const Tensor& from, size_t element, Tensor& to, size_t position) {
    if (from.is_string()) {
      to.mutable_strings()[position] = from.strings()[element];
      return;
    }
    const size_t bits = static_cast<size_t>(dtype_bits(from.dtype()));
    if (bits < 8) return to.set_code(position, from.code(element));
    std::memcpy(to.mutable_bytes().data() + position * (bits / 8),
                from.bytes().data() + element * (bits / 8), bits / 8);
  }

  void step(size_t item, const Value& expected, const Value& actual) {
    prefix_.push_back(static_cast<int64_t>(item));
    values(expected, actual);
    prefix_.pop_back();
  }

  const CompareRequest& request_;
  Comparison& comparison_;
  std::vector<int64_t> prefix_;
};

void describe(const Value& expected, Comparison& comparison) {
  if (expected.is_tensor()) {
    comparison.dtype = dtype_display_name(expected.tensor().dtype());
    comparison.shape = expected.tensor().shape().list();
    return;
  }
  if (!expected.exists()) return;
  comparison.dtype = expected.type().text();
  if (expected.is_sequence()) {
    comparison.shape = {static_cast<int64_t>(expected.sequence().items.size())};
  } else if (expected.is_map()) {
    comparison.shape = {static_cast<int64_t>(expected.map().size())};
  } else if (expected.is_sparse_tensor()) {
    comparison.shape = expected.sparse_tensor().shape.list();
  }
}

}  // namespace

ComparePolicies ComparePolicies::parse(const std::string& nan, const std::string& inf,
                                       const std::string& zero) {
  ComparePolicies policies;
  const auto pick = [](const std::string& option, const std::string& text, const char* plain,
                       const char* other, auto first, auto second) {
    std::optional<decltype(first)> policy;
    if (text.empty()) return policy;
    if (text != plain && text != other) {
      fail_usage("policy", option + "=" + text,
                 "wanted " + std::string(plain) + " or " + std::string(other));
    }
    policy = text == plain ? first : second;
    return policy;
  };
  policies.nan = pick("--nan", nan, "any", "bits", NanPolicy::kAny, NanPolicy::kBits);
  policies.inf =
      pick("--inf", inf, "equal", "finite-max", InfinityPolicy::kEqual, InfinityPolicy::kFiniteMax);
  policies.zero = pick("--zero", zero, "equal", "bits", ZeroPolicy::kEqual, ZeroPolicy::kBits);
  return policies;
}

std::string element_text(const Tensor& tensor, size_t element) {
  const DType dtype = tensor.dtype();
  if (dtype == DType::kString) return string_text(tensor.strings()[element]);
  if (is_complex(dtype)) return complex_text(tensor, element);
  const uint64_t code = tensor.code(element);
  if (dtype == DType::kBool)
    return code == 1 ? "true" : code == 0 ? "false" : "bool " + std::to_string(code);
  return is_float(dtype) ? float_text(float_format(dtype), code) : integer_text(dtype, code);
}

Comparison compare(const Value& expected, const Value& actual, const CompareRequest& request) {
  Comparison comparison;
  describe(expected, comparison);
  Walk(request, comparison).values(expected, actual);
  comparison.profile.close(comparison.elements);
  return comparison;
}

}  // namespace onnxv
