#include "src/tensor/value.h"

#include <algorithm>

#include "src/base/error.h"

namespace onnxv {
namespace {

Type of_element(Type::Kind kind, Type element) {
  Type type;
  type.kind = kind;
  type.element = std::make_shared<const Type>(std::move(element));
  return type;
}

std::string element_text(const Type& type) {
  return type.element ? type.element->text() : "unknown";
}

Type shaped(Type::Kind kind, DType dtype, const Shape& shape) {
  Type type;
  type.kind = kind;
  type.dtype = dtype;
  type.shape.emplace();
  for (const int64_t dim : shape) type.shape->push_back({.value = dim, .symbol = {}});
  return type;
}

// What is declared, or, where nothing is, what the first value is; without a shape, which others
// need not have.
Type declared_or_found(const Type& declared, const Value* found) {
  if (declared.kind != Type::Kind::kUnknown || found == nullptr) return declared;
  Type type = found->type();
  type.shape.reset();
  return type;
}

template <class T, class Held>
const T& held(const Held& value, std::string_view wanted) {
  const T* held = std::get_if<T>(&value);
  if (held == nullptr) fail_internal("value-kind", "a value is read as " + std::string(wanted));
  return *held;
}

bool same_values(const std::vector<Value>& a, const std::vector<Value>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Value& x, const Value& y) { return same_bits(x, y); });
}

bool same_optional(const Optional& a, const Optional& b) {
  if (!a.value || !b.value) return !a.value && !b.value && same_type(a.element, b.element);
  return same_bits(*a.value, *b.value);
}

bool same_map(const Map& a, const Map& b) {
  return a.key_type == b.key_type && a.int_keys == b.int_keys && a.string_keys == b.string_keys &&
         same_values(a.values, b.values);
}

}  // namespace

Type Type::tensor(DType dtype) {
  Type type;
  type.kind = Kind::kTensor;
  type.dtype = dtype;
  return type;
}

Type Type::sequence(Type element) { return of_element(Kind::kSequence, std::move(element)); }
Type Type::optional(Type element) { return of_element(Kind::kOptional, std::move(element)); }
Type Type::map(DType key, Type value) {
  Type type = of_element(Kind::kMap, std::move(value));
  type.dtype = key;
  return type;
}

std::string Type::text() const {
  const std::string name(dtype_name(dtype));
  switch (kind) {
    case Kind::kUnknown: break;
    case Kind::kTensor: return "tensor(" + name + ")";
    case Kind::kSparseTensor: return "sparse_tensor(" + name + ")";
    case Kind::kSequence: return "seq(" + element_text(*this) + ")";
    case Kind::kOptional: return "optional(" + element_text(*this) + ")";
    case Kind::kMap: return "map(" + name + ", " + element_text(*this) + ")";
  }
  return "unknown";
}

bool same_type(const Type& a, const Type& b) {
  if (a.kind != b.kind) return false;
  const bool has_dtype = a.kind == Type::Kind::kTensor || a.kind == Type::Kind::kSparseTensor ||
                         a.kind == Type::Kind::kMap;
  if (has_dtype && a.dtype != b.dtype) return false;
  if (!a.element || !b.element) return !a.element && !b.element;
  return same_type(*a.element, *b.element);
}

const Tensor& Value::tensor() const { return held<Tensor>(held_, "a tensor"); }
Tensor& Value::mutable_tensor() {
  tensor();
  return std::get<Tensor>(held_);
}
const Sequence& Value::sequence() const {
  return *held<std::shared_ptr<const Sequence>>(held_, "a sequence");
}
const Optional& Value::optional() const {
  return *held<std::shared_ptr<const Optional>>(held_, "an optional");
}
const Map& Value::map() const { return *held<std::shared_ptr<const Map>>(held_, "a map"); }
const SparseTensor& Value::sparse_tensor() const {
  return *held<std::shared_ptr<const SparseTensor>>(held_, "a sparse tensor");
}

Type Value::type() const {
  if (is_tensor()) return shaped(Type::Kind::kTensor, tensor().dtype(), tensor().shape());
  if (is_sparse_tensor()) {
    return shaped(Type::Kind::kSparseTensor, sparse_tensor().values.dtype(), sparse_tensor().shape);
  }
  if (is_sequence()) {
    const Sequence& held = sequence();
    const Value* first = held.items.empty() ? nullptr : &held.items.front();
    return Type::sequence(declared_or_found(held.element, first));
  }
  if (is_optional()) {
    return Type::optional(declared_or_found(optional().element, optional().value.get()));
  }
  if (is_map()) {
    const Map& held = map();
    const Value* first = held.values.empty() ? nullptr : &held.values.front();
    return Type::map(held.key_type, declared_or_found(held.value_type, first));
  }
  return {};
}

bool same_bits(const Value& a, const Value& b) {
  if (a.is_tensor() && b.is_tensor()) return same_bits(a.tensor(), b.tensor());
  if (!same_type(a.type(), b.type())) return false;
  if (a.is_sequence()) return same_values(a.sequence().items, b.sequence().items);
  if (a.is_optional()) return same_optional(a.optional(), b.optional());
  if (a.is_map()) return same_map(a.map(), b.map());
  if (!a.is_sparse_tensor()) return true;
  const SparseTensor& x = a.sparse_tensor();
  const SparseTensor& y = b.sparse_tensor();
  return x.shape == y.shape && same_bits(x.values, y.values) && same_bits(x.indices, y.indices);
}

}  // namespace onnxv
