// One node in its place: names, references, operator or function, what it makes, what it holds.
#include <algorithm>

#include "schema/attribute_types.h"
#include "schema/check_graph.h"

namespace onnxv {
namespace {

std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

}  // namespace

void GraphChecker::check_one(const Node& node, Place& place) {
  const FunctionKey key = key_of_call(node);
  const auto function = functions_.find(key);
  const auto opset = place.context.opsets.find(key.domain);
  const OpSchema* schema = nullptr;
  if (function == functions_.end() && opset != place.context.opsets.end() &&
      node.overload.empty()) {
    schema = find_schema(key.domain, node.op, opset->second);
  }
  const std::string where =
      joined_place(place.path, node_place(node, schema == nullptr ? 0 : schema->since_version));
  check_uses(node, where, place);
  check_references(node, where, place);
  std::vector<Type> inferred(node.outputs.size());
  if (function != functions_.end()) {
    check_call(*function->second, node, where);
  } else if (schema != nullptr) {
    inferred = check_against(*schema, node, where, place);
  } else {
    report_unresolved(node, where, place);
  }
  check_subgraphs(node, where, place);
  define_outputs(node, where, inferred, place);
}

void GraphChecker::check_uses(const Node& node, const std::string& where, const Place& place) {
  for (const std::string& input : node.inputs) {
    if (input.empty() || place.scope.sees(input)) continue;
    if (place.scope.comes_to_see(input)) {
      report("use-before-definition", where, "input " + quoted(input) + " is made by a later node",
             "nodes must stand in the order of their data");
    } else {
      report("name-undefined", where, "nothing makes its input " + quoted(input));
    }
  }
}

void GraphChecker::check_references(const Node& node, const std::string& where,
                                    const Place& place) {
  const Function* function = place.context.function;
  for (const Attribute& attribute : node.attributes) {
    if (attribute.reference.empty()) continue;
    const std::string got =
        "attribute " + quoted(attribute.name) + " refers to " + quoted(attribute.reference);
    if (function == nullptr) {
      report("attribute-reference", where, got,
             "only a function's nodes may refer to its attributes");
      continue;
    }
    const auto& names = function->attributes;
    const auto& defaults = function->attribute_defaults;
    const bool known = std::find(names.begin(), names.end(), attribute.reference) != names.end() ||
                       std::any_of(defaults.begin(), defaults.end(), [&](const Attribute& a) {
                         return a.name == attribute.reference;
                       });
    if (!known) report("attribute-reference", where, got, "which the function does not declare");
  }
}

std::vector<Type> GraphChecker::check_against(const OpSchema& schema, const Node& node,
                                              const std::string& where, const Place& place) {
  std::vector<Type> inputs;
  for (const std::string& input : node.inputs)
    inputs.push_back(input.empty() ? Type() : place.scope.type(input));
  std::vector<Type> outputs;
  try {
    check_node(node, schema);
    check_input_types(schema, inputs);
    outputs = types_by_attributes(schema, type_claims(node), inputs, node.outputs.size());
  } catch (const Error& error) {
    const Error placed = error.at(where);
    findings_.push_back({placed.slug(), placed.what()});
    return std::vector<Type>(node.outputs.size());
  }
  if (schema.deprecated) {
    report("deprecated", where, "the operator is deprecated in this opset", {}, ErrorKind::kSchema,
           true);
  }
  const std::vector<Type> inferred = inferred_output_types(schema, inputs, node.outputs.size());
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (is_open(outputs[i])) outputs[i] = inferred[i];
  }
  return outputs;
}

void GraphChecker::check_call(const Function& function, const Node& node,
                              const std::string& where) {
  if (node.inputs.size() > function.inputs.size()) {
    report("arity", where, "the call has " + std::to_string(node.inputs.size()) + " inputs",
           "the function has " + std::to_string(function.inputs.size()));
  }
  if (node.outputs.size() > function.outputs.size()) {
    report("arity", where, "the call has " + std::to_string(node.outputs.size()) + " outputs",
           "the function has " + std::to_string(function.outputs.size()));
  }
  for (const Attribute& attribute : node.attributes) {
    if (attribute.name.starts_with("__")) continue;
    const auto& defaults = function.attribute_defaults;
    const auto& names = function.attributes;
    const auto preset = std::find_if(defaults.begin(), defaults.end(),
                                     [&](const Attribute& a) { return a.name == attribute.name; });
    if (preset == defaults.end() &&
        std::find(names.begin(), names.end(), attribute.name) == names.end()) {
      report("attribute-unknown", where, "the function has no attribute " + quoted(attribute.name));
    } else if (preset != defaults.end() && attribute.kind != preset->kind &&
               attribute.kind != Attribute::Kind::kUndefined) {
      report("attribute-kind", where, "attribute " + quoted(attribute.name) + " is of another kind",
             "must be of its default's");
    }
  }
}

void GraphChecker::report_unresolved(const Node& node, const std::string& where,
                                     const Place& place) {
  const FunctionKey key = key_of_call(node);
  const auto opset = place.context.opsets.find(key.domain);
  const auto versions = schema_versions(key.domain, key.name);
  if (opset == place.context.opsets.end()) {
    report("domain-not-imported", where, "domain " + quoted(key.domain) + " is not imported",
           "nor is " + text(key) + " a function of the model");
  } else if (!node.overload.empty()) {
    report("unknown-operator", where, "the model has no function " + text(key));
  } else if (!versions.empty()) {
    report("operator-not-in-opset", where,
           node.op + " begins with opset " + std::to_string(versions.front().since_version),
           "the model imports " + key.domain + " " + std::to_string(opset->second));
  } else {
    report("unknown-operator", where,
           text(key) + " is neither a known operator nor a function of the model");
  }
}

void GraphChecker::define_outputs(const Node& node, const std::string& where,
                                  const std::vector<Type>& inferred, Place& place) {
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    const std::string& name = node.outputs[i];
    if (name.empty()) continue;
    if (place.scope.sees(name)) {
      report("name-twice", where, "output " + quoted(name) + " has a name that is taken",
             "every name must be given once");
      continue;
    }
    Type type = inferred[i];
    if (const auto found = place.declared.find(name); found != place.declared.end()) {
      const Type& declared = *found->second;
      if (is_open(type)) {
        type = declared;
      } else if (!is_open(declared) && !same_type(declared, type)) {
        report("type-mismatch", where, "output " + quoted(name) + " is " + schema_spelling(type),
               "it is declared as " + schema_spelling(declared));
      }
    }
    place.scope.types.emplace(name, std::move(type));
  }
}

void GraphChecker::check_subgraphs(const Node& node, const std::string& where, const Place& place) {
  for (const Attribute& attribute : node.attributes) {
    const std::string path = where + ": graph " + quoted(attribute.name);
    if (const auto* one = std::get_if<std::shared_ptr<const Graph>>(&attribute.value)) {
      if (*one) check_graph(**one, place.context, &place.scope, path, place.depth + 1);
    } else if (const auto* many =
                   std::get_if<std::vector<std::shared_ptr<const Graph>>>(&attribute.value)) {
      for (const auto& graph : *many) {
        if (graph) check_graph(*graph, place.context, &place.scope, path, place.depth + 1);
      }
    }
  }
}

}  // namespace onnxv
