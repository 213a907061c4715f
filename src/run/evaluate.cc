#include "src/run/evaluate.h"

#include <algorithm>
#include <new>
#include <stdexcept>

#include "ops/path_use.h"
#include "schema/check.h"
#include "src/number/bound.h"
#include "src/run/enclosing.h"
#include "src/run/frame.h"
#include "src/run/operator_call.h"

namespace onnxv {
namespace {

// What a node's call leaves behind: its outputs by position, and whether they lie below unspecified elements: all alike those of an
// operator, each by itself those of a function.
struct NodeResult {
  Outputs outputs;
  std::vector<UnspecifiedMark> marks;
  bool below = false;
  std::vector<bool> below_each;  // empty: all are as `below` says
  bool repeatable = false;  // the outputs are all that there is, and follow from the inputs alone
};

std::vector<Value> read_inputs(Frame& frame, const NodePlan& node) {
  std::vector<Value> inputs(node.inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (node.inputs[i] == kNoSlot) continue;
    Value& held = frame.at(node.inputs[i]);
    if (node.takes[i]) {
      inputs[i] = std::move(held);
      held = Value();
    } else {
      inputs[i] = held;
    }
  }
  return inputs;
}

NodeResult call_function(Frame& frame, const NodePlan& node, std::vector<Value> inputs) {
  const AttributeBindings bindings = CallAttributes(node, frame).bindings(*node.function);
  const GraphPlan& body = *node.function->body;
  Frame inner(body, frame.run, frame.path_of(node), frame.depth + 1, &bindings);
  for (size_t i = 0; i < inputs.size(); ++i) {
    inner.at(body.input_slots[i]) = std::move(inputs[i]);
    const bool doubtful = frame.is_doubtful(node.inputs[i]);
    inner.doubtful[static_cast<size_t>(body.input_slots[i])] = doubtful;
    inner.below_marks[static_cast<size_t>(body.input_slots[i])] = doubtful;
  }
  walk(inner);
  NodeResult result{outputs_of(inner), {}, false, {}};
  for (size_t i = 0; i < body.output_slots.size(); ++i) {
    const int slot = body.output_slots[i];
    result.below_each.push_back(inner.below_marks[static_cast<size_t>(slot)] != 0);
    const auto marks = inner.marks.find(slot);
    if (marks == inner.marks.end()) continue;
    for (const UnspecifiedMark& mark : marks->second)
      result.marks.push_back({i, mark.slug, mark.elements});
  }
  return result;
}

NodeResult call_operator(Frame& frame, const NodePlan& node, std::vector<Value> inputs) {
  GraphEnclosing enclosing(frame, node);
  OperatorCall call(frame, node, std::move(inputs), &enclosing);
  const size_t marks_before = frame.run.marks_made, paths_before = paths_asked();
  NodeResult result;
  result.outputs = call.run();
  result.marks = call.take_marks();
  const auto doubtful = [&](int slot) { return frame.is_doubtful(slot); };
  result.below = frame.run.marks_made != marks_before || std::any_of(node.inputs.begin(), node.inputs.end(), doubtful) ||
                 std::any_of(node.captured.begin(), node.captured.end(), doubtful);
  frame.run.marks_made += result.marks.size();
  result.repeatable = !result.below && result.marks.empty() && paths_asked() == paths_before;
  return result;
}

void check_outputs(Frame& frame, const NodePlan& node, const Outputs& outputs) {
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    if (node.outputs[i] == kNoSlot) continue;
    // Only a variadic output lets a node name more of them than its subgraph, or its inputs, make.
    if (i >= outputs.size()) {
      fail_schema("output-count", "output " + std::to_string(i) + " has a name",
                  "there are " + std::to_string(outputs.size()) + " outputs");
    }
    if (!node.output_types[i] || is_as_declared(*node.output_types[i], outputs[i])) continue;
    const std::string what = "output \"" + node.node->outputs[i] + "\"";
    const std::string remark = check_declared_type(*node.output_types[i], outputs[i], what);
    if (!remark.empty()) frame.run.warn(node.place + ": " + remark);
  }
}

void observe(Frame& frame, const NodePlan& node, const std::vector<Value>& inputs,
             const NodeResult& result) {
  NodeEvent event;
  event.node = node.node;
  event.path = frame.path_of(node);
  event.domain = node.domain;
  event.since_version = node.schema == nullptr ? 0 : node.schema->since_version;
  event.opset = node.opset;
  event.depth = frame.depth;
  event.inputs = &inputs;
  event.outputs = &result.outputs;
  event.unspecified = &result.marks;
  event.function_attributes = frame.attributes;
  for (size_t i = 0; i < node.captured.size(); ++i) {
    event.captured.emplace_back(node.captured_names[i], frame.at(node.captured[i]));
  }
  frame.run.options.observer->node(event);
}

// Bounds are of one node on exact inputs: only those of the graph's outputs are ever read behind it, and they take many times
// what the values take.
void drop_bounds(const Frame& frame, int slot, Value& value) {
  const std::vector<int>& kept = frame.plan.output_slots;
  if (!value.is_tensor() || value.tensor().bounds() == nullptr || std::find(kept.begin(), kept.end(), slot) != kept.end()) return;
  value.mutable_tensor().drop_bounds();
}

void store(Frame& frame, const NodePlan& node, NodeResult result) {
  for (UnspecifiedMark& mark : result.marks) {
    const int slot = mark.output < node.outputs.size() ? node.outputs[mark.output] : kNoSlot;
    if (slot == kNoSlot) continue;
    frame.doubtful[static_cast<size_t>(slot)] = 1;
    frame.marks[slot].push_back(std::move(mark));
  }
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    if (node.outputs[i] == kNoSlot) continue;
    const auto slot = static_cast<size_t>(node.outputs[i]);
    if (ToleranceScope::current() != nullptr) drop_bounds(frame, node.outputs[i], result.outputs[i]);
    frame.slots[slot] = std::move(result.outputs[i]);
    const bool below = result.below_each.empty() ? result.below : result.below_each[i];
    frame.below_marks[slot] = below;
    if (below) frame.doubtful[slot] = 1;
  }
  for (const int slot : node.frees) frame.at(slot) = Value();
}

// What an earlier evaluation kept of the node; false where there is nothing.
bool take_kept(Frame& frame, const NodePlan& node) {
  if (node.constant < 0 || frame.run.kept == nullptr) return false;
  const Outputs* kept = frame.run.kept->find(node.constant);
  if (kept == nullptr) return false;
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    if (node.outputs[i] != kNoSlot) frame.at(node.outputs[i]) = (*kept)[i];
  }
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    if (node.takes[i]) frame.at(node.inputs[i]) = Value();
  }
  for (const int slot : node.frees) frame.at(slot) = Value();
  return true;
}

void evaluate_one(Frame& frame, const NodePlan& node) {
  if (take_kept(frame, node)) return;
  const size_t said = frame.run.said;
  std::vector<Value> inputs = read_inputs(frame, node);
  const bool observed = frame.run.options.observer != nullptr;
  const std::vector<Value> kept = observed ? inputs : std::vector<Value>();
  NodeResult result = node.function != nullptr ? call_function(frame, node, std::move(inputs))
                                               : call_operator(frame, node, std::move(inputs));
  check_outputs(frame, node, result.outputs);
  if (observed) observe(frame, node, kept, result);
  if (node.constant >= 0 && frame.run.kept != nullptr && result.repeatable && frame.run.said == said) {
    frame.run.kept->keep(node.constant, result.outputs);
  }
  store(frame, node, std::move(result));
}

}  // namespace

void walk(Frame& frame) {
  if (frame.depth > kMaxNesting) {
    fail_limit("nesting",
               "subgraphs and functions are nested " + std::to_string(frame.depth) + " deep",
               "must be at most " + std::to_string(kMaxNesting));
  }
  for (const NodePlan& node : frame.plan.nodes) {
    try {
      evaluate_one(frame, node);
    } catch (const Error& error) {
      throw error.at(node.place);
    } catch (const std::bad_alloc&) {
      throw Error(ErrorKind::kLimit, "memory", "not enough memory", {}, node.place);
    } catch (const std::length_error&) {
      throw Error(ErrorKind::kLimit, "memory", "more elements than a list can have", {}, node.place);
    }
  }
}

Outputs outputs_of(Frame& frame) {
  Outputs outputs;
  outputs.reserve(frame.plan.output_slots.size());
  for (const int slot : frame.plan.output_slots) outputs.push_back(frame.at(slot));
  return outputs;
}

}  // namespace onnxv
