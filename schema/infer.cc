// Output types, as far as a schema decides them without reading attributes or values (attribute_types reads those).
#include <map>

#include "schema/check.h"

namespace onnxv {
namespace {

Type without_shape(Type type) {
  type.shape.reset();
  return type;
}

bool binds(const PortSchema& port) {
  return port.arity != PortSchema::Arity::kVariadic || port.homogeneous;
}

}  // namespace

std::vector<Type> inferred_output_types(const OpSchema& schema, const std::vector<Type>& inputs,
                                        size_t count) {
  std::map<std::string_view, Type> bound;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const PortSchema* port = schema.input_port(i);
    if (port != nullptr && binds(*port) && !is_open(inputs[i]))
      bound.try_emplace(port->type, without_shape(inputs[i]));
  }
  std::vector<Type> outputs(count);
  for (size_t i = 0; i < count; ++i) {
    const PortSchema* port = schema.output_port(i);
    if (port == nullptr || !binds(*port)) continue;
    const TypeParameter* parameter = schema.type_parameter(port->type);
    if (parameter == nullptr) {
      outputs[i] = parse_type(port->type);
    } else if (const auto found = bound.find(port->type); found != bound.end()) {
      outputs[i] = found->second;
    } else if (parameter->types.size() == 1) {
      outputs[i] = parse_type(parameter->types.front());
    }
  }
  return outputs;
}

}  // namespace onnxv
