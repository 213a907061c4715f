#include "src/run/attributes.h"

#include <algorithm>

namespace onnxv {
namespace {

std::string quoted(std::string_view name) { return "\"" + std::string(name) + "\""; }

template <class... T>
struct Overloaded : T... {
  using T::operator()...;
};
template <class... T>
Overloaded(T...) -> Overloaded<T...>;

bool has(const std::vector<Attribute>& attributes, const std::string& name) {
  return std::any_of(attributes.begin(), attributes.end(),
                     [&](const Attribute& a) { return a.name == name; });
}

AttributeValue empty_list(const Attribute& attribute, Attribute::Kind wanted) {
  switch (wanted) {
    case Attribute::Kind::kInts: return std::vector<int64_t>();
    case Attribute::Kind::kFloats: return std::vector<float>();
    case Attribute::Kind::kStrings: return std::vector<std::string>();
    case Attribute::Kind::kTensors: return std::vector<Tensor>();
    default:
      fail_schema("attribute-missing", "attribute " + quoted(attribute.name) + " has no value",
                  "must have one");
  }
}

}  // namespace

std::vector<std::shared_ptr<const Graph>> graphs_of(const Attribute& attribute) {
  if (const auto* one = std::get_if<std::shared_ptr<const Graph>>(&attribute.value)) return {*one};
  if (const auto* list = std::get_if<std::vector<std::shared_ptr<const Graph>>>(&attribute.value))
    return *list;
  return {};
}

AttributeValue attribute_value(const Attribute& attribute, Attribute::Kind wanted) {
  const auto refused = [&]() -> AttributeValue {
    fail_schema("attribute-kind",
                "attribute " + quoted(attribute.name) + " is of a kind that no operator takes");
  };
  return std::visit(
      Overloaded{[&](std::monostate) { return empty_list(attribute, wanted); },
                 [&](const std::shared_ptr<const Graph>&) { return refused(); },
                 [&](const std::vector<std::shared_ptr<const Graph>>&) { return refused(); },
                 [&](const std::vector<SparseTensor>&) { return refused(); },
                 [&](const std::vector<Type>&) { return refused(); },
                 [](const auto& value) -> AttributeValue { return value; }},
      attribute.value);
}

namespace {

Attribute::Kind kind_of(const AttributeValue& value) {
  using Kind = Attribute::Kind;
  return std::visit(
      Overloaded{[](std::monostate) { return Kind::kUndefined; },
                 [](int64_t) { return Kind::kInt; }, [](float) { return Kind::kFloat; },
                 [](const std::string&) { return Kind::kString; },
                 [](const std::vector<int64_t>&) { return Kind::kInts; },
                 [](const std::vector<float>&) { return Kind::kFloats; },
                 [](const std::vector<std::string>&) { return Kind::kStrings; },
                 [](const Tensor&) { return Kind::kTensor; },
                 [](const std::vector<Tensor>&) { return Kind::kTensors; },
                 [](const SparseTensor&) { return Kind::kSparseTensor; },
                 [](const Type&) { return Kind::kTypeProto; },
                 [](const std::shared_ptr<Body>&) { return Kind::kGraph; },
                 [](const std::vector<std::shared_ptr<Body>>&) { return Kind::kGraphs; }},
      value);
}

}  // namespace

bool fits(const AttributeValue& value, const AttributeSchema& schema) {
  const Attribute::Kind kind = kind_of(value);
  const auto& also = schema.also_kinds;
  return kind == schema.kind || std::find(also.begin(), also.end(), kind) != also.end();
}

std::vector<NamedAttribute> with_defaults(std::span<const NamedAttribute> given, const OpSchema& schema) {
  std::vector<NamedAttribute> all;
  all.reserve(schema.attributes.size());
  for (const AttributeSchema& attribute : schema.attributes) {
    const auto found = std::find_if(given.begin(), given.end(), [&](const NamedAttribute& a) { return a.name == attribute.name; });
    const AttributeValue* value = found == given.end() ? &attribute.default_value : found->value;
    if (found != given.end() && !fits(*value, attribute)) {
      fail_schema("attribute-kind", "attribute " + quoted(attribute.name) + " gets a value of another kind",
                  "must be of the schema's kind");
    }
    if (!std::holds_alternative<std::monostate>(*value)) {
      all.push_back({attribute.name, value});
    } else if (attribute.required) {
      fail_schema("attribute-missing", "attribute " + quoted(attribute.name) + " is absent", "is required");
    }
  }
  return all;
}

void check_function_call(const Node& node, const Function& function) {
  const auto count = [](size_t n, std::string_view what) {
    return std::to_string(n) + " " + std::string(what);
  };
  if (node.inputs.size() > function.inputs.size()) {
    fail_schema("arity", "has " + count(node.inputs.size(), "inputs"),
                "the function takes " + std::to_string(function.inputs.size()));
  }
  if (node.outputs.size() > function.outputs.size()) {
    fail_schema("arity", "has " + count(node.outputs.size(), "outputs"),
                "the function has " + std::to_string(function.outputs.size()));
  }
  const auto& required = function.attributes;
  for (const Attribute& given : node.attributes) {
    if (is_note(given)) continue;
    const bool known = std::find(required.begin(), required.end(), given.name) != required.end() ||
                       has(function.attribute_defaults, given.name);
    if (!known)
      fail_schema("attribute-unknown", "the function has no attribute " + quoted(given.name));
  }
}

}  // namespace onnxv
