// Values in files of their own.
#include <climits>
#include <new>

#include "src/base/error.h"
#include "src/model/file.h"
#include "src/model/model_io.h"
#include "src/model/wire.h"

namespace onnxv {
namespace {

Value value_from_bytes(std::string_view bytes, const Type& type, ExternalFiles& files) {
  const auto read = [&]<class Message>(Message proto, auto from_wire) -> Value {
    parse_wire(bytes, "the value", proto);
    return from_wire(proto);
  };
  switch (type.kind) {
    case Type::Kind::kUnknown:
    case Type::Kind::kTensor:
      return read(wire::TensorProto(), [&](auto& p) { return tensor_from_wire(p, files); });
    case Type::Kind::kSparseTensor:
      return read(wire::SparseTensorProto(), [&](auto& p) { return sparse_from_wire(p, files); });
    case Type::Kind::kSequence:
      return read(wire::SequenceProto(),
                  [&](auto& p) { return sequence_from_wire(p, type, files); });
    case Type::Kind::kOptional:
      return read(wire::OptionalProto(),
                  [&](auto& p) { return optional_from_wire(p, type, files); });
    case Type::Kind::kMap:
      return read(wire::MapProto(), [&](auto& p) { return map_from_wire(p, type, files); });
  }
  fail_internal("value-type", "a type has no kind");
}

// ---- writing

void to_wire(const Optional& optional, wire::OptionalProto& proto);
void to_wire(const Map& map, wire::MapProto& proto);

void add_item(const Value& item, wire::SequenceProto& proto);

wire::SequenceProto::DataType element_kind(Type::Kind kind) {
  switch (kind) {
    case Type::Kind::kTensor: return wire::SequenceProto::TENSOR;
    case Type::Kind::kSparseTensor: return wire::SequenceProto::SPARSE_TENSOR;
    case Type::Kind::kSequence: return wire::SequenceProto::SEQUENCE;
    case Type::Kind::kMap: return wire::SequenceProto::MAP;
    case Type::Kind::kOptional: return wire::SequenceProto::OPTIONAL;
    case Type::Kind::kUnknown: break;
  }
  return wire::SequenceProto::UNDEFINED;
}

void to_wire(const Sequence& sequence, wire::SequenceProto& proto) {
  // Readers choose the field by elem_type even where there is no item; "a tensor" is what most of
  // them expect.
  const Type::Kind kind =
      sequence.items.empty() ? sequence.element.kind : sequence.items.front().type().kind;
  proto.set_elem_type(element_kind(kind));
  for (const Value& item : sequence.items) add_item(item, proto);
}

void add_item(const Value& item, wire::SequenceProto& proto) {
  if (item.is_tensor()) {
    tensor_to_wire(item.tensor(), *proto.add_tensor_values());
  } else if (item.is_sparse_tensor()) {
    sparse_to_wire(item.sparse_tensor(), *proto.add_sparse_tensor_values());
  } else if (item.is_sequence()) {
    to_wire(item.sequence(), *proto.add_sequence_values());
  } else if (item.is_map()) {
    to_wire(item.map(), *proto.add_map_values());
  } else if (item.is_optional()) {
    to_wire(item.optional(), *proto.add_optional_values());
  } else {
    fail_internal("value-type", "an item of a sequence does not exist");
  }
}

// An empty optional is written without a kind: readers take a kind as the promise of a value.
void to_wire(const Optional& optional, wire::OptionalProto& proto) {
  if (optional.value == nullptr) {
    proto.set_elem_type(wire::OptionalProto::UNDEFINED);
    return;
  }
  const Value& value = *optional.value;
  proto.set_elem_type(element_kind(value.type().kind));
  if (value.is_tensor()) {
    tensor_to_wire(value.tensor(), *proto.mutable_tensor_value());
  } else if (value.is_sparse_tensor()) {
    sparse_to_wire(value.sparse_tensor(), *proto.mutable_sparse_tensor_value());
  } else if (value.is_sequence()) {
    to_wire(value.sequence(), *proto.mutable_sequence_value());
  } else if (value.is_map()) {
    to_wire(value.map(), *proto.mutable_map_value());
  } else if (value.is_optional()) {
    to_wire(value.optional(), *proto.mutable_optional_value());
  } else {
    fail_internal("value-type", "an optional's value does not exist");
  }
}

void to_wire(const Map& map, wire::MapProto& proto) {
  proto.set_key_type(static_cast<int32_t>(map.key_type));
  for (const int64_t key : map.int_keys) proto.add_keys(key);
  for (const std::string& key : map.string_keys) proto.add_string_keys(key);
  to_wire(Sequence{map.value_type, map.values}, *proto.mutable_values());
}

template <class Message>
std::string serialized(const Message& proto) {
  const size_t size = proto.ByteSizeLong();
  if (size > INT_MAX)
    fail_model("too-large", "a value of " + std::to_string(size) + " bytes",
               "a protobuf holds less than 2 GiB");
  return proto.SerializeAsString();
}

template <class Message>
std::string named(Message& proto, std::string_view name) {
  if (!name.empty()) proto.set_name(std::string(name));
  return serialized(proto);
}

}  // namespace

Value parse_value(std::string_view bytes, const Type& type, const std::string& directory) {
  try {
    ExternalFiles files(directory);
    return value_from_bytes(bytes, type, files);
  } catch (const std::bad_alloc&) {
    fail_limit("memory", "there is not enough memory for the value");
  }
}

Value read_value(const std::string& path, const Type& type) {
  const std::shared_ptr<const MappedFile> file = MappedFile::open(path);
  try {
    return parse_value(file->text(), type, directory_of(path));
  } catch (const Error& error) {
    throw error.at(path);
  }
}

Tensor read_tensor(const std::string& path) { return read_value(path, Type{}).tensor(); }

std::string serialize_value(const Value& value, std::string_view name) {
  if (value.is_tensor()) {
    wire::TensorProto proto;
    tensor_to_wire(value.tensor(), proto);
    return named(proto, name);
  }
  if (value.is_sparse_tensor()) {
    wire::SparseTensorProto proto;
    sparse_to_wire(value.sparse_tensor(), proto);
    if (!name.empty()) proto.mutable_values()->set_name(std::string(name));
    return serialized(proto);
  }
  if (value.is_sequence()) {
    wire::SequenceProto proto;
    to_wire(value.sequence(), proto);
    return named(proto, name);
  }
  if (value.is_map()) {
    wire::MapProto proto;
    to_wire(value.map(), proto);
    return named(proto, name);
  }
  if (!value.is_optional()) fail_internal("value-type", "a value that does not exist is written");
  wire::OptionalProto proto;
  to_wire(value.optional(), proto);
  return named(proto, name);
}

void write_value(const Value& value, const std::string& path, std::string_view name) {
  write_file(path, serialize_value(value, name));
}

}  // namespace onnxv
