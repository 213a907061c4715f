#include "conformance/shrink.h"

#include <algorithm>
#include <functional>
#include <map>
#include <new>
#include <utility>

#include "conformance/operands.h"
#include "src/base/error.h"

namespace onnxv {
namespace {

// Each try is one exact evaluation and one run of the backend.
constexpr int kShapeTries = 160, kValueTries = 60;

class Shrinker {
 public:
  Shrinker(NodeTrial trial, NodeOutcome& outcome, const NodeChecker& checker, uint64_t seed)
      : best_(std::move(trial)), outcome_(outcome), checker_(checker), seed_(seed) {}

  NodeTrial run() {
    tries_ = kShapeTries;
    keep_wrong_outputs();
    drop_inputs();
    while (cut_dimensions() && tries_ > 0) {
    }
    tries_ = kValueTries;
    clear_values();
    return std::move(best_);
  }

 private:
  // Evaluates the candidate, asks the backend, and keeps the candidate if it still fails.
  bool adopt(const Operands& candidate) {
    if (tries_-- <= 0) return false;
    try {
      std::optional<NodeTrial> trial = evaluated(candidate, best_, seed_);
      if (!trial) return false;
      NodeOutcome outcome = outcome_;
      checker_.check(*trial, outcome);
      if (outcome.status != Status::kFail) return false;
      best_ = std::move(*trial);
      outcome_ = std::move(outcome);
      return true;
    } catch (const Error&) {
      return false;  // the node means nothing any more
    } catch (const std::bad_alloc&) {
      return false;
    }
  }

  void keep_wrong_outputs() {
    Operands candidate(best_.alone);
    for (const OutputOutcome& output : outcome_.outputs) {
      if (output.comparison.matches) candidate.drop_output(output.name);
    }
    if (candidate.node().outputs != best_.alone.model.graph->nodes.front().outputs) {
      adopt(candidate);
    }
  }

  void drop_inputs() {
    for (size_t i = Operands(best_.alone).node().inputs.size(); i-- > 0;) {
      const Operands now(best_.alone);
      if (now.node().inputs[i].empty()) continue;
      Operands omitted = now, removed = now;
      omitted.omit_input(i);
      if (adopt(omitted)) continue;
      // One of many of a variadic input.
      removed.remove_input(i);
      if (i + 1 < now.node().inputs.size()) adopt(removed);
    }
  }

  // One round over all sizes; true when anything got smaller.
  bool cut_dimensions() {
    bool smaller = false;
    for (const int64_t size : Operands(best_.alone).sizes()) {
      const std::vector<Axis> all = Operands(best_.alone).axes_of(size);
      if (cut(all, size)) {
        smaller = true;
        continue;
      }
      if (all.size() < 2) continue;
      for (const Axis& axis : all) smaller |= cut({axis}, size);
    }
    return smaller;
  }

  // The axes of one size are cut together: to the position of the bad element, else to a half.
  bool cut(const std::vector<Axis>& axes, int64_t size) {
    if (axes.empty()) return false;
    std::vector<std::pair<int64_t, int64_t>> kept = bad_positions(size);
    const int64_t half = (size + 1) / 2;
    kept.insert(kept.end(), {{0, half}, {size - half, size}});
    for (const auto& [begin, end] : kept) {
      Operands candidate(best_.alone);
      if (!candidate.slice(axes, size, begin, end)) return false;
      if (adopt(candidate)) return true;
    }
    return false;
  }

  // Where the first bad element stands on output axes of this size.
  std::vector<std::pair<int64_t, int64_t>> bad_positions(int64_t size) const {
    std::vector<std::pair<int64_t, int64_t>> found;
    for (const OutputOutcome& output : outcome_.outputs) {
      const Comparison& comparison = output.comparison;
      if (!comparison.first_mismatch) continue;
      const std::vector<int64_t>& index = comparison.first_mismatch->index;
      for (size_t axis = 0; axis < comparison.shape.size() && axis < index.size(); ++axis) {
        if (comparison.shape[axis] != size) continue;
        found.emplace_back(index[axis], index[axis] + 1);
      }
    }
    return found;
  }

  // Whole inputs first, then halves of what could not be cleared.
  void clear_values() {
    for (const std::string& name : Operands(best_.alone).clearable()) {
      clear(name, 0, Operands(best_.alone).elements(name));
    }
  }

  void clear(const std::string& name, size_t begin, size_t end) {
    Operands candidate(best_.alone);
    if (tries_ <= 0 || !candidate.clear(name, begin, end)) return;
    if (adopt(candidate) || end - begin < 2) return;
    const size_t middle = begin + (end - begin) / 2;
    clear(name, begin, middle);
    clear(name, middle, end);
  }

  NodeTrial best_;
  NodeOutcome& outcome_;
  const NodeChecker& checker_;
  const uint64_t seed_;
  int tries_ = 0;
};

}  // namespace

NodeTrial shrink(NodeTrial trial, NodeOutcome& outcome, const NodeChecker& checker, uint64_t seed) {
  return Shrinker(std::move(trial), outcome, checker, seed).run();
}

}  // namespace onnxv
