// A node of a model as a model of its own: names of node, values and graph kept, constants still
// constants.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "src/run/evaluate.h"

namespace onnxv {

// Names of initializers and of Constant nodes' outputs, in all graphs of the model.
std::set<std::string> constant_names(const Model& model);

struct SingleNode {
  Model model;
  std::vector<Value> inputs;    // by the graph's inputs, which have no initializers
  std::vector<size_t> outputs;  // per graph output: its position among the node's outputs
};

// The node of an event, with the values it was given. `problem` says why there is none: a value's
// type that no model can state, a captured value that is not there.
std::optional<SingleNode> single_node(const Model& model, const NodeEvent& event,
                                      const std::set<std::string>& constants, std::string& problem);

}  // namespace onnxv
