// Types by the schemas' spelling.
#include "schema/schema.h"

namespace onnxv {
namespace {

// "seq(tensor(float))" and "seq": the inner "tensor(float)"; nullopt when `text` is not of this
// form.
std::optional<std::string_view> inside(std::string_view text, std::string_view outer) {
  if (!text.starts_with(outer) || !text.ends_with(')')) return std::nullopt;
  text.remove_prefix(outer.size());
  if (!text.starts_with('(')) return std::nullopt;
  return text.substr(1, text.size() - 2);
}

// A map's value may be written as a bare element type: "float" is tensor(float) there.
Type parse_map(std::string_view inner) {
  const size_t comma = inner.find(',');
  if (comma == std::string_view::npos) return {};
  const auto key = dtype_from_name(inner.substr(0, comma));
  std::string_view rest = inner.substr(comma + 1);
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  const auto bare = dtype_from_name(rest);
  Type value = bare ? Type::tensor(*bare) : parse_type(rest);
  if (!key || value.kind == Type::Kind::kUnknown) return {};
  return Type::map(*key, std::move(value));
}

}  // namespace

Type parse_type(std::string_view text) {
  for (const bool sparse : {false, true}) {
    const auto element = inside(text, sparse ? "sparse_tensor" : "tensor");
    if (!element) continue;
    const auto dtype = dtype_from_name(*element);
    if (!dtype) return {};
    Type type = Type::tensor(*dtype);
    if (sparse) type.kind = Type::Kind::kSparseTensor;
    return type;
  }
  if (const auto inner = inside(text, "map")) return parse_map(*inner);
  for (const bool sequence : {true, false}) {
    const auto inner = inside(text, sequence ? "seq" : "optional");
    if (!inner) continue;
    Type element = parse_type(*inner);
    if (element.kind == Type::Kind::kUnknown) return {};
    return sequence ? Type::sequence(std::move(element)) : Type::optional(std::move(element));
  }
  return {};
}

std::string schema_spelling(const Type& type) {
  const auto element = [&] {
    return type.element ? schema_spelling(*type.element) : std::string("?");
  };
  const std::string dtype(dtype_name(type.dtype));
  switch (type.kind) {
    case Type::Kind::kUnknown: return "?";
    case Type::Kind::kTensor: return "tensor(" + dtype + ")";
    case Type::Kind::kSparseTensor: return "sparse_tensor(" + dtype + ")";
    case Type::Kind::kSequence: return "seq(" + element() + ")";
    case Type::Kind::kOptional: return "optional(" + element() + ")";
    case Type::Kind::kMap: {
      const bool bare = type.element && type.element->kind == Type::Kind::kTensor;
      return "map(" + dtype + ", " +
             (bare ? std::string(dtype_name(type.element->dtype)) : element()) + ")";
    }
  }
  return "?";
}

}  // namespace onnxv
