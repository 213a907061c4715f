// The typed fields of TensorProto: which type stands in which field, and how many elements one
// entry holds.
#include <cstring>
#include <limits>

#include "src/base/error.h"
#include "src/model/wire.h"

namespace onnxv {
namespace {

enum class Field { kFloat, kInt32, kString, kInt64, kDouble, kUint64 };

Field field_of(DType dtype) {
  switch (dtype) {
    case DType::kFloat:
    case DType::kComplex64: return Field::kFloat;
    case DType::kDouble:
    case DType::kComplex128: return Field::kDouble;
    case DType::kInt64: return Field::kInt64;
    case DType::kUint32:
    case DType::kUint64: return Field::kUint64;
    case DType::kString: return Field::kString;
    default: return Field::kInt32;
  }
}

struct FieldUse {
  Field field;
  const char* name;
  int count;
};

size_t entries_in(const wire::TensorProto& proto, Field field) {
  const FieldUse uses[] = {{Field::kFloat, "float_data", proto.float_data_size()},
                           {Field::kInt32, "int32_data", proto.int32_data_size()},
                           {Field::kString, "string_data", proto.string_data_size()},
                           {Field::kInt64, "int64_data", proto.int64_data_size()},
                           {Field::kDouble, "double_data", proto.double_data_size()},
                           {Field::kUint64, "uint64_data", proto.uint64_data_size()}};
  size_t count = 0;
  for (const FieldUse& use : uses) {
    if (use.field == field) {
      count = static_cast<size_t>(use.count);
    } else if (use.count != 0) {
      fail_model("tensor-data", std::string(use.name) + " does not hold elements of its type");
    }
  }
  return count;
}

// Entries that `elements` elements take; elements < 2^63.
uint64_t entries_for(DType dtype, uint64_t elements) {
  const int bits = dtype_bits(dtype);
  if (is_complex(dtype)) return 2 * elements;
  if (bits == 4 || bits == 2) {
    const auto in_one = static_cast<uint64_t>(8 / bits);
    return elements / in_one + (elements % in_one != 0 ? 1 : 0);
  }
  return elements;
}

struct Range {
  int64_t low, high;
};

// What one entry of int32_data may be.
Range entry_range(DType dtype) {
  const int bits = dtype_bits(dtype);
  if (dtype == DType::kBool) return {0, 1};
  // Choice: a byte of packed elements may also be written as a signed byte; the proto leaves its
  // sign open.
  if (bits < 5) return {-128, 255};
  if (is_signed_integer(dtype))
    return {-(int64_t{1} << (bits - 1)), (int64_t{1} << (bits - 1)) - 1};
  return {0, (int64_t{1} << bits) - 1};
}

template <class Code>
void narrow(const google::protobuf::RepeatedField<int32_t>& entries, Range range,
            std::span<std::byte> out) {
  auto* codes = reinterpret_cast<Code*>(out.data());
  for (int i = 0; i < entries.size(); ++i) {
    const int32_t entry = entries[i];
    if (entry < range.low || entry > range.high)
      fail_model(
          "tensor-data", "an entry of int32_data is " + std::to_string(entry),
          "must be in [" + std::to_string(range.low) + ", " + std::to_string(range.high) + "]");
    codes[i] = static_cast<Code>(entry);
  }
}

void fill_from_int32(const wire::TensorProto& proto, Tensor& tensor) {
  const Range range = entry_range(tensor.dtype());
  const auto& entries = proto.int32_data();
  const int bits = dtype_bits(tensor.dtype());
  if (bits == 6) {
    std::vector<std::byte> patterns(tensor.size());
    narrow<uint8_t>(entries, range, patterns);
    for (size_t i = 0; i < patterns.size(); ++i)
      tensor.set_code(i, static_cast<uint64_t>(patterns[i]));
  } else if (bits == 32) {
    std::memcpy(tensor.mutable_bytes().data(), entries.data(), tensor.bytes().size());
  } else if (bits == 16) {
    narrow<uint16_t>(entries, range, tensor.mutable_bytes());
  } else {
    narrow<uint8_t>(entries, range, tensor.mutable_bytes());
  }
}

void fill_from_uint64(const wire::TensorProto& proto, Tensor& tensor) {
  if (tensor.dtype() == DType::kUint64) {
    std::memcpy(tensor.mutable_bytes().data(), proto.uint64_data().data(), tensor.bytes().size());
    return;
  }
  const std::span<uint32_t> out = tensor.mutable_as<uint32_t>();
  for (int i = 0; i < proto.uint64_data_size(); ++i) {
    const uint64_t entry = proto.uint64_data(i);
    if (entry > std::numeric_limits<uint32_t>::max())
      fail_model("tensor-data", "an entry of uint64_data is " + std::to_string(entry),
                 "must fit uint32");
    out[static_cast<size_t>(i)] = static_cast<uint32_t>(entry);
  }
}

Tensor strings_from_wire(wire::TensorProto& proto, const Shape& shape) {
  std::vector<std::string> strings;
  strings.reserve(static_cast<size_t>(proto.string_data_size()));
  for (std::string& text : *proto.mutable_string_data()) strings.push_back(std::move(text));
  return Tensor(shape, std::move(strings));
}

}  // namespace

Tensor typed_from_wire(wire::TensorProto& proto, DType dtype, const Shape& shape, size_t elements) {
  const Field field = field_of(dtype);
  const size_t given = entries_in(proto, field);
  const uint64_t needed = entries_for(dtype, elements);
  if (given != needed)
    fail_model("tensor-data", "it has " + std::to_string(given) + " entries",
               std::string(dtype_name(dtype)) + shape.text() + " needs " + std::to_string(needed));
  if (field == Field::kString) return strings_from_wire(proto, shape);
  Tensor tensor(dtype, shape);
  if (elements == 0) return tensor;
  const auto copy = [&](const void* from) {
    std::memcpy(tensor.mutable_bytes().data(), from, tensor.bytes().size());
  };
  switch (field) {
    case Field::kFloat: copy(proto.float_data().data()); break;
    case Field::kDouble: copy(proto.double_data().data()); break;
    case Field::kInt64: copy(proto.int64_data().data()); break;
    case Field::kUint64: fill_from_uint64(proto, tensor); break;
    case Field::kInt32: fill_from_int32(proto, tensor); break;
    case Field::kString: break;
  }
  return tensor;
}

}  // namespace onnxv
