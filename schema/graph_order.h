// Which node needs which: for telling a cycle from mere disorder.
#pragma once

#include <set>
#include <string_view>
#include <vector>

#include "src/model/graph.h"

namespace onnxv {

// The subgraphs that a node holds, in the order of its attributes.
std::vector<const Graph*> subgraphs(const Node& node);

// Every name that the node takes from its graph: its inputs, and what its subgraphs capture.
std::set<std::string_view> needed_names(const Node& node);

// Positions of the nodes on one cycle, in the order of the data; empty when the nodes can be
// sorted.
std::vector<size_t> find_cycle(const std::vector<Node>& nodes);

}  // namespace onnxv
