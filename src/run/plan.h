// A graph made ready to walk: operators and schemas resolved, names turned into slots, lifetimes
// known.
//
// Every graph activation (the main graph, a subgraph's iteration, a function's call) has one array
// of values; a slot is an index into it. A subgraph reaches outer values through captures, copied
// into its own slots as it starts, so that the walk never searches a name.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ops/operator.h"
#include "schema/schema.h"
#include "src/kernel/weights.h"
#include "src/model/graph.h"

namespace onnxv {

struct GraphPlan;
struct FunctionPlan;

inline constexpr int kNoSlot = -1;  // an absent input, an output that nobody named

// One attribute of a node: a value, the subgraphs it holds, or the name of the enclosing function's
// attribute.
struct GivenAttribute {
  std::string name;
  AttributeValue value;
  std::vector<std::shared_ptr<const GraphPlan>> bodies;
  bool is_list = false;  // of bodies
  std::string reference;
};

// The plain tensors that an input may be, without the words of an error.
struct PortTypes {
  uint32_t dtypes = 0;  // bit by element type
  int parameter = -1;   // inputs of one type parameter must be alike; -1: alike with nobody
};

struct NodePlan {
  const Node* node = nullptr;
  const OpSchema* schema = nullptr;      // null: a call of a local function
  const Behaviour* behaviour = nullptr;  // null: none is written for this version
  const FunctionPlan* function = nullptr;
  int constant = -1;  // number among the nodes that read nothing but constants; -1: it is none of them
  std::string domain;                // never ""
  int64_t opset = 0;                 // imported version of the domain
  std::string place;                 // for errors and warnings
  std::string label;                 // for paths: the name, or the first output's
  std::vector<int> inputs, outputs;  // slots
  std::vector<bool> takes;           // per input: the last use of its slot, the value may be moved
  std::vector<int> frees;            // slots that nobody reads after this node
  std::vector<GivenAttribute> attributes;
  std::vector<int> captured;                      // slots that its subgraphs read
  std::vector<std::string> captured_names;        // as many
  std::vector<std::optional<Type>> output_types;  // as the graph declares them
  // What every call of an operator is given, made once:
  std::vector<PortTypes> port_types;        // per input
  std::vector<NamedOutput> named_outputs;   // trailing ones without a name are left out
  // Defaults of the schema included. nullopt: they depend on the call (subgraphs, attributes of an enclosing function).
  std::optional<std::vector<NamedAttribute>> fixed_attributes;
};

struct GraphPlan {
  const Graph* graph = nullptr;  // null: a function's body
  std::vector<NodePlan> nodes;
  std::vector<Body::Port> inputs, outputs;
  std::vector<int> input_slots, output_slots;
  std::vector<bool> has_initializer;             // per input
  std::vector<std::pair<int, Value>> constants;  // initializers, sparse ones made dense
  std::vector<std::unique_ptr<Weights>> weights;  // the tensors among them: what kernels keep of them lives as long
  std::vector<std::pair<int, int>> captures;     // outer slot, own slot
  std::vector<std::string> capture_names;        // as many
  size_t slot_count = 0;
  int depth = 0;  // 0: the main graph
};

struct FunctionPlan {
  const Function* function = nullptr;
  std::shared_ptr<const GraphPlan> body;
  std::vector<std::pair<std::string, AttributeValue>> defaults;
};

using OpsetVersions = std::map<std::string, int64_t, std::less<>>;  // by domain, never ""

class SlotScope;

// Plans a model's main graph and every function that it reaches. Errors: kModel, kSchema, kLimit
// (nesting).
class Planner {
 public:
  explicit Planner(const Model& model);
  std::shared_ptr<const GraphPlan> main_graph();
  // The plans of the functions, which the graphs' plans point into.
  std::vector<std::unique_ptr<FunctionPlan>> take_functions() { return std::move(function_plans_); }
  // How many nodes read nothing but constants.
  int constant_nodes() const { return constant_nodes_; }

 private:
  // What holds for a graph and all the subgraphs in it.
  struct Unit {
    OpsetVersions opsets;
    const Function* function = nullptr;  // null: the main graph
    std::unordered_map<std::string, const Type*> declared =
        {};  // types by name, of the graph at hand
  };

  std::shared_ptr<GraphPlan> plan_graph(const Graph& graph, SlotScope* outer, const Unit& unit,
                                        int depth);
  void plan_nodes(const std::vector<Node>& nodes, SlotScope& scope, const Unit& unit);
  NodePlan plan_node(const Node& node, SlotScope& scope, const Unit& unit);
  void resolve(NodePlan& plan, const Unit& unit, int depth);
  void plan_attributes(NodePlan& plan, SlotScope& scope, const Unit& unit);
  const FunctionPlan* plan_function(const Function& function, int depth);

  const Model& model_;
  std::unordered_map<std::string, const Function*> functions_;  // by domain, name, overload
  std::unordered_map<const Function*, const FunctionPlan*>
      planned_;  // null while it is being planned
  std::vector<std::unique_ptr<FunctionPlan>> function_plans_;
  int constant_nodes_ = 0;
};

// "ai.onnx" for "".
std::string normalized_domain(std::string_view domain);

}  // namespace onnxv
