#include "src/tensor/tensor.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

#include "src/base/error.h"
#include "src/base/int128.h"
#include "src/tensor/packed.h"

namespace onnxv {
namespace {

std::atomic<size_t> g_memory_limit{0};

void check_memory_limit(size_t bytes) {
  const size_t limit = g_memory_limit;
  if (limit != 0 && bytes > limit) {
    fail_limit("memory", "a tensor needs " + std::to_string(bytes) + " bytes",
               "the limit is " + std::to_string(limit));
  }
}

[[noreturn]] void fail_memory(size_t bytes) {
  fail_limit("memory", "no memory for " + std::to_string(bytes) + " bytes");
}

// Memory and the counter of its owners in one piece.
struct alignas(16) Chunk {
  std::byte bytes[16];
};

// MALLOC_PERTURB_ is how the C library is asked to show who reads what nobody wrote; its caches of small pieces do not heed
// it, so it is done here.
int perturbation() {
  static const int pattern = [] {
    const char* text = std::getenv("MALLOC_PERTURB_");
    return text == nullptr ? 0 : std::atoi(text);
  }();
  return pattern;
}

std::shared_ptr<const void> unfilled_memory(size_t bytes) {
  if (bytes == 0) return nullptr;
  try {
    std::shared_ptr<Chunk[]> memory = std::make_shared_for_overwrite<Chunk[]>((bytes - 1) / sizeof(Chunk) + 1);
    if (perturbation() != 0) std::memset(memory.get(), perturbation(), bytes);
    const Chunk* first = memory.get();
    return {std::move(memory), first};
  } catch (const std::bad_alloc&) {
    fail_memory(bytes);
  }
}

// calloc hands out fresh pages as they are: a large tensor costs nothing before it is written.
std::shared_ptr<const void> zeroed_memory(size_t bytes) {
  constexpr size_t kLarge = size_t{1} << 16;
  if (bytes < kLarge) {
    std::shared_ptr<const void> memory = unfilled_memory(bytes);
    if (bytes != 0) std::memset(const_cast<void*>(memory.get()), 0, bytes);
    return memory;
  }
  void* memory = std::calloc(bytes, 1);
  if (memory == nullptr) fail_memory(bytes);
  return {memory, [](const void* pointer) { std::free(const_cast<void*>(pointer)); }};
}

// The elements of a tensor of `dtype` and `shape`, its memory checked before anything is allocated.
size_t checked_elements(DType dtype, const Shape& shape) {
  for (const int64_t dim : shape) {
    if (dim < 0) fail_internal("negative-dimension", "shape " + shape.text());
  }
  const size_t elements = static_cast<size_t>(shape.elements());
  check_memory_limit(dtype == DType::kString ? storage_bytes(DType::kComplex128, elements) * 2
                                             : storage_bytes(dtype, elements));
  return elements;
}

static_assert(sizeof(std::string) == 2 * 16, "the bytes that checked_elements counts for a string");

}  // namespace

size_t storage_bytes(DType dtype, size_t elements) {
  const uint128 bits = static_cast<uint128>(elements) * static_cast<unsigned>(dtype_bits(dtype));
  const uint128 bytes = (bits + 7) / 8;
  // Half of the range, so that twice the result and differences of positions fit as well.
  if (bytes > (SIZE_MAX >> 2)) {
    fail_limit("size-overflow", std::to_string(elements) + " elements of " +
                                    std::string(dtype_name(dtype)) + " are too many bytes");
  }
  return static_cast<size_t>(bytes);
}

void set_tensor_memory_limit(size_t bytes) { g_memory_limit = bytes; }

Tensor::Tensor() : dtype_(DType::kFloat), shape_{0} {}

Tensor::Tensor(DType dtype, Shape shape) : Tensor(dtype, std::move(shape), Fill::kZeros) {}

Tensor Tensor::unfilled(DType dtype, Shape shape) {
  const int bits = dtype_bits(dtype);
  return {dtype, std::move(shape), bits < 8 ? Fill::kZeros : Fill::kNothing};
}

Tensor::Tensor(DType dtype, Shape shape, Fill fill) : dtype_(dtype), shape_(std::move(shape)) {
  size_ = checked_elements(dtype_, shape_);
  if (is_string()) {
    strings_ = std::make_shared<std::vector<std::string>>(size_);
    return;
  }
  byte_size_ = storage_bytes(dtype_, size_);
  owner_ = fill == Fill::kZeros ? zeroed_memory(byte_size_) : unfilled_memory(byte_size_);
  data_ = static_cast<const std::byte*>(owner_.get());
  writable_ = true;
}

Tensor::Tensor(DType dtype, Shape shape, std::shared_ptr<const void> owner, const std::byte* bytes)
    : dtype_(dtype), shape_(std::move(shape)), owner_(std::move(owner)), data_(bytes) {
  if (is_string()) fail_internal("foreign-strings", "a string tensor cannot live in foreign bytes");
  size_ = checked_elements(dtype_, shape_);
  byte_size_ = storage_bytes(dtype_, size_);
  // A file may place data at any byte; `as` hands out typed pointers, which must be aligned.
  const size_t width = static_cast<size_t>(std::min(dtype_bits(dtype_), 64)) / 8;
  if (width > 1 && reinterpret_cast<uintptr_t>(bytes) % width != 0) mutable_bytes();
}

Tensor::Tensor(Shape shape, std::vector<std::string> strings)
    : dtype_(DType::kString), shape_(std::move(shape)) {
  size_ = checked_elements(dtype_, shape_);
  if (strings.size() != size_) {
    fail_internal("element-count",
                  std::to_string(strings.size()) + " strings for shape " + shape_.text());
  }
  strings_ = std::make_shared<std::vector<std::string>>(std::move(strings));
}

Tensor Tensor::int64_scalar(int64_t value) {
  return of<int64_t>(DType::kInt64, Shape{}, std::span(&value, 1));
}
Tensor Tensor::int64_list(std::span<const int64_t> values) {
  return of<int64_t>(DType::kInt64, Shape{static_cast<int64_t>(values.size())}, values);
}
Tensor Tensor::bool_scalar(bool value) {
  const uint8_t code = value ? 1 : 0;
  return of<uint8_t>(DType::kBool, Shape{}, std::span(&code, 1));
}
Tensor Tensor::float_scalar(float value) {
  return of<float>(DType::kFloat, Shape{}, std::span<const float>(&value, 1));
}

std::span<std::byte> Tensor::mutable_bytes() {
  if (is_string()) fail_internal("element-width", "a string tensor has no bytes");
  // A zero-size tensor has no owner and nothing to copy.
  if (byte_size_ != 0 && (!writable_ || owner_.use_count() != 1)) {
    std::shared_ptr<const void> copy = unfilled_memory(byte_size_);
    std::memcpy(const_cast<void*>(copy.get()), data_, byte_size_);
    owner_ = std::move(copy);
    data_ = static_cast<const std::byte*>(owner_.get());
    writable_ = true;
  }
  return {const_cast<std::byte*>(data_), byte_size_};
}

const std::vector<std::string>& Tensor::strings() const {
  if (!is_string()) fail_internal("no-strings", "tensor of " + std::string(dtype_name(dtype_)));
  return *strings_;
}

std::vector<std::string>& Tensor::mutable_strings() {
  strings();
  if (strings_.use_count() != 1) strings_ = std::make_shared<std::vector<std::string>>(*strings_);
  return *strings_;
}

// A complex element has two: of its real and of its imaginary part.
std::vector<Bound>& Tensor::mutable_bounds() {
  if (bounds_ == nullptr) {
    bounds_ = std::make_shared<std::vector<Bound>>(is_complex(dtype_) ? 2 * size_ : size_);
  } else if (bounds_.use_count() != 1) {
    bounds_ = std::make_shared<std::vector<Bound>>(*bounds_);
  }
  return *bounds_;
}

uint64_t Tensor::code(size_t element) const {
  const int bits = dtype_bits(dtype_);
  if (element >= size_ || bits == 0 || bits > 64) {
    fail_internal("element", "element " + std::to_string(element) + " of " +
                                 std::string(dtype_name(dtype_)) + shape_.text());
  }
  if (bits < 8) return read_code(data_, bits, element);
  const size_t width = static_cast<size_t>(bits) / 8;
  uint64_t code = 0;
  std::memcpy(&code, data_ + element * width, width);
  return code;
}

void Tensor::set_code(size_t element, uint64_t code) {
  const int bits = dtype_bits(dtype_);
  if (element >= size_ || bits == 0 || bits > 64) {
    fail_internal("element", "element " + std::to_string(element) + " of " +
                                 std::string(dtype_name(dtype_)) + shape_.text());
  }
  std::byte* bytes = mutable_bytes().data();
  if (bits < 8) return write_code(bytes, bits, element, static_cast<uint8_t>(code));
  const size_t width = static_cast<size_t>(bits) / 8;
  std::memcpy(bytes + element * width, &code, width);
}

Tensor Tensor::reshaped(Shape shape) const {
  Tensor other = *this;
  other.shape_ = std::move(shape);
  if (static_cast<size_t>(other.shape_.elements()) != size_) {
    fail_internal("element-count", shape_.text() + " reshaped to " + other.shape_.text());
  }
  return other;
}

Tensor Tensor::retyped(DType dtype) const {
  if (is_string() != (dtype == DType::kString) || dtype_bits(dtype) != dtype_bits(dtype_)) {
    fail_internal("element-width", std::string(dtype_name(dtype_)) + " retyped to " +
                                       std::string(dtype_name(dtype)));
  }
  Tensor other = *this;
  other.dtype_ = dtype;
  return other;
}

void Tensor::fail_width(size_t width) const {
  fail_internal("element-width", std::string(dtype_name(dtype_)) + " read as elements of " +
                                     std::to_string(width) + " bytes");
}

void Tensor::assign(const void* bytes, size_t size) {
  if (is_string() || size != byte_size_) {
    fail_internal("element-count", std::to_string(size) + " bytes for a tensor of " +
                                       std::to_string(byte_size_) + " bytes");
  }
  if (size != 0) std::memcpy(mutable_bytes().data(), bytes, size);
}

bool same_bits(const Tensor& a, const Tensor& b) {
  if (a.dtype() != b.dtype() || a.shape() != b.shape()) return false;
  if (a.is_string()) return a.strings() == b.strings();
  const size_t bits = a.size() * static_cast<size_t>(dtype_bits(a.dtype()));
  const size_t whole = bits / 8;
  if (whole != 0 && std::memcmp(a.bytes().data(), b.bytes().data(), whole) != 0) return false;
  if (bits % 8 == 0) return true;
  // The rest of the last byte belongs to no element.
  const unsigned differing = std::to_integer<unsigned>(a.bytes()[whole] ^ b.bytes()[whole]);
  return (differing & ((1U << (bits % 8)) - 1)) == 0;
}

}  // namespace onnxv
