// Declared types against the values that were computed.
#include "src/run/frame.h"

namespace onnxv {
namespace {

// Kinds and element types, where both sides say them.
bool agree(const Type& declared, const Type& actual) {
  if (declared.kind == Type::Kind::kUnknown || actual.kind == Type::Kind::kUnknown) return true;
  if (declared.kind != actual.kind) return false;
  if (declared.dtype != DType::kUndefined && declared.dtype != actual.dtype) return false;
  if (declared.element == nullptr || actual.element == nullptr) return true;
  return agree(*declared.element, *actual.element);
}

std::string shape_text(const std::vector<Type::Dim>& dims) {
  std::string text = "[";
  for (const Type::Dim& dim : dims) {
    if (text.size() > 1) text += ",";
    text += dim.value >= 0 ? std::to_string(dim.value) : dim.symbol.empty() ? "?" : dim.symbol;
  }
  return text + "]";
}

bool fits(const std::vector<Type::Dim>& declared, const Shape& actual) {
  if (declared.size() != actual.size()) return false;
  for (size_t i = 0; i < declared.size(); ++i) {
    if (declared[i].value >= 0 && declared[i].value != actual[static_cast<int64_t>(i)])
      return false;
  }
  return true;
}

}  // namespace

bool is_as_declared(const Type& declared, const Value& value) {
  return value.is_tensor() && declared.kind == Type::Kind::kTensor && declared.dtype == value.tensor().dtype() &&
         (!declared.shape || fits(*declared.shape, value.tensor().shape()));
}

std::string check_declared_type(const Type& declared, const Value& value, const std::string& what) {
  if (!value.exists()) return "";
  const Type actual = value.type();
  if (!agree(declared, actual)) {
    fail_schema("type-mismatch", what + " is " + actual.text(),
                "is declared as " + declared.text());
  }
  if (!declared.shape || !value.is_tensor() || fits(*declared.shape, value.tensor().shape()))
    return "";
  return what + " has shape " + value.tensor().shape().text() + ", declared " +
         shape_text(*declared.shape);
}

}  // namespace onnxv
