// The tree walk: evaluates a model exactly.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ops/operator.h"
#include "src/model/graph.h"

namespace onnxv {

// What an evaluation did at one node; handed to the observer while the values are alive.
struct NodeEvent {
  const Node* node = nullptr;
  std::string path;            // "loop1/body/3/add": enclosing nodes, their attributes and iterations
  std::string domain;          // resolved
  int since_version = 0;       // 0: a call of a local function, whose nodes come before it
  int64_t opset = 0;           // imported version of the node's domain
  int depth = 0;               // 0: the main graph
  const std::vector<Value>* inputs = nullptr;
  const std::vector<Value>* outputs = nullptr;
  const std::vector<UnspecifiedMark>* unspecified = nullptr;
  // Outer values that the node's subgraphs read, by name.
  std::vector<std::pair<std::string, Value>> captured;
  // Inside a local function: what its attributes are in this call, for attributes that refer to them. Else null.
  const std::vector<std::pair<std::string, AttributeValue>>* function_attributes = nullptr;
};

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void node(const NodeEvent& event) = 0;
};

// Moves the outputs of each node before anyone sees them: what an inexact backend might do (conformance/golden.cc).
class Disturber {
 public:
  virtual ~Disturber() = default;
  virtual void move(std::vector<Value>* outputs) = 0;
};

struct EvaluateOptions {
  uint64_t seed = 0;
  Observer* observer = nullptr;    // may be null
  Disturber* disturber = nullptr;  // may be null
};

struct Evaluation {
  std::vector<Value> outputs;          // by the graph's outputs
  std::vector<std::string> warnings;   // "node "x" (Op-1): …"
  std::vector<std::vector<UnspecifiedMark>> unspecified;  // per graph output: marks made by the node that produced it
  // Outputs that lie below a node that made unspecified elements.
  std::vector<bool> downstream_of_unspecified;
};

// Ready to run: checked, operators and names resolved. Errors: kModel, kSchema, kLimit (nesting).
class PreparedModel {
 public:
  // kWhole: the first thing that check_model finds wrong is an error, be it in a function that nothing calls.
  enum class Check { kWhole, kNodesThatRun };
  explicit PreparedModel(std::shared_ptr<const Model> model, Check check = Check::kWhole);
  ~PreparedModel();
  const Model& model() const;
  // Graph inputs that are not initializers: what a caller must give.
  std::vector<const ValueInfo*> required_inputs() const;
  // `inputs` by name; an initializer may be overridden. Errors: kSchema, kUndefined, kLimit, each with the node as its place.
  Evaluation evaluate(const std::map<std::string, Value>& inputs, const EvaluateOptions& options = {}) const;

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
};

// One node alone: for tests and node isolation. Attributes as the file would hold them.
// `opset` is the imported version of the node's domain; outputs named in node.outputs are computed.
// Subgraphs see `outer` and import every other domain at its newest version.
struct NodeSurroundings {
  std::vector<Type> output_types;      // what the graph declares per output; kUnknown: nothing
  std::map<std::string, Value> outer;  // what subgraphs may capture
  uint64_t seed = 0;
};
struct NodeEvaluation {
  Outputs outputs;
  std::vector<std::string> warnings;
  std::vector<UnspecifiedMark> unspecified;
};
NodeEvaluation evaluate_node(const Node& node, int64_t opset, const std::vector<Value>& inputs,
                             const NodeSurroundings& surroundings = {});

}  // namespace onnxv
