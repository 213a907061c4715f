#include "src/run/enclosing.h"

#include <algorithm>
#include <unordered_map>

#include "schema/check.h"
#include "src/run/operator_call.h"

namespace onnxv {

// What the slots of a graph hold, by name and by maker, as far as it was evaluated.
struct GraphEnclosing::Slots {
  Slots(const Frame& frame, size_t node_count)
      : maker(frame.plan.slot_count, -1), constant(frame.plan.slot_count) {
    const GraphPlan& plan = frame.plan;
    for (size_t i = 0; i < plan.inputs.size(); ++i)
      by_name[plan.inputs[i].name] = plan.input_slots[i];
    for (size_t i = 0; i < plan.constants.size(); ++i) {
      const auto& [slot, value] = plan.constants[i];
      by_name[plan.graph->initializers[i].name] = slot;
      const auto other = frame.overridden.find(slot);
      constant[static_cast<size_t>(slot)] = other == frame.overridden.end() ? value : other->second;
    }
    for (size_t i = 0; i < node_count; ++i) {
      const NodePlan& node = plan.nodes[i];
      for (size_t k = 0; k < node.outputs.size(); ++k) {
        if (node.outputs[k] == kNoSlot) continue;
        by_name[node.node->outputs[k]] = node.outputs[k];
        maker[static_cast<size_t>(node.outputs[k])] = static_cast<int>(i);
      }
    }
  }

  int find(const std::string& name) const {
    const auto found = by_name.find(name);
    if (found != by_name.end()) return found->second;
    fail_schema("name-undefined", "\"" + name + "\" is named", "nothing before the node makes it");
  }

  std::unordered_map<std::string, int> by_name;
  std::vector<int> maker;       // per slot: the node that computes it, or -1
  std::vector<Value> constant;  // per slot: an initializer's value
};

struct GraphEnclosing::Made {
  Made(Frame& frame, const NodePlan& node, std::vector<Value> inputs, int depth)
      : enclosing(frame, node, depth), call(frame, node, std::move(inputs), &enclosing) {}
  GraphEnclosing enclosing;
  OperatorCall call;
};

GraphEnclosing::GraphEnclosing(Frame& frame, const NodePlan& node, int depth)
    : frame_(frame), node_(node), depth_(depth) {}
GraphEnclosing::~GraphEnclosing() = default;

Enclosing::Cut GraphEnclosing::cut(std::span<const std::string> names, const std::string& target) {
  const Slots slots(frame_, position());
  const auto& nodes = frame_.plan.nodes;
  Cut cut;
  cut.value_count = frame_.plan.slot_count;
  cut.target = slots.find(target);
  std::vector<bool> is_given(cut.value_count), seen(cut.value_count), needed(nodes.size());
  for (const std::string& name : names) {
    cut.given.push_back(slots.find(name));
    is_given[static_cast<size_t>(cut.given.back())] = true;
  }
  std::vector<int> open{cut.target};
  while (!open.empty()) {
    const auto slot = static_cast<size_t>(open.back());
    open.pop_back();
    if (seen[slot]) continue;
    seen[slot] = true;
    if (is_given[slot]) continue;
    if (const int maker = slots.maker[slot]; maker >= 0) {
      if (needed[static_cast<size_t>(maker)]) continue;
      needed[static_cast<size_t>(maker)] = true;
      for (const int input : nodes[static_cast<size_t>(maker)].inputs) {
        if (input != kNoSlot) open.push_back(input);
      }
    } else if (slots.constant[slot].exists()) {
      cut.constants.emplace_back(static_cast<int>(slot), slots.constant[slot]);
    } else {
      fail_schema(
          "cut-open",
          "\"" + target + "\" depends on an input of the graph that is not among the given names");
    }
  }
  for (int& given : cut.given) {
    if (!seen[static_cast<size_t>(given)]) given = kAbsent;
  }
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (!needed[i]) continue;
    const int since = nodes[i].schema == nullptr ? 0 : nodes[i].schema->since_version;
    cut.nodes.push_back(
        {nodes[i].domain, nodes[i].node->op, since, nodes[i].inputs, nodes[i].outputs, i});
  }
  return cut;
}

const OpCall& GraphEnclosing::call(const CutNode& node, std::vector<Value> inputs) {
  const NodePlan& plan = plan_of(node);
  try {
    if (plan.schema == nullptr)
      fail_undefined("not-evaluable", "not evaluable: a function's call is not differentiated");
    if (!plan.captured.empty()) {
      fail_undefined("not-evaluable",
                     "not evaluable: a subgraph that reads outer values is not differentiated");
    }
    if (depth_ + frame_.depth >= kMaxNesting)
      fail_limit("nesting", "the graph is differentiated too many times");
    made_.push_back(std::make_unique<Made>(frame_, plan, std::move(inputs), depth_ + 1));
    return made_.back()->call.call();
  } catch (const Error& error) {
    throw error.at(plan.place);
  }
}

Outputs GraphEnclosing::run(const CutNode& node, const OpCall& call) {
  const auto made = std::find_if(made_.begin(), made_.end(),
                                 [&](const auto& m) { return &m->call.call() == &call; });
  if (made == made_.end()) fail_internal("enclosing", "a call is run that was not made here");
  try {
    return (*made)->call.run();
  } catch (const Error& error) {
    throw error.at(plan_of(node).place);
  }
}

}  // namespace onnxv
