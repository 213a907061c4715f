#include "src/cli/operator_status.h"

#include <array>

#include "schema/ledger.h"
#include "src/cli/value_text.h"
#include "src/number/rational.h"

namespace onnxv::cli {
namespace {

template <class List, class Text>
std::string joined(const List& list, std::string_view between, Text text) {
  std::string all;
  for (const auto& item : list) {
    if (!all.empty()) all += between;
    all += text(item);
  }
  return all;
}

std::string port_text(const PortSchema& port) {
  switch (port.arity) {
    case PortSchema::Arity::kSingle: return port.name + ": " + port.type;
    case PortSchema::Arity::kOptional: return port.name + "?: " + port.type;
    case PortSchema::Arity::kVariadic:
      return port.name + "...: " + port.type + (port.homogeneous ? "" : " each") + ", at least " +
             std::to_string(port.min_arity);
  }
  return port.name;
}

std::string_view kind_text(Attribute::Kind kind) {
  constexpr std::array<std::string_view, 15> names = {
      "undefined",      "float",      "int",        "string",  "tensor", "graph",
      "floats",         "ints",       "strings",    "tensors", "graphs", "sparse_tensor",
      "sparse_tensors", "type_proto", "type_protos"};
  return names.at(static_cast<size_t>(kind));
}

std::string real_text(float value) {
  return value_text(Tensor::float_scalar(value), 1).substr(std::string_view("float32[] ").size());
}

std::string default_text(const AttributeValue& value) {
  if (const auto* integer = std::get_if<int64_t>(&value)) return std::to_string(*integer);
  if (const auto* real = std::get_if<float>(&value)) return real_text(*real);
  if (const auto* text = std::get_if<std::string>(&value)) return "\"" + *text + "\"";
  if (const auto* integers = std::get_if<std::vector<int64_t>>(&value)) {
    return "[" + joined(*integers, ", ", [](int64_t i) { return std::to_string(i); }) + "]";
  }
  if (const auto* reals = std::get_if<std::vector<float>>(&value))
    return "[" + joined(*reals, ", ", real_text) + "]";
  if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) {
    return "[" + joined(*texts, ", ", [](const std::string& text) { return "\"" + text + "\""; }) +
           "]";
  }
  if (const auto* tensor = std::get_if<Tensor>(&value)) return value_text(*tensor, 8);
  return "given";
}

std::string attribute_text(const AttributeSchema& attribute) {
  std::string text = "    " + attribute.name + ": " + std::string(kind_text(attribute.kind));
  if (attribute.required) return text + ", required\n";
  if (std::holds_alternative<std::monostate>(attribute.default_value)) return text + ", optional\n";
  return text + " = " + default_text(attribute.default_value) + "\n";
}

}  // namespace

std::string signature_of(const OpSchema& schema) {
  std::string text = schema.domain + " " + schema.name + "-" +
                     std::to_string(schema.since_version) + "(" +
                     joined(schema.inputs, ", ", port_text) + ") -> (" +
                     joined(schema.outputs, ", ", port_text) + ")\n";
  text += "  " + std::string(status_name(ledger_status(schema))) +
          (schema.deprecated ? ", deprecated" : "") +
          (schema.experimental ? ", experimental" : "") + "\n";
  if (!schema.attributes.empty()) text += "  attributes\n";
  for (const AttributeSchema& attribute : schema.attributes) text += attribute_text(attribute);
  if (!schema.type_parameters.empty()) text += "  types\n";
  for (const TypeParameter& parameter : schema.type_parameters) {
    text += "    " + parameter.name + ": " +
            joined(parameter.types, ", ", [](const std::string& t) { return t; }) + "\n";
  }
  return text;
}

}  // namespace onnxv::cli
