// TensorProto and SparseTensorProto, both ways.
#include "src/base/error.h"
#include "src/model/wire.h"

namespace onnxv {
namespace {

// Below this size an external reference costs more than it saves.
constexpr size_t kSmallestExternal = 1024;

std::string tensor_place(const wire::TensorProto& proto) {
  return proto.name().empty() ? "tensor" : "tensor \"" + proto.name() + "\"";
}

// Bytes of `elements` packed elements; elements < 2^63.
uint64_t needed_bytes(DType dtype, uint64_t elements) {
  const auto bits = static_cast<uint64_t>(dtype_bits(dtype));
  uint64_t bytes = 0;  // of the whole groups of eight
  if (__builtin_mul_overflow(elements / 8, bits, &bytes) || bytes > uint64_t{1} << 62)
    fail_model("size-overflow", "its bytes exceed 2^62");
  return bytes + (elements % 8 * bits + 7) / 8;
}

size_t typed_count(const wire::TensorProto& proto) {
  return static_cast<size_t>(proto.float_data_size()) +
         static_cast<size_t>(proto.int32_data_size()) +
         static_cast<size_t>(proto.string_data_size()) +
         static_cast<size_t>(proto.int64_data_size()) +
         static_cast<size_t>(proto.double_data_size()) +
         static_cast<size_t>(proto.uint64_data_size());
}

void clear_data(wire::TensorProto& proto) {
  proto.clear_dims();
  proto.clear_data_type();
  proto.clear_raw_data();
  proto.clear_float_data();
  proto.clear_int32_data();
  proto.clear_string_data();
  proto.clear_int64_data();
  proto.clear_double_data();
  proto.clear_uint64_data();
  proto.clear_external_data();
  proto.clear_data_location();
}

// Bits behind the last element of a packed type are nobody's: zero, so that equal tensors have
// equal bytes.
void clear_padding(Tensor& tensor) {
  const unsigned used = static_cast<unsigned>(tensor.size() % 8 *
                                              static_cast<size_t>(dtype_bits(tensor.dtype())) % 8);
  if (used == 0) return;
  const auto mask = static_cast<std::byte>((1u << used) - 1);
  if ((tensor.bytes().back() & ~mask) == std::byte{0}) return;
  tensor.mutable_bytes().back() &= mask;
}

void check_bools(const Tensor& tensor) {
  for (const std::byte b : tensor.bytes()) {
    if (static_cast<unsigned>(b) > 1)
      fail_model("tensor-data", "a bool is stored as " + std::to_string(static_cast<unsigned>(b)),
                 "must be 0 or 1");
  }
}

Tensor from_raw(wire::TensorProto& proto, DType dtype, const Shape& shape, uint64_t needed) {
  const size_t given = proto.raw_data().size();
  if (given != needed)
    fail_model("tensor-data", "raw_data has " + std::to_string(given) + " bytes",
               std::string(dtype_name(dtype)) + shape.text() + " needs " + std::to_string(needed));
  if (given == 0) return Tensor(dtype, shape);
  // The string moves out of the message and becomes the tensor's memory. Its characters are aligned
  // for every element: a heap block is, and a short string's own buffer stands 16 bytes into one.
  std::shared_ptr<const std::string> owner(proto.release_raw_data());
  const auto* bytes = reinterpret_cast<const std::byte*>(owner->data());
  return Tensor(dtype, shape, owner, bytes);
}

Tensor from_external(wire::TensorProto& proto, DType dtype, const Shape& shape, uint64_t needed,
                     ExternalFiles& files) {
  std::vector<std::pair<std::string, std::string>> entries;
  for (const auto& entry : proto.external_data()) entries.emplace_back(entry.key(), entry.value());
  return files.tensor(dtype, shape, needed, external_reference(entries));
}

Tensor data_from_wire(wire::TensorProto& proto, ExternalFiles& files) {
  if (proto.has_segment()) fail_model("tensor-data", "it is a segment of a larger tensor");
  const DType dtype = dtype_from_wire(proto.data_type());
  const Shape shape = shape_from_wire(proto.dims());
  const uint64_t elements = element_count(shape);
  const bool external = proto.data_location() == wire::TensorProto::EXTERNAL;
  const bool raw = !proto.raw_data().empty();
  const size_t typed = typed_count(proto);
  if ((raw && typed != 0) || (external && (raw || typed != 0)))
    fail_model("tensor-data", "its elements are given in two places");
  if (dtype == DType::kString) {
    if (external || raw) fail_model("tensor-data", "strings can stand in string_data alone");
    return typed_from_wire(proto, dtype, shape, elements);
  }
  const uint64_t needed = needed_bytes(dtype, elements);
  const bool in_raw = raw || (typed == 0 && proto.has_raw_data());
  Tensor tensor = external ? from_external(proto, dtype, shape, needed, files)
                  : in_raw ? from_raw(proto, dtype, shape, needed)
                           : typed_from_wire(proto, dtype, shape, elements);
  if (dtype == DType::kBool) check_bools(tensor);
  clear_padding(tensor);
  return tensor;
}

// [NNZ] positions or [NNZ, rank] coordinates: inside the shape, ascending, without repeats.
void check_indices(const SparseTensor& sparse) {
  const Tensor& indices = sparse.indices;
  if (indices.dtype() != DType::kInt64) fail_model("sparse-tensor", "indices are not int64");
  const size_t count = sparse.values.size();
  const bool linear = indices.rank() == 1;
  const auto rank = static_cast<size_t>(sparse.shape.rank());
  const bool fits =
      (linear || (indices.rank() == 2 && indices.shape()[1] == sparse.shape.rank())) &&
      static_cast<size_t>(indices.shape()[0]) == count;
  if (!fits)
    fail_model("sparse-tensor", "indices have shape " + indices.shape().text(),
               "must be [NNZ] or [NNZ, rank]");
  const std::span<const int64_t> at = indices.as<int64_t>();
  int64_t previous = -1;
  for (size_t k = 0; k < count; ++k) {
    int64_t position = linear ? at[k] : 0;
    for (size_t axis = 0; !linear && axis < rank; ++axis) {
      const int64_t dim = sparse.shape[static_cast<int64_t>(axis)];
      const int64_t index = at[k * rank + axis];
      if (index < 0 || index >= dim)
        fail_model("sparse-tensor", "an index is " + std::to_string(index),
                   "its axis has " + std::to_string(dim));
      position = position * dim + index;
    }
    if (position <= previous || position >= static_cast<int64_t>(element_count(sparse.shape)))
      fail_model("sparse-tensor", "indices do not ascend inside the shape");
    previous = position;
  }
}

}  // namespace

DType dtype_from_wire(int64_t number) {
  const std::optional<DType> dtype = dtype_from_number(number);
  if (!dtype)
    fail_model("data-type", "data type is " + std::to_string(number), "must be in [1, 28]");
  return *dtype;
}

Shape shape_from_wire(const google::protobuf::RepeatedField<int64_t>& dims) {
  int64_t product = 1;
  for (const int64_t dim : dims) {
    if (dim < 0) fail_model("tensor-dims", "a dimension is " + std::to_string(dim), "must be >= 0");
    if (dim != 0 && __builtin_mul_overflow(product, dim, &product))
      fail_model("size-overflow", "the product of its dimensions exceeds 2^63");
  }
  return Shape(std::vector<int64_t>(dims.begin(), dims.end()));
}

uint64_t element_count(const Shape& shape) {
  uint64_t count = 1;
  for (const int64_t dim : shape) count *= static_cast<uint64_t>(dim);
  return count;
}

Tensor tensor_from_wire(wire::TensorProto& proto, ExternalFiles& files) {
  try {
    Tensor tensor = data_from_wire(proto, files);
    clear_data(proto);
    return tensor;
  } catch (const Error& error) {
    throw error.at(tensor_place(proto));
  }
}

SparseTensor sparse_from_wire(wire::SparseTensorProto& proto, ExternalFiles& files) {
  const std::string place = "sparse " + tensor_place(proto.values());
  SparseTensor sparse;
  sparse.values = tensor_from_wire(*proto.mutable_values(), files);
  sparse.indices = tensor_from_wire(*proto.mutable_indices(), files);
  try {
    sparse.shape = shape_from_wire(proto.dims());
    if (sparse.values.rank() != 1)
      fail_model("sparse-tensor", "values have shape " + sparse.values.shape().text(),
                 "must have rank 1");
    check_indices(sparse);
  } catch (const Error& error) {
    throw error.at(place);
  }
  proto.clear_dims();
  return sparse;
}

void tensor_to_wire(const Tensor& tensor, wire::TensorProto& proto, ExternalSink* sink) {
  clear_data(proto);
  for (const int64_t dim : tensor.shape()) proto.add_dims(dim);
  proto.set_data_type(static_cast<int32_t>(tensor.dtype()));
  if (tensor.is_string()) {
    for (const std::string& text : tensor.strings()) proto.add_string_data(text);
    return;
  }
  const std::span<const std::byte> bytes = tensor.bytes();
  if (sink == nullptr || bytes.size() < kSmallestExternal) {
    proto.set_raw_data(bytes.data(), bytes.size());
    return;
  }
  const auto add = [&](const char* key, const std::string& value) {
    auto* entry = proto.add_external_data();
    entry->set_key(key);
    entry->set_value(value);
  };
  add("location", sink->location());
  add("offset", std::to_string(sink->put(bytes)));
  add("length", std::to_string(bytes.size()));
  proto.set_data_location(wire::TensorProto::EXTERNAL);
}

void sparse_to_wire(const SparseTensor& sparse, wire::SparseTensorProto& proto,
                    ExternalSink* sink) {
  proto.clear_dims();
  tensor_to_wire(sparse.values, *proto.mutable_values(), sink);
  tensor_to_wire(sparse.indices, *proto.mutable_indices(), sink);
  for (const int64_t dim : sparse.shape) proto.add_dims(dim);
}

}  // namespace onnxv
