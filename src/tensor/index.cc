#include "src/tensor/index.h"

#include <algorithm>
#include <array>
#include <type_traits>

#include "src/base/checked.h"
#include "src/base/parallel.h"
#include "src/number/format.h"
#include "src/tensor/packed.h"
#include "src/tensor/transpose.h"

namespace onnxv {
namespace {

struct Bytes16 {
  std::array<uint64_t, 2> halves;
};

// Calls work with a value-initialised element of the tensor's width: uint8_t to Bytes16, or
// std::string.
template <class Work>
auto with_element_type(const Tensor& tensor, const Work& work) {
  if (tensor.is_string()) return work(std::string());
  switch (dtype_bits(tensor.dtype())) {
    case 8: return work(uint8_t());
    case 16: return work(uint16_t());
    case 32: return work(uint32_t());
    case 64: return work(uint64_t());
    case 128: return work(Bytes16());
    default: break;
  }
  fail_internal("element-width", std::string(dtype_name(tensor.dtype())) + " has no whole bytes");
}

template <class T>
std::span<const T> elements_of(const Tensor& tensor) {
  if constexpr (std::is_same_v<T, std::string>) {
    return tensor.strings();
  } else {
    return tensor.as<T>();
  }
}

template <class T>
std::span<T> mutable_elements_of(Tensor& tensor) {
  if constexpr (std::is_same_v<T, std::string>) {
    return tensor.mutable_strings();
  } else {
    return tensor.mutable_as<T>();
  }
}

bool is_sub_byte(const Tensor& tensor) {
  return !tensor.is_string() && dtype_bits(tensor.dtype()) < 8;
}

// Moves sub-byte elements as bytes: unpacked, moved by `work`, packed again.
template <class Work>
Tensor moved_as_bytes(const Tensor& data, const Work& work) {
  const std::vector<uint8_t> codes = unpacked_codes(data);
  const Tensor bytes = Tensor::of<uint8_t>(DType::kUint8, data.shape(), codes);
  const Tensor moved = work(bytes);
  return packed_tensor(data.dtype(), moved.shape(), moved.as<uint8_t>());
}

template <class T>
void gather_block(std::span<const T> data, std::span<const int64_t> source, const T& fill, T* out) {
  // Below this length a call of memmove costs more than the elements.
  constexpr size_t kShort = 8;
  for (size_t i = 0; i < source.size();) {
    if (source[i] < 0) {
      out[i++] = fill;
      continue;
    }
    size_t run = 1;
    while (i + run < source.size() && source[i + run] == source[i] + static_cast<int64_t>(run))
      ++run;
    const T* from = data.data() + source[i];
    if (run < kShort) {
      for (size_t k = 0; k < run; ++k) out[i + k] = from[k];
    } else {
      std::copy(from, from + run, out + i);
    }
    i += run;
  }
}

void check_sources(std::span<const int64_t> source, size_t size) {
  bool inside = true;
  for (const int64_t position : source) inside &= static_cast<uint64_t>(position + 1) <= size;
  if (!inside) fail_internal("gather-source", "a source position is outside the data");
}

// A strided view with axes of length 1 dropped and axes joined that step alike.
struct View {
  std::vector<int64_t> dims;
  std::vector<int64_t> strides;
};

View joined_view(const Shape& shape, std::span<const int64_t> strides) {
  View view;
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    const int64_t dim = shape.dims()[axis];
    if (dim == 1) continue;
    if (!view.dims.empty() && view.strides.back() == strides[axis] * dim) {
      view.dims.back() *= dim;
      view.strides.back() = strides[axis];
    } else {
      view.dims.push_back(dim);
      view.strides.push_back(strides[axis]);
    }
  }
  if (view.dims.empty()) view = {.dims = {1}, .strides = {1}};
  return view;
}

void check_view(const Shape& shape, int64_t offset, std::span<const int64_t> strides, size_t size) {
  int64_t lowest = offset, highest = offset;
  if (strides.size() != shape.size()) fail_internal("strides", "one stride is needed per axis");
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    const int64_t span = checked_multiply(shape.dims()[axis] - 1, strides[axis]);
    (span < 0 ? lowest : highest) = checked_add(span < 0 ? lowest : highest, span);
  }
  if (lowest < 0 || static_cast<uint64_t>(highest) >= size) {
    fail_internal("strides", "a strided view leaves its data");
  }
}

template <class T>
void copy_line(const T* from, int64_t stride, int64_t count, T* out) {
  if (stride == 1) {
    std::copy(from, from + count, out);
  } else if (stride == 0) {
    std::fill(out, out + count, *from);
  } else {
    for (int64_t i = 0; i < count; ++i) out[i] = from[i * stride];
  }
}

// Two axes of a view, the innermost one among them; `across`: how far apart the rows are in the output.
struct Plane {
  int64_t rows, columns;
  int64_t down, right, across;
};

// Where neither axis has its elements side by side, small squares keep the cache lines of both sides in use.
template <class T>
void copy_squares(const T* from, const Plane& plane, T* out) {
  constexpr int64_t kSquare = 16;
  for (int64_t r0 = 0; r0 < plane.rows; r0 += kSquare) {
    const int64_t r1 = std::min(plane.rows, r0 + kSquare);
    for (int64_t c0 = 0; c0 < plane.columns; c0 += kSquare) {
      const int64_t width = std::min(plane.columns - c0, kSquare);
      for (int64_t r = r0; r < r1; ++r) {
        copy_line(from + r * plane.down + c0 * plane.right, plane.right, width, out + r * plane.across + c0);
      }
    }
  }
}

template <class T>
void copy_plane(const T* from, const Plane& plane, T* out) {
  if (plane.right == 0 || plane.right == 1) {
    for (int64_t r = 0; r < plane.rows; ++r)
      copy_line(from + r * plane.down, plane.right, plane.columns, out + r * plane.across);
    return;
  }
  if constexpr (std::is_unsigned_v<T>) {
    if (plane.down == 1 && plane.right > 0) {
      return transpose_plane(from, static_cast<size_t>(plane.right), out, static_cast<size_t>(plane.across),
                             static_cast<size_t>(plane.rows), static_cast<size_t>(plane.columns));
    }
  }
  copy_squares(from, plane, out);
}

// The axis that makes a plane with the innermost one: where that one strides, the axis that does not.
size_t other_axis(const View& view) {
  const size_t inner = view.dims.size() - 1;
  const auto contiguous = std::find(view.strides.begin(), view.strides.end(), 1);
  return contiguous == view.strides.end() || *contiguous == view.strides[inner]
             ? inner - 1
             : static_cast<size_t>(contiguous - view.strides.begin());
}

template <class T>
void copy_view(const T* from, const View& view, T* out) {
  const size_t rank = view.dims.size(), inner = rank - 1;
  if (rank == 1) return copy_line(from, view.strides[0], view.dims[0], out);
  const size_t other = other_axis(view);
  const std::vector<int64_t> out_strides = strides_of(Shape(view.dims));
  Shape rest(view.dims);
  rest[static_cast<int64_t>(other)] = rest[static_cast<int64_t>(inner)] = 1;
  const Plane plane{view.dims[other], view.dims[inner], view.strides[other], view.strides[inner], out_strides[other]};
  for (Odometer at(rest); at.more(); at.next()) {
    int64_t position = 0, to = 0;
    for (size_t axis = 0; axis < inner; ++axis) {
      position += at.index()[axis] * view.strides[axis];
      to += at.index()[axis] * out_strides[axis];
    }
    copy_plane(from + position, plane, out + to);
  }
}

void copy_packed(const Tensor& data, size_t from, size_t count, Tensor& target, size_t to) {
  const int bits = dtype_bits(data.dtype());
  const std::byte* source = data.bytes().data();
  std::byte* out = target.mutable_bytes().data();
  size_t done = 0;
  // Every four elements fill whole bytes in all packed types (2, 4, 6 bits).
  if (from % 4 == 0 && to % 4 == 0) {
    done = count / 4 * 4;
    const size_t width = static_cast<size_t>(bits);
    if (done != 0) std::memmove(out + to * width / 8, source + from * width / 8, done * width / 8);
  }
  for (; done < count; ++done)
    write_code(out, bits, to + done, read_code(source, bits, from + done));
}

// Elements of a whole-byte or sub-byte integer type, wide enough for uint64.
int128 integer_at(const Tensor& tensor, size_t element) {
  const DType dtype = tensor.dtype();
  return decode_integer({dtype_bits(dtype), is_signed_integer(dtype)}, tensor.code(element));
}

std::string description(const Tensor& tensor) {
  return std::string(dtype_name(tensor.dtype())) + tensor.shape().text();
}

// Bounds follow their elements: positions are moved as the elements were, -1 for a fill.
void take_bounds(const Tensor& data, Tensor& out, std::span<const int64_t> source) {
  std::vector<Bound>& bounds = out.mutable_bounds();
  for (size_t i = 0; i < source.size(); ++i) {
    if (source[i] >= 0) bounds[i] = (*data.bounds())[static_cast<size_t>(source[i])];
  }
}

void take_bounds(const Tensor& data, Tensor& out, int64_t offset, std::span<const int64_t> strides) {
  std::vector<int64_t> source;
  source.reserve(out.size());
  for (Odometer at(out.shape()); at.more(); at.next()) {
    int64_t position = offset;
    for (size_t axis = 0; axis < strides.size(); ++axis) position += at.index()[axis] * strides[axis];
    source.push_back(position);
  }
  take_bounds(data, out, source);
}

void check_one_element(const Tensor& tensor, std::string_view name) {
  if (tensor.size() != 1) {
    fail_schema("not-one-element", std::string(name) + " is " + description(tensor),
                "must have one element");
  }
}

}  // namespace

Tensor gather_elements(const Tensor& data, Shape shape, std::span<const int64_t> source,
                       const Tensor* fill) {
  if (fill != nullptr && (fill->dtype() != data.dtype() || fill->size() != 1)) {
    fail_internal("gather-fill", description(*fill) + " for data of " + description(data));
  }
  if (is_sub_byte(data)) {
    Tensor moved = moved_as_bytes(data, [&](const Tensor& bytes) {
      Tensor byte(DType::kUint8, Shape{});
      if (fill != nullptr) byte.set_code(0, fill->code(0));
      return gather_elements(bytes, shape, source, &byte);
    });
    if (data.bounds() != nullptr) take_bounds(data, moved, source);
    return moved;
  }
  Tensor out = Tensor::unfilled(data.dtype(), std::move(shape));
  if (source.size() != out.size()) {
    fail_internal("gather-source",
                  std::to_string(source.size()) + " sources for shape " + out.shape().text());
  }
  check_sources(source, data.size());
  with_element_type(data, [&]<class T>(T blank) {
    const std::span<const T> from = elements_of<T>(data);
    const std::span<T> to = mutable_elements_of<T>(out);
    if (fill != nullptr) blank = elements_of<T>(*fill)[0];
    parallel_for(source.size(), size_t{1} << 16, [&](size_t begin, size_t end) {
      gather_block<T>(from, source.subspan(begin, end - begin), blank, to.data() + begin);
    });
  });
  if (data.bounds() != nullptr) take_bounds(data, out, source);
  return out;
}

Tensor strided_copy(const Tensor& data, Shape shape, int64_t offset,
                    std::span<const int64_t> strides) {
  if (is_sub_byte(data)) {
    Tensor moved = moved_as_bytes(
        data, [&](const Tensor& bytes) { return strided_copy(bytes, shape, offset, strides); });
    if (data.bounds() != nullptr && moved.size() != 0) take_bounds(data, moved, offset, strides);
    return moved;
  }
  Tensor out = Tensor::unfilled(data.dtype(), std::move(shape));
  if (out.size() == 0) return out;
  check_view(out.shape(), offset, strides, data.size());
  const View view = joined_view(out.shape(), strides);
  with_element_type(data, [&]<class T>(T) {
    copy_view<T>(elements_of<T>(data).data() + offset, view, mutable_elements_of<T>(out).data());
  });
  if (data.bounds() != nullptr) take_bounds(data, out, offset, strides);
  return out;
}

void copy_elements(const Tensor& data, size_t from, size_t count, Tensor& target, size_t to) {
  if (data.dtype() != target.dtype() || from > data.size() || count > data.size() - from ||
      to > target.size() || count > target.size() - to) {
    fail_internal("copy-elements", std::to_string(count) + " elements of " + description(data) +
                                       " into " + description(target));
  }
  if (count == 0) return;
  if (data.bounds() != nullptr || target.bounds() != nullptr) {
    std::vector<Bound>& bounds = target.mutable_bounds();
    for (size_t i = 0; i < count; ++i) bounds[to + i] = data.bounds() != nullptr ? (*data.bounds())[from + i] : Bound();
  }
  if (is_sub_byte(data)) return copy_packed(data, from, count, target, to);
  with_element_type(data, [&]<class T>(T) {
    const std::span<T> out = mutable_elements_of<T>(target);
    const std::span<const T> in = elements_of<T>(data).subspan(from, count);
    std::copy(in.begin(), in.end(), out.begin() + static_cast<std::ptrdiff_t>(to));
  });
}

Tensor broadcast_to(const Tensor& tensor, const Shape& shape) {
  if (tensor.shape() == shape) return tensor;
  if (!broadcasts_to(tensor.shape(), shape)) {
    fail_schema("shape-mismatch", "shape " + tensor.shape().text(),
                "must broadcast to " + shape.text());
  }
  return strided_copy(tensor, shape, 0, broadcast_strides(tensor.shape(), shape));
}

std::vector<int64_t> int64_values(const Tensor& tensor) {
  if (!is_integer(tensor.dtype())) {
    fail_schema("type-mismatch", "a tensor of " + std::string(dtype_name(tensor.dtype())),
                "must hold integers");
  }
  if (tensor.dtype() == DType::kInt64) {
    const std::span<const int64_t> values = tensor.as<int64_t>();
    return {values.begin(), values.end()};
  }
  std::vector<int64_t> values(tensor.size());
  for (size_t i = 0; i < values.size(); ++i) {
    const int128 value = integer_at(tensor, i);
    if (value > INT64_MAX)
      fail_schema("type-mismatch", "a uint64 above 2^63 - 1", "must fit int64");
    values[i] = static_cast<int64_t>(value);
  }
  return values;
}

int64_t int64_value(const Tensor& tensor, std::string_view name) {
  check_one_element(tensor, name);
  return int64_values(tensor)[0];
}

std::vector<double> double_values(const Tensor& tensor) {
  const DType dtype = tensor.dtype();
  std::vector<double> values(tensor.size());
  if (is_float(dtype)) {
    if (dtype_bits(dtype) < 8) {
      decode_many(float_format(dtype), unpacked_codes(tensor).data(), values.size(), values.data());
    } else {
      decode_many(float_format(dtype), tensor.bytes().data(), values.size(), values.data());
    }
    return values;
  }
  const bool exact = dtype == DType::kBool || (is_integer(dtype) && dtype_bits(dtype) <= 32);
  if (!exact) {
    fail_schema("type-mismatch", "a tensor of " + std::string(dtype_name(dtype)),
                "must hold numbers that a double holds");
  }
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = dtype == DType::kBool
                    ? (tensor.code(i) != 0 ? 1.0 : 0.0)
                    : static_cast<double>(static_cast<int64_t>(integer_at(tensor, i)));
  }
  return values;
}

double double_value(const Tensor& tensor, std::string_view name) {
  check_one_element(tensor, name);
  return double_values(tensor)[0];
}

bool bool_value(const Tensor& tensor, std::string_view name) {
  check_one_element(tensor, name);
  if (tensor.dtype() != DType::kBool) {
    fail_schema("type-mismatch", std::string(name) + " is " + description(tensor), "must be bool");
  }
  return tensor.code(0) != 0;
}

}  // namespace onnxv
