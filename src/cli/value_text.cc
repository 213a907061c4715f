#include "src/cli/value_text.h"

#include <array>

#include "src/number/rational.h"

namespace onnxv::cli {
namespace {

std::string quoted_text(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += {'\\', c};
    } else if (byte < 0x20 || byte == 0x7f) {
      quoted += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

std::string float_text(const Format& format, uint64_t code) {
  if (is_nan(format, code)) return "nan";
  if (is_infinity(format, code)) return decode(format, code) > 0 ? "inf" : "-inf";
  return shortest_decimal(format, code);
}

template <class Half>
std::string complex_text(const Tensor& tensor, size_t i, const Format& format) {
  const auto halves = tensor.as<std::array<Half, 2>>()[i];
  return "(" + float_text(format, halves[0]) + ", " + float_text(format, halves[1]) + ")";
}

std::string element_of(const Tensor& tensor, size_t i) {
  const DType dtype = tensor.dtype();
  if (tensor.is_string()) return quoted_text(tensor.strings()[i]);
  if (dtype == DType::kComplex64) return complex_text<uint32_t>(tensor, i, kFloat32);
  if (dtype == DType::kComplex128) return complex_text<uint64_t>(tensor, i, kFloat64);
  const uint64_t code = tensor.code(i);
  if (is_float(dtype)) return float_text(float_format(dtype), code);
  if (dtype == DType::kBool) return code != 0 ? "true" : "false";
  if (!is_signed_integer(dtype)) return std::to_string(code);
  return std::to_string(static_cast<int64_t>(decode_integer({dtype_bits(dtype), true}, code)));
}

// Elements in nested brackets, one pair for each axis; stops behind `most` elements.
class Brackets {
 public:
  Brackets(const Tensor& tensor, size_t most) : tensor_(tensor), most_(most) {}

  std::string text() {
    walk(0);
    if (cut_) text_ += " (" + std::to_string(tensor_.size()) + " elements)";
    return text_;
  }

 private:
  void walk(int64_t axis) {
    if (axis == tensor_.rank()) {
      text_ += element_of(tensor_, next_++);
      return;
    }
    text_ += "[";
    for (int64_t i = 0; i < tensor_.shape()[axis]; ++i) {
      if (i > 0) text_ += ", ";
      if (next_ >= most_ && tensor_.size() > most_) {
        text_ += "...";
        cut_ = true;
        break;
      }
      walk(axis + 1);
    }
    text_ += "]";
  }

  const Tensor& tensor_;
  size_t most_;
  size_t next_ = 0;
  bool cut_ = false;
  std::string text_;
};

std::string tensor_text(const Tensor& tensor, size_t most) {
  const std::string head =
      std::string(dtype_display_name(tensor.dtype())) + tensor.shape().text() + " ";
  if (tensor.size() == 0) return head + "[]";
  return head + Brackets(tensor, most).text();
}

std::string joined(const std::vector<Value>& values, size_t most) {
  std::string text;
  for (const Value& value : values) text += (text.empty() ? "" : "; ") + value_text(value, most);
  return text;
}

std::string map_text(const Map& map, size_t most) {
  std::string text;
  for (size_t i = 0; i < map.size(); ++i) {
    if (i > 0) text += "; ";
    text += map.key_type == DType::kString ? quoted_text(map.string_keys[i])
                                           : std::to_string(map.int_keys[i]);
    text += ": " + value_text(map.values[i], most);
  }
  return text;
}

}  // namespace

std::string value_text(const Value& value, size_t most) {
  if (!value.exists()) return "nothing";
  if (value.is_tensor()) return tensor_text(value.tensor(), most);
  const std::string type = value.type().text();
  if (value.is_sequence()) return type + " {" + joined(value.sequence().items, most) + "}";
  if (value.is_map()) return type + " {" + map_text(value.map(), most) + "}";
  if (value.is_sparse_tensor()) {
    const SparseTensor& sparse = value.sparse_tensor();
    return type + sparse.shape.text() + " values " + value_text(sparse.values, most) + " at " +
           value_text(sparse.indices, most);
  }
  const auto& held = value.optional().value;
  return type + " {" + (held == nullptr ? "" : value_text(*held, most)) + "}";
}

}  // namespace onnxv::cli
