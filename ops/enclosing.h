// The graph around a node, for operators that differentiate it.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ops/operator.h"

namespace onnxv {

// The graph around a node, as far as it computes one value from others: for operators that
// differentiate it. Values have numbers; the caller keeps them.
class Enclosing {
 public:
  static constexpr int kAbsent = -1;
  struct CutNode {
    std::string domain, op;            // domain "ai.onnx", never ""
    int since_version = 0;             // 0: a call of a local function
    std::vector<int> inputs, outputs;  // value numbers by position; kAbsent
    size_t index = 0;                  // for call and run
  };
  // How `target` comes from the names given, constants and nothing else.
  struct Cut {
    std::vector<int>
        given;  // the number of each name given; kAbsent where the target does not depend on it
    int target = kAbsent;
    std::vector<CutNode> nodes;                    // in an order in which each can be evaluated
    std::vector<std::pair<int, Value>> constants;  // initializers that the nodes read
    size_t value_count = 0;
  };
  virtual ~Enclosing() = default;
  // Schema errors: "name-undefined" for a name that stands nowhere before the node, "cut-open" when
  // the target depends on a graph input (or a value from outside of the graph) that is not given.
  virtual Cut cut(std::span<const std::string> names, const std::string& target) = 0;
  // A call of a node of some cut on `inputs` (by position; absent ones do not exist), with its
  // attributes. Valid as long as this object; its enclosing() is the graph around that node.
  virtual const OpCall& call(const CutNode& node, std::vector<Value> inputs) = 0;
  // Evaluates the call: by the node's operator, types checked. One Value per named output. Errors
  // carry the node's place.
  virtual Outputs run(const CutNode& node, const OpCall& call) = 0;
};

}  // namespace onnxv
