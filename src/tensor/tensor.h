// Tensor: element type, shape, and immutable shared bytes.
//
// Numbers are stored as TensorProto's raw_data stores them: little-endian, row-major, sub-byte types
// packed low bits first as one bit stream (2, 4 and 6 bits alike). A copy shares the bytes; mutable access
// copies them first when they are shared (copy on write).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "src/number/bound.h"
#include "src/tensor/dtype.h"
#include "src/tensor/shape.h"

namespace onnxv {

class Tensor {
 public:
  // A float tensor of shape [0].
  Tensor();
  // All zero bits; strings empty. Errors: kLimit where the size overflows or exceeds the memory limit.
  Tensor(DType dtype, Shape shape);
  // The same without the zeros, for results whose every byte is about to be written: what memory held stands in it. (Strings
  // are empty, and types below a byte are zero: their last byte may have bits of no element.)
  static Tensor unfilled(DType dtype, Shape shape);
  // Takes ownership of bytes that live elsewhere (a memory map) as long as `owner` lives.
  Tensor(DType dtype, Shape shape, std::shared_ptr<const void> owner, const std::byte* bytes);
  // Strings, one for each element of `shape`.
  Tensor(Shape shape, std::vector<std::string> strings);

  template <class T>
  static Tensor of(DType dtype, Shape shape, std::span<const T> values) {
    Tensor tensor = unfilled(dtype, std::move(shape));
    tensor.assign(values.data(), values.size_bytes());
    return tensor;
  }
  // Rank 0 and 1 tensors for shapes, counts and indices.
  static Tensor int64_scalar(int64_t value);
  static Tensor int64_list(std::span<const int64_t> values);
  static Tensor bool_scalar(bool value);
  static Tensor float_scalar(float value);

  DType dtype() const { return dtype_; }
  const Shape& shape() const { return shape_; }
  int64_t rank() const { return shape_.rank(); }
  // Number of elements.
  size_t size() const { return size_; }
  bool is_string() const { return dtype_ == DType::kString; }

  // Packed bytes: storage_bytes(dtype, size()) many. Not for strings.
  std::span<const std::byte> bytes() const { return {data_, byte_size_}; }
  std::span<std::byte> mutable_bytes();

  // Elements of whole-byte types; sizeof(T) must be the element's width (16-bit floats as uint16_t,
  // float8 and bool as uint8_t, complex as arrays of two reals: use T = std::array<float, 2>).
  template <class T>
  std::span<const T> as() const {
    check_width(sizeof(T));
    return {reinterpret_cast<const T*>(data_), size_};
  }
  template <class T>
  std::span<T> mutable_as() {
    check_width(sizeof(T));
    return {reinterpret_cast<T*>(mutable_bytes().data()), size_};
  }

  const std::vector<std::string>& strings() const;
  std::vector<std::string>& mutable_strings();

  // The bit pattern of one element, in the low bits; for types up to 64 bits. Slow for whole tensors.
  uint64_t code(size_t element) const;
  void set_code(size_t element, uint64_t code);

  // Within a ToleranceScope: what an honest backend may have in place of each element. Null: the same bits. They follow the
  // elements wherever the functions of src/tensor move them.
  const std::vector<Bound>* bounds() const { return bounds_.get(); }
  std::vector<Bound>& mutable_bounds();  // as many as elements
  void drop_bounds() { bounds_ = nullptr; }

  // The same elements under another shape of as many elements (internal error otherwise). Shares bytes.
  Tensor reshaped(Shape shape) const;
  // The same bytes under another type of the same element width.
  Tensor retyped(DType dtype) const;

 private:
  enum class Fill { kZeros, kNothing };
  Tensor(DType dtype, Shape shape, Fill fill);
  void check_width(size_t width) const {
    if (width * 8 != static_cast<size_t>(dtype_bits(dtype_))) fail_width(width);
  }
  [[noreturn]] void fail_width(size_t width) const;
  void assign(const void* bytes, size_t size);

  DType dtype_;
  Shape shape_;
  size_t size_ = 0;
  size_t byte_size_ = 0;
  std::shared_ptr<const void> owner_;  // keeps data_ alive
  const std::byte* data_ = nullptr;
  bool writable_ = false;  // data_ came from us, not from a map or a foreign buffer
  std::shared_ptr<std::vector<std::string>> strings_;
  std::shared_ptr<std::vector<Bound>> bounds_;
};

// Bytes of `elements` packed elements. kLimit error on overflow.
size_t storage_bytes(DType dtype, size_t elements);

// Upper bound in bytes for a single tensor; 0: none. Set from --memory at start-up.
void set_tensor_memory_limit(size_t bytes);

// True when both have the same type, shape and bits (strings: bytes).
bool same_bits(const Tensor& a, const Tensor& b);

}  // namespace onnxv
