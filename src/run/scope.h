// Names while a graph is planned: which slot a name means at this point of the graph.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>

#include "src/run/plan.h"

namespace onnxv {

// Names appear in the order of the nodes: a name that a subgraph reads before it defines it is the
// outer one.
class SlotScope {
 public:
  // `outer` is null for the main graph and for functions, which see nothing outside.
  SlotScope(GraphPlan& plan, SlotScope* outer) : plan_(plan), outer_(outer) {}

  // A new slot for a name that the graph itself defines. Schema error when it defines the name
  // twice.
  int define(const std::string& name, std::string_view what);
  // The slot that holds the name's value, captured from the outer scope where necessary; kNoSlot:
  // nobody defines it.
  int find(const std::string& name);
  GraphPlan& plan() { return plan_; }
  // Slots that hold the same value in every evaluation.
  void set_constant(int slot) { constant_[static_cast<size_t>(slot)] = true; }
  bool is_constant(int slot) const { return slot == kNoSlot || constant_[static_cast<size_t>(slot)]; }

 private:
  int new_slot() {
    constant_.push_back(false);
    return static_cast<int>(plan_.slot_count++);
  }

  GraphPlan& plan_;
  SlotScope* outer_;
  std::unordered_map<std::string, int> slots_;
  std::unordered_set<std::string> defined_;
  std::vector<bool> constant_;  // by slot
};

}  // namespace onnxv
