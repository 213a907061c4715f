#include "src/model/npy.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "src/base/error.h"
#include "src/model/file.h"
#include "src/model/npy_header.h"
#include "src/model/unicode.h"

namespace onnxv {
namespace {

// Strings of width 0 take no bytes in the file, but memory in a tensor.
constexpr size_t kMostEmptyStrings = 1 << 20;

// The elements in row-major order, as the file has them otherwise.
std::string row_major(std::string_view data, const NpyHeader& header) {
  std::string out(data.size(), '\0');
  std::vector<int64_t> strides;  // of the file: the first axis runs fastest
  int64_t stride = 1;
  for (const int64_t dim : header.shape) {
    strides.push_back(stride);
    stride *= dim;
  }
  const size_t width = header.item_size;
  size_t to = 0;
  for (Odometer at(header.shape); at.more(); at.next(), to += width) {
    int64_t from = 0;
    for (size_t axis = 0; axis < strides.size(); ++axis) from += at.index()[axis] * strides[axis];
    std::memcpy(out.data() + to, data.data() + static_cast<size_t>(from) * width, width);
  }
  return out;
}

// Turns units of `width` bytes around.
void swap_bytes(std::span<std::byte> bytes, size_t width) {
  for (size_t i = 0; i < bytes.size(); i += width)
    std::reverse(bytes.begin() + static_cast<ptrdiff_t>(i),
                 bytes.begin() + static_cast<ptrdiff_t>(i + width));
}

// One element of a U array; NumPy fills up with zeros behind it.
std::string text_of_code_points(std::string_view units, bool big_endian) {
  std::vector<uint32_t> points;
  for (size_t i = 0; i < units.size(); i += 4) {
    uint32_t point = 0;
    for (size_t k = 0; k < 4; ++k)
      point = point << 8 | static_cast<unsigned char>(units[i + (big_endian ? k : 3 - k)]);
    points.push_back(point);
  }
  while (!points.empty() && points.back() == 0) points.pop_back();
  std::string text;
  for (const uint32_t point : points) {
    if (!append_utf8(point, text)) fail_model("npy", "a text holds something that is no character");
  }
  return text;
}

Tensor parse_strings(std::string_view data, const NpyHeader& header) {
  const int64_t count = header.shape.elements();
  const size_t width = header.item_size;
  std::vector<std::string> strings;
  strings.reserve(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) {
    std::string_view item = data.substr(static_cast<size_t>(i) * width, width);
    if (header.kind == 'U') {
      strings.push_back(text_of_code_points(item, header.big_endian));
      continue;
    }
    item = item.substr(0, item.find_last_not_of('\0') + 1);
    strings.emplace_back(item);
  }
  return Tensor(header.shape, std::move(strings));
}

Tensor parse_numbers(std::string_view data, const NpyHeader& header) {
  Tensor tensor(header.dtype(), header.shape);
  if (data.empty()) return tensor;
  const std::span<std::byte> bytes = tensor.mutable_bytes();
  std::memcpy(bytes.data(), data.data(), data.size());
  if (header.big_endian)
    swap_bytes(bytes, header.kind == 'c' ? header.item_size / 2 : header.item_size);
  if (header.kind == 'b') {
    for (const std::byte b : bytes) {
      if (static_cast<unsigned>(b) > 1) fail_model("npy", "a bool is neither 0 nor 1");
    }
  }
  return tensor;
}

std::string descr_of(DType dtype) {
  switch (dtype) {
    case DType::kBool: return "|b1";
    case DType::kInt8: return "|i1";
    case DType::kUint8: return "|u1";
    case DType::kInt16: return "<i2";
    case DType::kInt32: return "<i4";
    case DType::kInt64: return "<i8";
    case DType::kUint16: return "<u2";
    case DType::kUint32: return "<u4";
    case DType::kUint64: return "<u8";
    case DType::kFloat16: return "<f2";
    case DType::kFloat: return "<f4";
    case DType::kDouble: return "<f8";
    case DType::kComplex64: return "<c8";
    case DType::kComplex128: return "<c16";
    default: break;
  }
  fail_usage("npy-type", "NumPy has no type " + std::string(dtype_name(dtype)), "write it as .pb");
}

std::string serialize_strings(const Tensor& tensor) {
  std::vector<std::vector<uint32_t>> texts;
  size_t longest = 1;
  for (const std::string& text : tensor.strings()) {
    std::optional<std::vector<uint32_t>> points = code_points(text);
    if (!points || (!points->empty() && points->back() == 0))
      fail_usage("npy-type", "a string is no text that NumPy can hold", "write it as .pb");
    longest = std::max(longest, points->size());
    texts.push_back(std::move(*points));
  }
  std::string out = npy_header_text("<U" + std::to_string(longest), tensor.shape());
  for (std::vector<uint32_t>& points : texts) {
    points.resize(longest, 0);
    for (const uint32_t point : points) {
      for (int i = 0; i < 4; ++i) out += static_cast<char>(point >> (8 * i));
    }
  }
  return out;
}

}  // namespace

Tensor parse_npy(std::string_view bytes) {
  const NpyHeader header = parse_npy_header(bytes);
  const DType dtype = header.dtype();
  std::string_view data = bytes.substr(header.data_offset);
  size_t count = 1, needed = 0;
  for (const int64_t dim : header.shape) count *= static_cast<size_t>(dim);
  if (__builtin_mul_overflow(count, header.item_size, &needed) || needed != data.size())
    fail_model("npy", "it has " + std::to_string(data.size()) + " bytes of elements",
               "shape " + header.shape.text() + " of " + std::to_string(header.item_size) +
                   " bytes each needs another number");
  if (header.item_size == 0 && count > kMostEmptyStrings)
    fail_model("npy", std::to_string(count) + " strings of width 0", "are too many");
  std::string reordered;
  if (header.fortran_order && header.shape.rank() > 1) {
    reordered = row_major(data, header);
    data = reordered;
  }
  return dtype == DType::kString ? parse_strings(data, header) : parse_numbers(data, header);
}

Tensor read_npy(const std::string& path) {
  const std::shared_ptr<const MappedFile> file = MappedFile::open(path);
  try {
    return parse_npy(file->text());
  } catch (const Error& error) {
    throw error.at(path);
  }
}

std::string serialize_npy(const Tensor& tensor) {
  if (tensor.is_string()) return serialize_strings(tensor);
  std::string out = npy_header_text(descr_of(tensor.dtype()), tensor.shape());
  const std::span<const std::byte> bytes = tensor.bytes();
  out.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return out;
}

void write_npy(const Tensor& tensor, const std::string& path) {
  write_file(path, serialize_npy(tensor));
}

}  // namespace onnxv
