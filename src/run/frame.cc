#include "src/run/frame.h"

namespace onnxv {

Frame::Frame(const GraphPlan& graph_plan, Run& of_run, std::string at_path, int at_depth,
             const AttributeBindings* bindings)
    : plan(graph_plan),
      run(of_run),
      path(std::move(at_path)),
      depth(at_depth),
      attributes(bindings),
      slots(graph_plan.slot_count),
      doubtful(graph_plan.slot_count),
      below_marks(graph_plan.slot_count) {
  for (const auto& [slot, value] : plan.constants) at(slot) = value;
}

Frame::Frame(const GraphPlan& graph_plan, const Frame& outer, std::string at_path)
    : Frame(graph_plan, outer.run, std::move(at_path), outer.depth + 1, outer.attributes) {
  for (const auto& [from, to] : plan.captures) {
    at(to) = outer.slots[static_cast<size_t>(from)];
    doubtful[static_cast<size_t>(to)] = outer.is_doubtful(from);
    below_marks[static_cast<size_t>(to)] = outer.is_doubtful(from);
  }
}

}  // namespace onnxv
