#include "schema/functions.h"

#include <algorithm>
#include <set>

#include "schema/check.h"
#include "schema/graph_order.h"

namespace onnxv {
namespace {

std::string spelled(const std::string& domain) { return domain.empty() ? "ai.onnx" : domain; }

void add_calls(const std::vector<Node>& nodes, const FunctionIndex& functions, int depth,
               std::set<FunctionKey>& calls) {
  for (const Node& node : nodes) {
    if (FunctionKey key = key_of_call(node); functions.contains(key)) calls.insert(std::move(key));
    if (depth > kMaxNesting) continue;  // the checker reports it
    for (const Graph* graph : subgraphs(node)) add_calls(graph->nodes, functions, depth + 1, calls);
  }
}

struct CallNode {
  std::set<FunctionKey> calls;
  size_t callers = 0;
};
using CallGraph = std::map<FunctionKey, CallNode>;

CallGraph call_graph(const FunctionIndex& functions) {
  CallGraph graph;
  for (const auto& [key, function] : functions)
    add_calls(function->nodes, functions, 0, graph[key].calls);
  for (const auto& [key, function] : functions) {
    for (const FunctionKey& callee : graph[key].calls) ++graph[callee].callers;
  }
  return graph;
}

}  // namespace

FunctionKey key_of(const Function& function) {
  return {spelled(function.domain), function.name, function.overload};
}
FunctionKey key_of_call(const Node& node) { return {spelled(node.domain), node.op, node.overload}; }

std::string text(const FunctionKey& key) {
  return key.domain + "::" + key.name + (key.overload.empty() ? "" : ":" + key.overload);
}

FunctionIndex index_functions(const std::vector<Function>& functions) {
  FunctionIndex index;
  for (const Function& function : functions) index.emplace(key_of(function), &function);
  return index;
}

// Takes away, again and again, the functions that nothing left calls. What stays is called in a
// ring or hangs below one; going from caller to caller within it must come round.
std::vector<FunctionKey> find_recursion(const FunctionIndex& functions) {
  CallGraph left = call_graph(functions);
  std::vector<FunctionKey> ready;
  for (const auto& [key, function] : left) {
    if (function.callers == 0) ready.push_back(key);
  }
  while (!ready.empty()) {
    const FunctionKey done = ready.back();
    ready.pop_back();
    for (const FunctionKey& callee : left[done].calls) {
      if (--left[callee].callers == 0) ready.push_back(callee);
    }
    left.erase(done);
  }
  if (left.empty()) return {};
  std::map<FunctionKey, FunctionKey> caller;
  for (const auto& [key, function] : left) {
    for (const FunctionKey& callee : function.calls) caller[callee] = key;
  }
  std::vector<FunctionKey> chain;
  std::set<FunctionKey> seen;
  FunctionKey at = left.begin()->first;
  for (; seen.insert(at).second; at = caller[at]) chain.push_back(at);
  chain.erase(chain.begin(), std::find(chain.begin(), chain.end(), at));
  std::reverse(chain.begin(), chain.end());
  return chain;
}

}  // namespace onnxv
