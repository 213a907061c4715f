#include "schema/check_graph.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "schema/graph_order.h"

namespace onnxv {
namespace {

std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

// False only where both shapes are known and no dimension sizes can make them one.
bool shapes_agree(const Type& declared, const Type& actual) {
  if (!declared.shape || !actual.shape) return true;
  return std::equal(declared.shape->begin(), declared.shape->end(), actual.shape->begin(),
                    actual.shape->end(), [](const Type::Dim& a, const Type::Dim& b) {
                      return a.value < 0 || b.value < 0 || a.value == b.value;
                    });
}

std::string shape_text(const Type& type) {
  std::string text = "[";
  for (const Type::Dim& dim : *type.shape) {
    if (text.size() > 1) text += ", ";
    text += dim.value >= 0 ? std::to_string(dim.value) : dim.symbol.empty() ? "?" : dim.symbol;
  }
  return text + "]";
}

}  // namespace

bool Scope::sees(std::string_view name) const {
  for (const Scope* scope = this; scope != nullptr; scope = scope->outer) {
    if (scope->types.contains(name)) return true;
  }
  return false;
}

Type Scope::type(std::string_view name) const {
  for (const Scope* scope = this; scope != nullptr; scope = scope->outer) {
    if (const auto found = scope->types.find(name); found != scope->types.end())
      return found->second;
  }
  return {};
}

bool Scope::comes_to_see(std::string_view name) const {
  for (const Scope* scope = this; scope != nullptr; scope = scope->outer) {
    if (scope->made.contains(name)) return true;
  }
  return false;
}

std::string joined_place(const std::string& path, const std::string& place) {
  return path.empty() ? place : path + ": " + place;
}

void GraphChecker::report(std::string_view slug, std::string_view place, std::string_view got,
                          std::string_view wanted, ErrorKind kind, bool warning) {
  const Error error(kind, slug, got, wanted, place);
  findings_.push_back({error.slug(), error.what(), warning});
}

void GraphChecker::declare_inputs(const Graph& graph, Scope& scope, const std::string& path) {
  for (const ValueInfo& input : graph.inputs) {
    const std::string where = joined_place(path, "input " + quoted(input.name));
    if (input.name.empty()) report("name-empty", where, "a graph input has no name");
    if (path.empty() && input.type.kind == Type::Kind::kUnknown)
      report("type-missing", where, "no type is declared");
    // An input of a body may hide a name of the graph around it.
    if (!scope.types.try_emplace(input.name, input.type).second) {
      report("name-twice", where, "the name is given to two inputs");
    }
  }
}

void GraphChecker::declare_initializers(const Graph& graph, Scope& scope, const std::string& path,
                                        int depth) {
  std::set<std::string_view> seen;
  for (const Initializer& initializer : graph.initializers) {
    const std::string where = joined_place(path, "initializer " + quoted(initializer.name));
    if (initializer.name.empty()) report("name-empty", where, "an initializer has no name");
    if (!seen.insert(initializer.name).second)
      report("name-twice", where, "the name is given to two initializers");
    Type actual = initializer.value.type();
    // A sparse initializer is a way to store a dense tensor.
    if (actual.kind == Type::Kind::kSparseTensor) actual.kind = Type::Kind::kTensor;
    const auto [entry, fresh] = scope.types.try_emplace(initializer.name, actual);
    if (fresh) {
      // Before IR version 4 an initializer was the default of an input and nothing else. Models
      // that break this have one meaning all the same, and the wild holds many: a warning.
      if (depth == 0 && ir_version_ < 4) {
        report("initializer-not-input", where, "it is not among the graph's inputs", {},
               ErrorKind::kSchema, true);
      }
      continue;
    }
    const Type& declared = entry->second;
    if (!is_open(declared) && !same_type(declared, actual)) {
      report("type-mismatch", where, "it is " + schema_spelling(actual),
             "the input of its name is " + schema_spelling(declared));
    } else if (!shapes_agree(declared, actual)) {
      report("shape-mismatch", where, "its shape is " + shape_text(actual),
             "the input of its name is " + shape_text(declared));
    }
  }
}

void GraphChecker::check_graph(const Graph& graph, const BodyContext& context, const Scope* outer,
                               const std::string& path, int depth) {
  if (depth > kMaxNesting) {
    report("nesting", path.empty() ? "graph" : path,
           "graphs are nested deeper than " + std::to_string(kMaxNesting), {}, ErrorKind::kLimit);
    return;
  }
  Scope scope{outer, {}, {}};
  declare_inputs(graph, scope, path);
  declare_initializers(graph, scope, path, depth);
  Place place{context, scope, path, depth};
  for (const ValueInfo& output : graph.outputs) place.declared.emplace(output.name, &output.type);
  check_nodes(graph.nodes, graph.value_infos, place);
  check_outputs(graph, scope, path);
}

void GraphChecker::check_outputs(const Graph& graph, const Scope& scope, const std::string& path) {
  for (const ValueInfo& output : graph.outputs) {
    const std::string where = joined_place(path, "output " + quoted(output.name));
    if (!scope.sees(output.name))
      report("output-undefined", where, "nothing in the graph makes it");
    if (path.empty() && output.type.kind == Type::Kind::kUnknown)
      report("type-missing", where, "no type is declared");
    if (scope.made.contains(output.name)) continue;  // its node compared the types
    const Type actual = scope.type(output.name);
    if (!is_open(actual) && !is_open(output.type) && !same_type(actual, output.type)) {
      report("type-mismatch", where, "it is " + schema_spelling(actual),
             "it is declared as " + schema_spelling(output.type));
    }
  }
}

void GraphChecker::check_function(const Function& function, const BodyContext& context) {
  const std::string path = "function " + text(key_of(function));
  Scope scope;
  for (const std::string& input : function.inputs) {
    if (!scope.types.try_emplace(input).second)
      report("name-twice", path, "two inputs are named " + quoted(input));
  }
  std::set<std::string_view> attributes;
  for (const std::string& name : function.attributes) {
    if (!attributes.insert(name).second)
      report("attribute-twice", path, "attribute " + quoted(name) + " is declared twice");
  }
  for (const Attribute& attribute : function.attribute_defaults) {
    if (!attributes.insert(attribute.name).second) {
      report("attribute-twice", path, "attribute " + quoted(attribute.name) + " is declared twice");
    }
  }
  for (const ValueInfo& info : function.value_infos) {
    if (const auto found = scope.types.find(info.name); found != scope.types.end())
      found->second = info.type;
  }
  Place place{context, scope, path, 0};
  check_nodes(function.nodes, function.value_infos, place);
  for (const std::string& output : function.outputs) {
    if (!scope.sees(output))
      report("output-undefined", path, "nothing in it makes its output " + quoted(output));
  }
}

void GraphChecker::check_nodes(const std::vector<Node>& nodes,
                               const std::vector<ValueInfo>& declared, Place& place) {
  for (const ValueInfo& info : declared) place.declared.emplace(info.name, &info.type);
  for (const Node& node : nodes) place.scope.made.insert(node.outputs.begin(), node.outputs.end());
  const size_t before = findings_.size();
  for (const Node& node : nodes) check_one(node, place);
  const bool disorder =
      std::any_of(findings_.begin() + static_cast<std::ptrdiff_t>(before), findings_.end(),
                  [](const Finding& f) { return f.slug == "schema/use-before-definition"; });
  if (!disorder) return;
  if (const std::vector<size_t> cycle = find_cycle(nodes); !cycle.empty()) {
    std::string way;
    for (size_t i : cycle) way += (way.empty() ? "" : " -> ") + node_place(nodes[i], 0);
    report("cycle", place.path.empty() ? "graph" : place.path,
           "these nodes need one another: " + way);
  }
}

}  // namespace onnxv
