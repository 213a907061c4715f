#include "src/model/npy_header.h"

#include <charconv>

#include "src/base/error.h"

namespace onnxv {
namespace {

constexpr std::string_view kMagic("\x93NUMPY", 6);

// Reads the part of Python's literal syntax that NumPy writes.
class Literal {
 public:
  explicit Literal(std::string_view text) : text_(text) {}

  bool take(char c) {
    skip_space();
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!take(c)) fail_model("npy", std::string("the header lacks a '") + c + "'");
  }
  std::string_view quoted() {
    skip_space();
    const char quote = text_.empty() ? '\0' : text_.front();
    if (quote != '\'' && quote != '"')
      fail_model("npy", "the header has no plain element type",
                 "structured and object arrays are not read");
    const size_t end = text_.find(quote, 1);
    if (end == std::string_view::npos) fail_model("npy", "the header ends inside a text");
    const std::string_view inside = text_.substr(1, end - 1);
    text_.remove_prefix(end + 1);
    return inside;
  }
  bool boolean() {
    skip_space();
    const bool value = text_.starts_with("True");
    if (!value && !text_.starts_with("False"))
      fail_model("npy", "fortran_order is neither True nor False");
    text_.remove_prefix(value ? 4 : 5);
    return value;
  }
  Shape tuple() {
    Shape shape;
    expect('(');
    while (!take(')')) {
      shape.push_back(number());
      if (!take(',')) {
        expect(')');
        break;
      }
    }
    return shape;
  }
  bool at_end() {
    skip_space();
    return text_.empty();
  }

 private:
  void skip_space() {
    const size_t first = text_.find_first_not_of(" \t\r\n");
    text_.remove_prefix(first == std::string_view::npos ? text_.size() : first);
  }
  int64_t number() {
    skip_space();
    int64_t value = 0;
    const auto [stop, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    if (error != std::errc() || value < 0)
      fail_model("npy", "the shape in the header is no tuple of sizes");
    text_.remove_prefix(static_cast<size_t>(stop - text_.data()));
    if (text_.starts_with('L')) text_.remove_prefix(1);  // a long of Python 2
    return value;
  }

  std::string_view text_;
};

void read_descr(std::string_view descr, NpyHeader& header) {
  const std::string shown = "element type '" + std::string(descr) + "'";
  if (descr.size() >= 2 && descr[1] == 'O')
    fail_model("npy", "it holds Python objects",
               "strings are read as U or S, other values from .pb");
  if (descr.size() < 3 || std::string_view("<>|=").find(descr[0]) == std::string_view::npos)
    fail_model("npy", shown, "is not known");
  header.big_endian = descr[0] == '>';
  header.kind = descr[1];
  size_t count = 0;
  const char* end = descr.data() + descr.size();
  const auto [stop, error] = std::from_chars(descr.data() + 2, end, count);
  if (error != std::errc() || stop != end || count > SIZE_MAX / 4)
    fail_model("npy", shown, "is not known");
  header.item_size = header.kind == 'U' ? 4 * count : count;
  if (header.kind == 'V')
    fail_model("npy", shown + " is raw bytes", "types that NumPy lacks are read from .pb");
}

void check_product(const Shape& shape) {
  int64_t product = 1;
  for (const int64_t dim : shape) {
    if (dim != 0 && __builtin_mul_overflow(product, dim, &product))
      fail_model("npy", "the product of its dimensions exceeds 2^63");
  }
}

size_t little_endian(std::string_view bytes) {
  size_t value = 0;
  for (size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

}  // namespace

DType NpyHeader::dtype() const {
  struct Row {
    char kind;
    size_t size;
    DType dtype;
  };
  static constexpr Row kRows[] = {
      {'b', 1, DType::kBool},      {'i', 1, DType::kInt8},       {'i', 2, DType::kInt16},
      {'i', 4, DType::kInt32},     {'i', 8, DType::kInt64},      {'u', 1, DType::kUint8},
      {'u', 2, DType::kUint16},    {'u', 4, DType::kUint32},     {'u', 8, DType::kUint64},
      {'f', 2, DType::kFloat16},   {'f', 4, DType::kFloat},      {'f', 8, DType::kDouble},
      {'c', 8, DType::kComplex64}, {'c', 16, DType::kComplex128}};
  if (kind == 'U' || kind == 'S') return DType::kString;
  for (const Row& row : kRows) {
    if (row.kind == kind && row.size == item_size) return row.dtype;
  }
  fail_model("npy", std::string("element type '") + kind + std::to_string(item_size) + "'",
             "is no type of ONNX");
}

NpyHeader parse_npy_header(std::string_view bytes) {
  if (!bytes.starts_with(kMagic) || bytes.size() < 10) fail_model("npy", "it is no .npy file");
  const int major = static_cast<unsigned char>(bytes[6]);
  if (major < 1 || major > 3)
    fail_model("npy", "its version is " + std::to_string(major), "must be 1 to 3");
  const size_t length_size = major == 1 ? 2 : 4;
  if (bytes.size() < 8 + length_size) fail_model("npy", "it ends inside its header");
  const size_t length = little_endian(bytes.substr(8, length_size));
  NpyHeader header;
  header.data_offset = 8 + length_size + length;
  if (bytes.size() < header.data_offset) fail_model("npy", "it ends inside its header");
  Literal literal(bytes.substr(8 + length_size, length));
  bool descr = false, order = false, shape = false;
  literal.expect('{');
  while (!literal.take('}')) {
    const std::string_view key = literal.quoted();
    literal.expect(':');
    if (key == "descr") {
      read_descr(literal.quoted(), header);
      descr = true;
    } else if (key == "fortran_order") {
      header.fortran_order = literal.boolean();
      order = true;
    } else if (key == "shape") {
      header.shape = literal.tuple();
      shape = true;
    } else {
      fail_model("npy", "the header has a key '" + std::string(key) + "'");
    }
    if (literal.take(',')) continue;
    literal.expect('}');
    break;
  }
  if (!descr || !order || !shape || !literal.at_end())
    fail_model("npy", "the header is no dictionary of descr, fortran_order and shape");
  check_product(header.shape);
  return header;
}

std::string npy_header_text(std::string_view descr, const Shape& shape) {
  std::string tuple = "(";
  for (int64_t axis = 0; axis < shape.rank(); ++axis) {
    if (axis != 0) tuple += ", ";
    tuple += std::to_string(shape[axis]);
  }
  tuple += shape.rank() == 1 ? ",)" : ")";
  std::string dictionary =
      "{'descr': '" + std::string(descr) + "', 'fortran_order': False, 'shape': " + tuple + ", }";
  // NumPy pads so that the elements start at a multiple of 64; version 2 where 16 bits cannot hold
  // the length.
  const size_t prefix = dictionary.size() + 1 + 10 + 64 > UINT16_MAX ? 12 : 10;
  dictionary.append((64 - (prefix + dictionary.size() + 1) % 64) % 64, ' ');
  dictionary += '\n';
  std::string text(kMagic);
  text += prefix == 10 ? '\x01' : '\x02';
  text += '\0';
  for (size_t i = 0; i < prefix - 8; ++i) text += static_cast<char>(dictionary.size() >> (8 * i));
  return text + dictionary;
}

}  // namespace onnxv
