// One activation of a graph while it is evaluated, and what one evaluation collects.
#pragma once

#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "src/run/evaluate.h"
#include "src/run/kept_results.h"
#include "src/run/plan.h"

namespace onnxv {

// What a function's attributes are in one call.
using AttributeBindings = std::vector<std::pair<std::string, AttributeValue>>;

// One evaluation of a model.
struct Run {
  explicit Run(const EvaluateOptions& given) : options(given) {}
  // A node in a loop says everything once.
  void warn(std::string line) {
    ++said;
    if (warned.insert(line).second) warnings.push_back(std::move(line));
  }

  const EvaluateOptions& options;
  std::vector<std::string> warnings;
  std::unordered_set<std::string> warned;
  size_t said = 0;  // warnings, repeated ones as well
  size_t marks_made = 0;
  KeptResults* kept = nullptr;  // null: this evaluation computes everything
};

struct Frame {
  Frame(const GraphPlan& graph_plan, Run& of_run, std::string at_path, int at_depth,
        const AttributeBindings* bindings);
  // Frame of a subgraph: outer values are captured.
  Frame(const GraphPlan& graph_plan, const Frame& outer, std::string at_path);

  bool is_doubtful(int slot) const {
    return slot != kNoSlot && doubtful[static_cast<size_t>(slot)] != 0;
  }
  Value& at(int slot) { return slots[static_cast<size_t>(slot)]; }
  std::string path_of(const NodePlan& node) const {
    return path.empty() ? node.label : path + "/" + node.label;
  }

  const GraphPlan& plan;
  Run& run;
  std::string path;  // of the enclosing node and iteration
  int depth = 0;
  const AttributeBindings* attributes;  // null outside of functions
  std::vector<Value> slots;
  // Per slot: it comes from a node that made unspecified elements, itself (marks) or further up.
  std::vector<uint8_t> doubtful;
  std::unordered_map<int, std::vector<UnspecifiedMark>>
      marks;                                  // by the node that computed the slot
  std::vector<uint8_t> below_marks;           // per slot: it lies below a node that made marks
  std::unordered_map<int, Value> overridden;  // initializers that the caller gave another value
};

// Evaluates the frame's nodes in order. Errors carry the node's place.
void walk(Frame& frame);

// The graph's outputs, when its nodes were walked.
Outputs outputs_of(Frame& frame);

// A subgraph as an operator sees it; valid while `outer` is.
std::shared_ptr<Body> make_body(std::shared_ptr<const GraphPlan> plan, Frame& outer,
                                std::string path);

// A node's attributes in one call: given ones, those of the enclosing function, and the schema's
// defaults.
class CallAttributes {
 public:
  CallAttributes(const NodePlan& node, Frame& frame);
  // Those of an operator's node as they stand, without defaults.
  std::span<const NamedAttribute> given() const { return given_; }
  // For a function: its attributes, defaults included.
  AttributeBindings bindings(const FunctionPlan& function) const;

 private:
  const AttributeValue* find(std::string_view name) const;

  std::vector<NamedAttribute> given_;
  std::vector<std::unique_ptr<AttributeValue>> bodies_;
};

// Declared types: a kind or element type that differs is a schema error, a fixed dimension that
// differs is reported in words ("" when all is as declared). `what`: `output "y"`.
// `is_as_declared` says that of plain tensors without making words: false where there may be something to tell.
bool is_as_declared(const Type& declared, const Value& value);
std::string check_declared_type(const Type& declared, const Value& value, const std::string& what);

}  // namespace onnxv
