// The walk that check_model makes through a graph or a function's body.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "schema/check.h"
#include "schema/functions.h"

namespace onnxv {

// What names mean where a node stands; an inner scope sees the outer ones.
struct Scope {
  const Scope* outer = nullptr;
  std::unordered_map<std::string_view, Type> types;
  std::unordered_set<std::string_view> made;  // by any node of the body, sooner or later

  bool sees(std::string_view name) const;
  // Some node of this or an outer body makes it, be it further down.
  bool comes_to_see(std::string_view name) const;
  // kUnknown when nothing is known.
  Type type(std::string_view name) const;
};

// What holds for a whole body: its imports, and the function whose attributes may be referred to.
struct BodyContext {
  std::map<std::string, int64_t> opsets;  // by domain, "ai.onnx" for ""
  const Function* function = nullptr;     // null in the main graph
};

// `place` behind `path`, where there is one.
std::string joined_place(const std::string& path, const std::string& place);

class GraphChecker {
 public:
  GraphChecker(int64_t ir_version, const FunctionIndex& functions, std::vector<Finding>& findings)
      : ir_version_(ir_version), functions_(functions), findings_(findings) {}

  // `path` stands in front of every place ("" in the main graph); `depth` counts the graphs around
  // this one.
  void check_graph(const Graph& graph, const BodyContext& context, const Scope* outer,
                   const std::string& path, int depth);
  void check_function(const Function& function, const BodyContext& context);

  void report(std::string_view slug, std::string_view place, std::string_view got,
              std::string_view wanted = {}, ErrorKind kind = ErrorKind::kSchema,
              bool warning = false);

 private:
  struct Place {  // of a body's nodes
    const BodyContext& context;
    Scope& scope;
    const std::string& path;
    int depth = 0;
    std::unordered_map<std::string_view, const Type*> declared = {};
  };

  void declare_inputs(const Graph& graph, Scope& scope, const std::string& path);
  void declare_initializers(const Graph& graph, Scope& scope, const std::string& path, int depth);
  void check_outputs(const Graph& graph, const Scope& scope, const std::string& path);
  void check_nodes(const std::vector<Node>& nodes, const std::vector<ValueInfo>& declared,
                   Place& place);
  // check_graph_node.cc:
  void check_one(const Node& node, Place& place);
  void check_uses(const Node& node, const std::string& where, const Place& place);
  void check_references(const Node& node, const std::string& where, const Place& place);
  std::vector<Type> check_against(const OpSchema& schema, const Node& node,
                                  const std::string& where, const Place& place);
  void check_call(const Function& function, const Node& node, const std::string& where);
  void report_unresolved(const Node& node, const std::string& where, const Place& place);
  void define_outputs(const Node& node, const std::string& where, const std::vector<Type>& inferred,
                      Place& place);
  void check_subgraphs(const Node& node, const std::string& where, const Place& place);

  int64_t ir_version_;
  const FunctionIndex& functions_;
  std::vector<Finding>& findings_;
};

}  // namespace onnxv
