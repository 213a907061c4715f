#include "schema/graph_order.h"

#include <algorithm>
#include <map>

#include "schema/check.h"

namespace onnxv {
namespace {

void add_needed(const Node& node, int depth, std::set<std::string_view>& needed);

void add_captured(const Graph& graph, int depth, std::set<std::string_view>& captured) {
  std::set<std::string_view> used, defined;
  for (const ValueInfo& input : graph.inputs) defined.insert(input.name);
  for (const Initializer& initializer : graph.initializers) defined.insert(initializer.name);
  for (const Node& node : graph.nodes) {
    add_needed(node, depth + 1, used);
    defined.insert(node.outputs.begin(), node.outputs.end());
  }
  for (const ValueInfo& output : graph.outputs) used.insert(output.name);
  std::set_difference(used.begin(), used.end(), defined.begin(), defined.end(),
                      std::inserter(captured, captured.end()));
}

void add_needed(const Node& node, int depth, std::set<std::string_view>& needed) {
  for (const std::string& input : node.inputs) {
    if (!input.empty()) needed.insert(input);
  }
  if (depth > kMaxNesting) return;  // the checker reports it
  for (const Graph* graph : subgraphs(node)) add_captured(*graph, depth, needed);
}

using Edges = std::vector<std::vector<size_t>>;

// predecessors[i]: the nodes whose outputs node i needs.
Edges predecessors_of(const std::vector<Node>& nodes) {
  std::map<std::string_view, size_t> maker;
  for (size_t i = 0; i < nodes.size(); ++i) {
    for (const std::string& output : nodes[i].outputs) maker.emplace(output, i);
  }
  Edges predecessors(nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i) {
    for (std::string_view name : needed_names(nodes[i])) {
      if (const auto found = maker.find(name); found != maker.end())
        predecessors[i].push_back(found->second);
    }
  }
  return predecessors;
}

// For each node, how many of its predecessors stay when all that can be sorted is taken away.
std::vector<size_t> left_after_sorting(const Edges& predecessors) {
  Edges successors(predecessors.size());
  std::vector<size_t> left(predecessors.size());
  std::vector<size_t> ready;
  for (size_t i = 0; i < predecessors.size(); ++i) {
    left[i] = predecessors[i].size();
    for (size_t before : predecessors[i]) successors[before].push_back(i);
    if (left[i] == 0) ready.push_back(i);
  }
  while (!ready.empty()) {
    const size_t done = ready.back();
    ready.pop_back();
    for (size_t after : successors[done]) {
      if (--left[after] == 0) ready.push_back(after);
    }
  }
  return left;
}

}  // namespace

std::vector<const Graph*> subgraphs(const Node& node) {
  std::vector<const Graph*> found;
  for (const Attribute& attribute : node.attributes) {
    if (const auto* one = std::get_if<std::shared_ptr<const Graph>>(&attribute.value)) {
      if (*one) found.push_back(one->get());
    } else if (const auto* many =
                   std::get_if<std::vector<std::shared_ptr<const Graph>>>(&attribute.value)) {
      for (const auto& graph : *many) {
        if (graph) found.push_back(graph.get());
      }
    }
  }
  return found;
}

std::set<std::string_view> needed_names(const Node& node) {
  std::set<std::string_view> needed;
  add_needed(node, 0, needed);
  return needed;
}

std::vector<size_t> find_cycle(const std::vector<Node>& nodes) {
  const Edges predecessors = predecessors_of(nodes);
  const std::vector<size_t> left = left_after_sorting(predecessors);
  const auto start = std::find_if(left.begin(), left.end(), [](size_t count) { return count > 0; });
  if (start == left.end()) return {};
  // Every node that is left has a predecessor that is left: going back must come round.
  std::vector<size_t> path;
  std::vector<bool> seen(nodes.size());
  size_t at = static_cast<size_t>(start - left.begin());
  while (!seen[at]) {
    seen[at] = true;
    path.push_back(at);
    at = *std::find_if(predecessors[at].begin(), predecessors[at].end(),
                       [&](size_t p) { return left[p] > 0; });
  }
  path.erase(path.begin(), std::find(path.begin(), path.end(), at));
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace onnxv
