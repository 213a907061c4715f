// One node against one schema: arity, attributes, types of actual inputs.
#include <algorithm>
#include <climits>
#include <map>
#include <set>

#include "schema/check.h"

namespace onnxv {
namespace {

using Arity = PortSchema::Arity;

std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

std::string_view kind_name(Attribute::Kind kind) {
  static constexpr std::string_view names[] = {
      "undefined",      "float",      "int",        "string",  "tensor", "graph",
      "floats",         "ints",       "strings",    "tensors", "graphs", "sparse_tensor",
      "sparse_tensors", "type_proto", "type_protos"};
  const auto number = static_cast<size_t>(kind);
  return number < std::size(names) ? names[number] : names[0];
}

// Files older than IR version 2 leave the kind out; the value that is there says it.
Attribute::Kind kind_of(const Attribute& attribute) {
  using Kind = Attribute::Kind;
  if (attribute.kind != Kind::kUndefined) return attribute.kind;
  static constexpr Kind by_index[] = {Kind::kUndefined,     Kind::kInt,       Kind::kFloat,
                                      Kind::kString,        Kind::kTensor,    Kind::kGraph,
                                      Kind::kInts,          Kind::kFloats,    Kind::kStrings,
                                      Kind::kTensors,       Kind::kGraphs,    Kind::kSparseTensor,
                                      Kind::kSparseTensors, Kind::kTypeProto, Kind::kTypeProtos};
  static_assert(std::size(by_index) == std::variant_size_v<decltype(attribute.value)>);
  return by_index[attribute.value.index()];
}

std::string wanted_count(int least, int most) {
  if (least == most) return "must be " + std::to_string(least);
  if (most == INT_MAX) return "must be at least " + std::to_string(least);
  return "must be " + std::to_string(least) + " to " + std::to_string(most);
}

void check_ports(const std::vector<std::string>& given, const std::vector<PortSchema>& ports,
                 int least, int most, const std::string& what) {
  const size_t count = given.size();
  if (count < static_cast<size_t>(least) ||
      (most != INT_MAX && count > static_cast<size_t>(most))) {
    fail_schema("arity", "the node has " + std::to_string(count) + " " + what + "s",
                wanted_count(least, most));
  }
  for (size_t i = 0; i < count && !ports.empty(); ++i) {
    // A heterogeneous list may hold absent optionals (Loop's states); a homogeneous one is a list
    // of values.
    const PortSchema& port = ports[std::min(i, ports.size() - 1)];
    const bool needed = port.arity == Arity::kSingle ||
                        (port.arity == Arity::kVariadic && port.homogeneous && what == "input");
    if (needed && given[i].empty()) {
      fail_schema(what + "-missing", what + " " + quoted(port.name) + " is absent",
                  "it is required");
    }
  }
}

void check_kind(const Attribute& attribute, const AttributeSchema& schema) {
  const Attribute::Kind kind = kind_of(attribute);
  if (kind == schema.kind) return;
  if (std::find(schema.also_kinds.begin(), schema.also_kinds.end(), kind) !=
      schema.also_kinds.end())
    return;
  // A reference to a function's attribute takes its kind from there, an empty value may have lost
  // its kind.
  if (kind == Attribute::Kind::kUndefined) return;
  fail_schema("attribute-kind",
              quoted(attribute.name) + " is of kind " + std::string(kind_name(kind)),
              "must be " + std::string(kind_name(schema.kind)));
}

void check_attributes(const Node& node, const OpSchema& schema) {
  std::set<std::string_view> seen;
  for (const Attribute& attribute : node.attributes) {
    if (!seen.insert(attribute.name).second) {
      fail_schema("attribute-twice", "attribute " + quoted(attribute.name) + " is given twice");
    }
    if (attribute.name.starts_with("__")) continue;  // reserved for tools' own notes
    const AttributeSchema* known = schema.attribute(attribute.name);
    if (known == nullptr)
      fail_schema("attribute-unknown", "unknown attribute " + quoted(attribute.name));
    check_kind(attribute, *known);
  }
  for (const AttributeSchema& attribute : schema.attributes) {
    if (attribute.required && !seen.contains(attribute.name)) {
      fail_schema("attribute-missing", "attribute " + quoted(attribute.name) + " is absent",
                  "it is required");
    }
  }
}

}  // namespace

bool is_open(const Type& type) {
  switch (type.kind) {
    case Type::Kind::kUnknown: return true;
    case Type::Kind::kTensor:
    case Type::Kind::kSparseTensor: return type.dtype == DType::kUndefined;
    default: return type.element == nullptr || is_open(*type.element);
  }
}

void check_node(const Node& node, const OpSchema& schema) {
  check_ports(node.inputs, schema.inputs, schema.min_inputs, schema.max_inputs, "input");
  check_ports(node.outputs, schema.outputs, schema.min_outputs, schema.max_outputs, "output");
  check_attributes(node, schema);
}

void check_input_types(const OpSchema& schema, const std::vector<Type>& inputs) {
  std::map<std::string_view, std::pair<std::string, std::string>>
      bound;  // parameter: spelling, the port that bound it
  for (size_t i = 0; i < inputs.size(); ++i) {
    const PortSchema* port = schema.input_port(i);
    if (port == nullptr || is_open(inputs[i])) continue;
    const std::string spelling = schema_spelling(inputs[i]);
    const TypeParameter* parameter = schema.type_parameter(port->type);
    if (parameter == nullptr) {
      if (spelling == port->type) continue;
      fail_schema("type-mismatch", "input " + quoted(port->name) + " is " + spelling,
                  "must be " + port->type);
    }
    const auto& types = parameter->types;
    if (std::find(types.begin(), types.end(), spelling) == types.end()) {
      fail_schema("type-mismatch", "input " + quoted(port->name) + " is " + spelling,
                  "which is not among the types of " + parameter->name);
    }
    if (port->arity == Arity::kVariadic && !port->homogeneous) continue;
    const auto [entry, fresh] = bound.try_emplace(parameter->name, spelling, port->name);
    if (!fresh && entry->second.first != spelling) {
      fail_schema(
          "type-mismatch", "input " + quoted(port->name) + " is " + spelling,
          "must be " + entry->second.first + " as input " + quoted(entry->second.second) + " is");
    }
  }
}

std::string node_place(const Node& node, int since_version) {
  std::string place = "node ";
  if (!node.name.empty()) {
    place += quoted(node.name);
  } else {
    const auto named = std::find_if(node.outputs.begin(), node.outputs.end(),
                                    [](const std::string& output) { return !output.empty(); });
    place += "-> " + quoted(named == node.outputs.end() ? "" : *named);
  }
  place += " (" + node.op;
  if (since_version > 0) place += "-" + std::to_string(since_version);
  return place + ")";
}

}  // namespace onnxv
