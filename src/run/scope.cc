#include "src/run/scope.h"

namespace onnxv {

int SlotScope::define(const std::string& name, std::string_view what) {
  if (!defined_.insert(name).second) {
    fail_schema("name-twice", std::string(what) + " \"" + name + "\" is defined twice",
                "must be defined once (SSA)");
  }
  return slots_[name] = new_slot();
}

int SlotScope::find(const std::string& name) {
  if (const auto found = slots_.find(name); found != slots_.end()) return found->second;
  const int outer = outer_ == nullptr ? kNoSlot : outer_->find(name);
  if (outer == kNoSlot) return kNoSlot;
  const int slot = slots_[name] = new_slot();
  plan_.captures.emplace_back(outer, slot);
  plan_.capture_names.push_back(name);
  if (outer_->is_constant(outer)) set_constant(slot);
  return slot;
}

}  // namespace onnxv
