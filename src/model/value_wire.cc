// SequenceProto, OptionalProto and MapProto, read.
#include <optional>
#include <set>

#include "src/base/error.h"
#include "src/model/wire.h"

namespace onnxv {
namespace {

using ElementKind = wire::SequenceProto::DataType;

Type element_hint(const Type& hint, Type::Kind wrapper) {
  if (hint.kind == wrapper && hint.element != nullptr) return *hint.element;
  if (hint.kind != wrapper && hint.kind != Type::Kind::kUnknown)
    fail_internal("value-type", "a reader got the hint " + hint.text());
  return Type{};
}

// One type for all items: the hint where it says something, else that of the first item.
Type element_type(const std::vector<Value>& items, const Type& hint, std::string_view what) {
  Type element = hint;
  for (const Value& item : items) {
    Type type = item.type();
    if (element.kind == Type::Kind::kUnknown) {
      type.shape.reset();
      element = std::move(type);
    } else if (!same_type(element, type)) {
      fail_model("value-type", std::string(what) + " holds " + type.text(),
                 "must be " + element.text());
    }
  }
  return element;
}

std::vector<std::pair<int, ElementKind>> filled(const wire::SequenceProto& proto) {
  std::vector<std::pair<int, ElementKind>> counts;
  const auto add = [&](int count, ElementKind kind) {
    if (count != 0) counts.emplace_back(count, kind);
  };
  add(proto.tensor_values_size(), wire::SequenceProto::TENSOR);
  add(proto.sparse_tensor_values_size(), wire::SequenceProto::SPARSE_TENSOR);
  add(proto.sequence_values_size(), wire::SequenceProto::SEQUENCE);
  add(proto.map_values_size(), wire::SequenceProto::MAP);
  add(proto.optional_values_size(), wire::SequenceProto::OPTIONAL);
  return counts;
}

std::optional<ElementKind> filled(const wire::OptionalProto& proto) {
  const std::pair<bool, ElementKind> fields[] = {
      {proto.has_tensor_value(), wire::SequenceProto::TENSOR},
      {proto.has_sparse_tensor_value(), wire::SequenceProto::SPARSE_TENSOR},
      {proto.has_sequence_value(), wire::SequenceProto::SEQUENCE},
      {proto.has_map_value(), wire::SequenceProto::MAP},
      {proto.has_optional_value(), wire::SequenceProto::OPTIONAL}};
  std::optional<ElementKind> kind;
  for (const auto& [present, of] : fields) {
    if (!present) continue;
    if (kind) fail_model("value-type", "an optional holds two values");
    kind = of;
  }
  return kind;
}

std::vector<Value> items_from_wire(wire::SequenceProto& proto, const Type& hint,
                                   ExternalFiles& files) {
  std::vector<Value> items;
  for (auto& t : *proto.mutable_tensor_values()) items.emplace_back(tensor_from_wire(t, files));
  for (auto& t : *proto.mutable_sparse_tensor_values())
    items.emplace_back(sparse_from_wire(t, files));
  for (auto& s : *proto.mutable_sequence_values())
    items.push_back(sequence_from_wire(s, hint, files));
  for (auto& m : *proto.mutable_map_values()) items.push_back(map_from_wire(m, hint, files));
  for (auto& o : *proto.mutable_optional_values())
    items.push_back(optional_from_wire(o, hint, files));
  return items;
}

// Wrong hints would send the readers below astray: a hint that does not fit what the file holds is
// the file's fault.
void check_hint(ElementKind kind, const Type& hint, std::string_view what) {
  const auto wanted = [&] {
    switch (kind) {
      case wire::SequenceProto::TENSOR: return Type::Kind::kTensor;
      case wire::SequenceProto::SPARSE_TENSOR: return Type::Kind::kSparseTensor;
      case wire::SequenceProto::SEQUENCE: return Type::Kind::kSequence;
      case wire::SequenceProto::MAP: return Type::Kind::kMap;
      case wire::SequenceProto::OPTIONAL: return Type::Kind::kOptional;
      case wire::SequenceProto::UNDEFINED: break;
    }
    return Type::Kind::kUnknown;
  }();
  if (hint.kind != Type::Kind::kUnknown && wanted != Type::Kind::kUnknown && hint.kind != wanted)
    fail_model("value-type", std::string(what) + " holds another kind of value",
               "must be " + hint.text());
}

void check_element_kind(int64_t said, ElementKind held, std::string_view what) {
  if (said != wire::SequenceProto::UNDEFINED && said != held)
    fail_model("value-type", std::string(what) + " says kind " + std::to_string(said) +
                                 " but holds kind " + std::to_string(held));
}

bool is_key_type(DType dtype) {
  return dtype == DType::kString || (is_integer(dtype) && dtype_bits(dtype) >= 8);
}

void check_integer_keys(const std::vector<int64_t>& keys, DType dtype) {
  // int64 keys hold every type but the upper half of uint64, which stands there modulo 2^64.
  const int bits = dtype_bits(dtype);
  if (bits == 64) return;
  const int64_t low = is_signed_integer(dtype) ? -(int64_t{1} << (bits - 1)) : 0;
  const int64_t high = (int64_t{1} << (is_signed_integer(dtype) ? bits - 1 : bits)) - 1;
  for (const int64_t key : keys) {
    if (key < low || key > high)
      fail_model("map-keys", "a key is " + std::to_string(key),
                 "must fit " + std::string(dtype_name(dtype)));
  }
}

template <class Key>
void check_unique(const std::vector<Key>& keys) {
  if (std::set<Key>(keys.begin(), keys.end()).size() != keys.size())
    fail_model("map-keys", "a key is given twice");
}

}  // namespace

Value sequence_from_wire(wire::SequenceProto& proto, const Type& hint, ExternalFiles& files) {
  const auto counts = filled(proto);
  if (counts.size() > 1) fail_model("value-type", "a sequence holds items of two kinds");
  const Type element = element_hint(hint, Type::Kind::kSequence);
  if (!counts.empty()) {
    check_element_kind(proto.elem_type(), counts.front().second, "a sequence");
    check_hint(counts.front().second, element, "a sequence");
  }
  Sequence sequence;
  sequence.items = items_from_wire(proto, element, files);
  sequence.element = element_type(sequence.items, element, "a sequence");
  return sequence;
}

Value optional_from_wire(wire::OptionalProto& proto, const Type& hint, ExternalFiles& files) {
  const std::optional<ElementKind> held = filled(proto);
  const Type element = element_hint(hint, Type::Kind::kOptional);
  Optional optional;
  optional.element = element;
  if (!held) return optional;
  check_element_kind(proto.elem_type(), *held, "an optional");
  check_hint(*held, element, "an optional");
  Value value;
  switch (*held) {
    case wire::SequenceProto::TENSOR:
      value = tensor_from_wire(*proto.mutable_tensor_value(), files);
      break;
    case wire::SequenceProto::SPARSE_TENSOR:
      value = sparse_from_wire(*proto.mutable_sparse_tensor_value(), files);
      break;
    case wire::SequenceProto::SEQUENCE:
      value = sequence_from_wire(*proto.mutable_sequence_value(), element, files);
      break;
    case wire::SequenceProto::MAP:
      value = map_from_wire(*proto.mutable_map_value(), element, files);
      break;
    default: value = optional_from_wire(*proto.mutable_optional_value(), element, files);
  }
  optional.element = element_type({value}, element, "an optional");
  optional.value = std::make_shared<const Value>(std::move(value));
  return optional;
}

Value map_from_wire(wire::MapProto& proto, const Type& hint, ExternalFiles& files) {
  const Type value_hint = element_hint(hint, Type::Kind::kMap);
  Map map;
  map.key_type = dtype_from_wire(proto.key_type());
  if (!is_key_type(map.key_type) || (hint.kind == Type::Kind::kMap &&
                                     hint.dtype != DType::kUndefined && hint.dtype != map.key_type))
    fail_model("value-type", "a map's keys are " + std::string(dtype_name(map.key_type)),
               "must be " + (hint.kind == Type::Kind::kMap ? std::string(dtype_name(hint.dtype))
                                                           : std::string("string or integers")));
  map.int_keys.assign(proto.keys().begin(), proto.keys().end());
  for (auto& key : *proto.mutable_string_keys()) map.string_keys.push_back(std::move(key));
  const bool strings = map.key_type == DType::kString;
  if (!(strings ? map.int_keys.empty() : map.string_keys.empty()))
    fail_model("map-keys", "a map has keys of another type than it says");
  check_integer_keys(map.int_keys, strings ? DType::kInt64 : map.key_type);
  check_unique(map.int_keys);
  check_unique(map.string_keys);
  Type values_hint;
  if (value_hint.kind != Type::Kind::kUnknown) values_hint = Type::sequence(value_hint);
  const Value values = sequence_from_wire(*proto.mutable_values(), values_hint, files);
  map.values = values.sequence().items;
  map.value_type = values.sequence().element;
  const size_t keys = strings ? map.string_keys.size() : map.int_keys.size();
  if (keys != map.values.size())
    fail_model("map-keys", "a map has " + std::to_string(keys) + " keys",
               "and " + std::to_string(map.values.size()) + " values");
  return map;
}

}  // namespace onnxv
