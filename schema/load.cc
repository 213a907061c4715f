#include "schema/load.h"

#include <climits>
#include <map>
#include <nlohmann/json.hpp>

namespace onnxv {
namespace {

using nlohmann::json;

Attribute::Kind kind_from(const std::string& name) {
  using Kind = Attribute::Kind;
  static const std::map<std::string, Kind, std::less<>> kinds = {
      {"float", Kind::kFloat},
      {"int", Kind::kInt},
      {"string", Kind::kString},
      {"tensor", Kind::kTensor},
      {"graph", Kind::kGraph},
      {"floats", Kind::kFloats},
      {"ints", Kind::kInts},
      {"strings", Kind::kStrings},
      {"sparse_tensor", Kind::kSparseTensor},
      {"type_proto", Kind::kTypeProto},
  };
  const auto found = kinds.find(name);
  if (found == kinds.end()) fail_internal("schema-data", "unknown attribute kind \"" + name + "\"");
  return found->second;
}

PortSchema port_from(const json& row) {
  PortSchema port;
  port.name = row.at("name");
  port.type = row.at("type");
  const std::string arity = row.value("arity", "single");
  if (arity == "optional") port.arity = PortSchema::Arity::kOptional;
  if (arity == "variadic") port.arity = PortSchema::Arity::kVariadic;
  port.homogeneous = row.value("homogeneous", true);
  port.min_arity = row.value("min_arity", 1);
  return port;
}

AttributeValue default_from(const json& value, Attribute::Kind kind) {
  switch (kind) {
    case Attribute::Kind::kFloat: return value.get<float>();
    case Attribute::Kind::kInt: return value.get<int64_t>();
    case Attribute::Kind::kString: return value.get<std::string>();
    case Attribute::Kind::kFloats: return value.get<std::vector<float>>();
    case Attribute::Kind::kInts: return value.get<std::vector<int64_t>>();
    case Attribute::Kind::kStrings: return value.get<std::vector<std::string>>();
    default: fail_internal("schema-data", "a default of a kind that has none");
  }
}

AttributeSchema attribute_from(const json& row) {
  AttributeSchema attribute;
  attribute.name = row.at("name");
  attribute.kind = kind_from(row.at("kind"));
  for (const json& kind : row.value("also", json::array()))
    attribute.also_kinds.push_back(kind_from(kind));
  attribute.required = row.value("required", false);
  if (row.contains("default"))
    attribute.default_value = default_from(row.at("default"), attribute.kind);
  return attribute;
}

int bound_from(const json& value) {
  return value.get<int>() < 0 ? INT_MAX : value.get<int>();  // -1: no upper bound
}

void add_ports(const json& rows, std::vector<PortSchema>& ports, std::vector<std::string>& names) {
  for (const json& row : rows) {
    ports.push_back(port_from(row));
    names.push_back(ports.back().name);
  }
}

OpSchema version_from(const json& row) {
  OpSchema schema;
  schema.since_version = row.at("since");
  schema.deprecated = row.value("deprecated", false);
  schema.text_hash = row.at("text_hash");
  add_ports(row.at("inputs"), schema.inputs, schema.input_names);
  add_ports(row.at("outputs"), schema.outputs, schema.output_names);
  schema.min_inputs = row.at("min_inputs");
  schema.max_inputs = bound_from(row.at("max_inputs"));
  schema.min_outputs = row.at("min_outputs");
  schema.max_outputs = bound_from(row.at("max_outputs"));
  for (const json& attribute : row.at("attributes"))
    schema.attributes.push_back(attribute_from(attribute));
  for (const json& type : row.at("types")) {
    schema.type_parameters.push_back(
        {type.at("name"), type.at("types").get<std::vector<std::string>>()});
  }
  return schema;
}

}  // namespace

std::vector<OpSchema> load_operator(std::string_view text) {
  try {
    const json data = json::parse(text);
    std::vector<OpSchema> versions;
    for (const json& row : data.at("versions")) {
      versions.push_back(version_from(row));
      versions.back().domain = data.at("domain");
      versions.back().name = data.at("name");
      versions.back().experimental = data.value("experimental", false);
    }
    return versions;
  } catch (const json::exception& error) {
    fail_internal("schema-data", error.what());
  }
}

}  // namespace onnxv
