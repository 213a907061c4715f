// Results that are the same in every evaluation of a model: those of nodes that read nothing but constants.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "ops/operator.h"
#include "src/kernel/weights.h"

namespace onnxv {

// Filled by the first evaluation. What else a node says (warnings, marks) or depends on (its path) is not kept, so such a
// node's results are not either.
class KeptResults {
 public:
  explicit KeptResults(size_t nodes) : outputs_(nodes) {}

  // One evaluation uses them at a time. The lock holds nothing where another one does.
  std::unique_lock<std::mutex> use() { return std::unique_lock(in_use_, std::try_to_lock); }

  // By the node's number among the constant ones; null: not kept.
  const Outputs* find(int node) const {
    const auto& kept = outputs_[static_cast<size_t>(node)];
    return kept ? &*kept : nullptr;
  }
  // Keeps tensors, as long as they do not take much memory together: they live as long as the model.
  void keep(int node, const Outputs& outputs);

 private:
  std::mutex in_use_;
  std::vector<std::optional<Outputs>> outputs_;
  std::vector<std::unique_ptr<Weights>> weights_;  // kernels keep what they make of them, as of initializers
  size_t bytes_ = 0;
};

}  // namespace onnxv
