// TypeProto, both ways.
#include "src/base/error.h"
#include "src/model/wire.h"

namespace onnxv {
namespace {

// Some exporters write -1 for a dimension they do not know: the same as no value.
std::vector<Type::Dim> dims_from_wire(const wire::TensorShapeProto& proto) {
  std::vector<Type::Dim> dims;
  dims.reserve(static_cast<size_t>(proto.dim_size()));
  for (const auto& dim : proto.dim()) {
    Type::Dim read;
    if (dim.has_dim_value() && dim.dim_value() >= 0) read.value = dim.dim_value();
    read.symbol = dim.dim_param();
    dims.push_back(std::move(read));
  }
  return dims;
}

// An element type that is not given stays undefined here: schema/check reports it where it matters.
template <class TensorType>
Type tensor_from_type(Type::Kind kind, const TensorType& proto) {
  Type type;
  type.kind = kind;
  if (proto.elem_type() != 0) type.dtype = dtype_from_wire(proto.elem_type());
  if (proto.has_shape()) type.shape = dims_from_wire(proto.shape());
  return type;
}

Type wrapped(Type::Kind kind, const wire::TypeProto& element) {
  Type type;
  type.kind = kind;
  type.element = std::make_shared<const Type>(type_from_wire(element));
  return type;
}

template <class TensorType>
void tensor_to_type(const Type& type, TensorType& proto) {
  proto.set_elem_type(static_cast<int32_t>(type.dtype));
  if (!type.shape) return;
  auto* shape = proto.mutable_shape();
  for (const Type::Dim& dim : *type.shape) {
    auto* written = shape->add_dim();
    if (dim.value >= 0) {
      written->set_dim_value(dim.value);
    } else if (!dim.symbol.empty()) {
      written->set_dim_param(dim.symbol);
    }
  }
}

void element_to_wire(const Type& type, wire::TypeProto& proto) {
  if (type.element != nullptr) type_to_wire(*type.element, proto);
}

}  // namespace

Type type_from_wire(const wire::TypeProto& proto) {
  switch (proto.value_case()) {
    case wire::TypeProto::kTensorType:
      return tensor_from_type(Type::Kind::kTensor, proto.tensor_type());
    case wire::TypeProto::kSparseTensorType:
      return tensor_from_type(Type::Kind::kSparseTensor, proto.sparse_tensor_type());
    case wire::TypeProto::kSequenceType:
      return wrapped(Type::Kind::kSequence, proto.sequence_type().elem_type());
    case wire::TypeProto::kOptionalType:
      return wrapped(Type::Kind::kOptional, proto.optional_type().elem_type());
    case wire::TypeProto::kMapType: {
      Type type = wrapped(Type::Kind::kMap, proto.map_type().value_type());
      if (proto.map_type().key_type() != 0)
        type.dtype = dtype_from_wire(proto.map_type().key_type());
      return type;
    }
    case wire::TypeProto::kOpaqueType:
    case wire::TypeProto::VALUE_NOT_SET: break;
  }
  return Type{};
}

void type_to_wire(const Type& type, wire::TypeProto& proto) {
  switch (type.kind) {
    case Type::Kind::kUnknown: break;
    case Type::Kind::kTensor: tensor_to_type(type, *proto.mutable_tensor_type()); break;
    case Type::Kind::kSparseTensor:
      tensor_to_type(type, *proto.mutable_sparse_tensor_type());
      break;
    case Type::Kind::kSequence:
      element_to_wire(type, *proto.mutable_sequence_type()->mutable_elem_type());
      break;
    case Type::Kind::kOptional:
      element_to_wire(type, *proto.mutable_optional_type()->mutable_elem_type());
      break;
    case Type::Kind::kMap:
      proto.mutable_map_type()->set_key_type(static_cast<int32_t>(type.dtype));
      element_to_wire(type, *proto.mutable_map_type()->mutable_value_type());
      break;
  }
}

}  // namespace onnxv
