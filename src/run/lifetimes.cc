#include "src/run/lifetimes.h"

namespace onnxv {

void plan_lifetimes(GraphPlan& plan) {
  std::vector<bool> read_later(plan.slot_count, false);
  for (const int slot : plan.output_slots) read_later[static_cast<size_t>(slot)] = true;
  for (auto node = plan.nodes.rbegin(); node != plan.nodes.rend(); ++node) {
    for (const int slot : node->outputs) {
      if (slot != kNoSlot && !read_later[static_cast<size_t>(slot)]) node->frees.push_back(slot);
    }
    for (const int slot : node->captured) {
      if (!read_later[static_cast<size_t>(slot)]) node->frees.push_back(slot);
      read_later[static_cast<size_t>(slot)] = true;
    }
    node->takes.resize(node->inputs.size());
    for (size_t i = node->inputs.size();
         i-- > 0;) {  // a slot that stands twice is moved at its last place
      if (node->inputs[i] == kNoSlot) continue;
      const auto slot = static_cast<size_t>(node->inputs[i]);
      node->takes[i] = !read_later[slot];
      read_later[slot] = true;
    }
  }
}

}  // namespace onnxv
