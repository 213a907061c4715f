#include "schema/attribute_types.h"

#include <algorithm>

#include "schema/check.h"

namespace onnxv {
namespace {

// One attribute that types one port. Where it is absent and its schema has no default, the element type is that of the input
// `else_of`, or the type is `otherwise`.
struct Row {
  std::string_view op, attribute;
  std::string_view port = "";       // "": the first output
  std::string_view says = "";       // the type that its mere presence means; "": its value says it
  std::string_view else_of = "";
  std::string_view otherwise = "";
};

// A test finds the attribute named like these that has no row.
constexpr Row kRows[] = {
    {"Bernoulli", "dtype", "", "", "input"},
    {"BitCast", "to"},
    {"BlackmanWindow", "output_datatype"},
    {"Cast", "to"},
    {"Constant", "sparse_value"},
    {"Constant", "value"},
    {"Constant", "value_float", "", "tensor(float)"},
    {"Constant", "value_floats", "", "tensor(float)"},
    {"Constant", "value_int", "", "tensor(int64)"},
    {"Constant", "value_ints", "", "tensor(int64)"},
    {"Constant", "value_string", "", "tensor(string)"},
    {"Constant", "value_strings", "", "tensor(string)"},
    {"ConstantFill", "dtype"},
    {"ConstantOfShape", "value", "", "", "", "tensor(float)"},
    {"DequantizeLinear", "output_dtype", "", "", "x_scale"},
    {"EyeLike", "dtype", "", "", "input"},
    {"HammingWindow", "output_datatype"},
    {"HannWindow", "output_datatype"},
    {"LabelEncoder", "default_tensor", "Y"},
    {"LabelEncoder", "keys_floats", "X", "tensor(float)"},
    {"LabelEncoder", "keys_int64s", "X", "tensor(int64)"},
    {"LabelEncoder", "keys_strings", "X", "tensor(string)"},
    {"LabelEncoder", "keys_tensor", "X"},
    {"LabelEncoder", "values_floats", "Y", "tensor(float)"},
    {"LabelEncoder", "values_int64s", "Y", "tensor(int64)"},
    {"LabelEncoder", "values_strings", "Y", "tensor(string)"},
    {"LabelEncoder", "values_tensor", "Y"},
    {"LayerNormalization", "stash_type", "InvStdDev"},
    {"LayerNormalization", "stash_type", "Mean"},
    {"MelWeightMatrix", "output_datatype"},
    {"Multinomial", "dtype"},
    {"Optional", "type"},
    {"QuantizeLinear", "output_dtype"},
    {"RandomNormal", "dtype"},
    {"RandomNormalLike", "dtype", "", "", "input"},
    {"RandomUniform", "dtype"},
    {"RandomUniformLike", "dtype", "", "", "input"},
    {"SequenceEmpty", "dtype", "", "", "", "seq(tensor(float))"},
};

std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

DType element_type(const Tensor& tensor) { return tensor.dtype(); }
DType element_type(const SparseTensor& tensor) { return tensor.values.dtype(); }

template <class Value>
TypeClaim claim_of(const Value& variant) {
  return std::visit(
      [](const auto& value) -> TypeClaim {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, int64_t> || std::is_same_v<T, std::string> || std::is_same_v<T, Type>) {
          return value;
        } else if constexpr (std::is_same_v<T, Tensor> || std::is_same_v<T, SparseTensor>) {
          return Type::tensor(element_type(value));
        } else if constexpr (std::is_same_v<T, std::monostate>) {
          return {};
        } else {
          return Type();  // a value all the same
        }
      },
      variant);
}

[[noreturn]] void fail_claim(const Row& row, const std::string& got, std::string_view wanted) {
  fail_schema("attribute-type", quoted(row.attribute) + " is " + got, wanted);
}

// The attribute's schema says 0 where nothing is chosen (output_dtype).
bool is_unchosen(const TypeClaim& claim, const AttributeSchema& schema) {
  const auto* number = std::get_if<int64_t>(&claim);
  const auto* preset = std::get_if<int64_t>(&schema.default_value);
  return number != nullptr && preset != nullptr && *number == 0 && *preset == 0;
}

Type type_of(const TypeClaim& claim, const Row& row) {
  if (const auto* type = std::get_if<Type>(&claim)) return *type;
  if (const auto* number = std::get_if<int64_t>(&claim)) {
    const std::optional<DType> dtype = dtype_from_number(*number);
    if (!dtype) fail_claim(row, std::to_string(*number), "must be the number of an element type");
    return Type::tensor(*dtype);
  }
  if (const auto* name = std::get_if<std::string>(&claim)) {
    // "FLOAT", as TensorProto spells it.
    const bool capitals = std::none_of(name->begin(), name->end(), [](char c) { return c >= 'a' && c <= 'z'; });
    const std::optional<DType> dtype = capitals ? dtype_from_name(*name) : std::nullopt;
    if (!dtype) fail_claim(row, quoted(*name), "must be the name of an element type");
    return Type::tensor(*dtype);
  }
  return {};
}

// A port in its place among the inputs or outputs.
struct Port {
  const PortSchema* schema = nullptr;
  size_t index = 0;
  bool is_input = false;
};

size_t index_of(const std::vector<PortSchema>& ports, std::string_view name) {
  return static_cast<size_t>(std::find_if(ports.begin(), ports.end(), [&](const PortSchema& p) { return p.name == name; }) -
                             ports.begin());
}

Port port_of(const Row& row, const OpSchema& schema) {
  if (row.port.empty()) return {&schema.outputs.front(), 0};
  if (const size_t i = index_of(schema.outputs, row.port); i < schema.outputs.size()) return {&schema.outputs[i], i};
  const size_t i = index_of(schema.inputs, row.port);
  return {&schema.inputs.at(i), i, true};
}

// A type parameter of sequences or optionals takes the type of what they hold.
Type wrapped(Type type, const TypeParameter* parameter) {
  if (type.kind == Type::Kind::kUnknown || parameter == nullptr) return type;
  const Type::Kind kind = parse_type(parameter->types.front()).kind;
  if (kind == Type::Kind::kSequence) return Type::sequence(std::move(type));
  if (kind == Type::Kind::kOptional) return Type::optional(std::move(type));
  return type;
}

struct Claimed {
  Type type;
  std::string_view attribute;
  bool given = false;  // the type is the attribute's, not that of its absence
};

Claimed claimed_type(const Row& row, const OpSchema& schema, const AttributeSchema& attribute, const TypeClaims& claims,
                     const std::vector<Type>& inputs, const TypeParameter* parameter) {
  std::optional<TypeClaim> claim = claims(row.attribute);
  if (!claim && attribute.default_value.index() != 0) claim = claim_of(attribute.default_value);
  if (claim && !is_unchosen(*claim, attribute)) {
    if (std::holds_alternative<std::monostate>(*claim)) return {};
    if (!row.says.empty()) return {parse_type(row.says), row.attribute, true};
    return {wrapped(type_of(*claim, row), parameter), row.attribute, true};
  }
  if (!row.otherwise.empty()) return {parse_type(row.otherwise), row.attribute};
  const size_t source = row.else_of.empty() ? inputs.size() : index_of(schema.inputs, row.else_of);
  if (source >= inputs.size()) return {};
  Type type = inputs[source];
  type.shape.reset();
  return {std::move(type), row.attribute};
}

std::string list_of(const std::vector<std::string>& types) {
  std::string all;
  for (const std::string& type : types) all += (all.empty() ? "" : ", ") + type;
  return all;
}

void check_allowed(const Claimed& claimed, const Port& port, const TypeParameter* parameter) {
  constexpr size_t kFew = 4;
  const std::string spelling = schema_spelling(claimed.type);
  const std::string name = (port.is_input ? "input " : "output ") + quoted(port.schema->name);
  const std::string got = claimed.given ? quoted(claimed.attribute) + " makes " + name + " " + spelling
                                        : "without " + quoted(claimed.attribute) + " " + name + " is " + spelling;
  if (parameter == nullptr) {
    if (spelling != port.schema->type) fail_schema("attribute-type", got, "must be " + port.schema->type);
    return;
  }
  const auto& types = parameter->types;
  if (std::find(types.begin(), types.end(), spelling) != types.end()) return;
  fail_schema("attribute-type", got, "which is not among the types of " + parameter->name +
                                         (types.size() > kFew ? "" : " (" + list_of(types) + ")"));
}

// The other ports of the type parameter, or the port itself where it is an input, must be of the type.
void check_inputs(const Claimed& claimed, const Port& port, const OpSchema& schema, const std::vector<Type>& inputs) {
  for (size_t i = 0; i < inputs.size() && i < schema.inputs.size(); ++i) {
    const PortSchema& input = schema.inputs[i];
    const bool bound = port.is_input ? i == port.index : input.type == port.schema->type;
    if (!bound || is_open(inputs[i]) || same_type(inputs[i], claimed.type)) continue;
    fail_schema("type-mismatch", "input " + quoted(input.name) + " is " + schema_spelling(inputs[i]),
                "must be " + schema_spelling(claimed.type) + (claimed.given ? " by " : " without ") + quoted(claimed.attribute));
  }
}

}  // namespace

TypeClaims type_claims(const Node& node) {
  return [&node](std::string_view name) -> std::optional<TypeClaim> {
    for (const Attribute& attribute : node.attributes) {
      if (attribute.name == name) return attribute.reference.empty() ? claim_of(attribute.value) : TypeClaim();
    }
    return std::nullopt;
  };
}

TypeClaims type_claims(std::span<const NamedAttribute> attributes) {
  return [attributes](std::string_view name) -> std::optional<TypeClaim> {
    for (const NamedAttribute& attribute : attributes) {
      if (attribute.name == name) return claim_of(*attribute.value);
    }
    return std::nullopt;
  };
}

std::vector<Type> types_by_attributes(const OpSchema& schema, const TypeClaims& claims,
                                      const std::vector<Type>& inputs, size_t count) {
  std::vector<Type> outputs(count);
  for (const Row& row : kRows) {
    if (row.op != schema.name) continue;
    const AttributeSchema* attribute = schema.attribute(row.attribute);
    if (attribute == nullptr) continue;
    const Port port = port_of(row, schema);
    if (!port.is_input && port.index >= count) continue;
    const TypeParameter* parameter = schema.type_parameter(port.schema->type);
    const Claimed claimed = claimed_type(row, schema, *attribute, claims, inputs, parameter);
    if (is_open(claimed.type)) continue;
    check_allowed(claimed, port, parameter);
    check_inputs(claimed, port, schema, inputs);
    if (!port.is_input) outputs[port.index] = claimed.type;
  }
  return outputs;
}

}  // namespace onnxv
