#include "ops/ml/forest.h"

#include <algorithm>

#include "src/tensor/lines.h"

namespace onnxv {
namespace {

bool takes_yes(const TreeNode& node, const Features& features, size_t row) {
  if (features.is_nan(row, node.feature)) return node.missing_is_true;
  if (node.branch == Branch::kMember) {
    return std::ranges::any_of(node.members, [&](double member) {
      return features.compare(row, node.feature, member) == 0;
    });
  }
  const std::partial_ordering order = features.compare(row, node.feature, node.threshold);
  switch (node.branch) {
    case Branch::kLeq: return order <= 0;
    case Branch::kLt: return order < 0;
    case Branch::kGte: return order >= 0;
    case Branch::kGt: return order > 0;
    case Branch::kEq: return order == 0;
    case Branch::kNeq: return order != 0;
    case Branch::kMember: break;
  }
  return false;
}

enum class Mark : uint8_t { kNew, kOpen, kDone };

// Depth first without recursion: a chain of nodes may be as long as the file.
void visit(const Forest& forest, size_t start, std::vector<Mark>& marks) {
  std::vector<std::pair<size_t, int>> path;  // node, children visited
  const auto enter = [&](size_t node) {
    if (marks[node] == Mark::kOpen) {
      fail_schema("tree-cycle", "node " + std::to_string(node) + " is below itself", "must form a tree");
    }
    if (marks[node] == Mark::kDone) return;
    marks[node] = Mark::kOpen;
    path.emplace_back(node, 0);
  };
  enter(start);
  while (!path.empty()) {
    auto& [node, visited] = path.back();
    if (visited == 2) {
      marks[node] = Mark::kDone;
      path.pop_back();
      continue;
    }
    const Child& child = visited++ == 0 ? forest.nodes[node].yes : forest.nodes[node].no;
    if (!child.is_leaf) enter(child.index);
  }
}

}  // namespace

Features::Features(const Tensor& x) {
  const Rows rows = rows_of(x);
  rows_ = static_cast<size_t>(rows.count);
  width_ = static_cast<size_t>(rows.width);
  if (!holds_exact_doubles(x)) {
    integers_ = exact_values(x);
    return;
  }
  doubles_.resize(x.size());
  decode_elements(x, 0, x.size(), doubles_.data());
}

bool Features::is_nan(size_t row, size_t feature) const {
  return integers_.empty() && is_nan_value(doubles_[row * width_ + feature]);
}

std::partial_ordering Features::compare(size_t row, size_t feature, double threshold) const {
  const size_t at = row * width_ + feature;
  if (integers_.empty()) return doubles_[at] <=> threshold;
  return integers_[at] <=> Extended::from_double(threshold);
}

void check_forest(const Forest& forest, size_t features) {
  for (const TreeNode& node : forest.nodes) {
    if (node.feature >= features) {
      fail_schema("tree-feature", "a node looks at feature " + std::to_string(static_cast<int64_t>(node.feature)),
                  "must be in [0, " + std::to_string(features) + ")");
    }
  }
  std::vector<Mark> marks(forest.nodes.size(), Mark::kNew);
  for (size_t node = 0; node < forest.nodes.size(); ++node) visit(forest, node, marks);
}

std::vector<Vote> votes_of(const Forest& forest, const Features& features, size_t row) {
  std::vector<Vote> votes;
  for (Child at : forest.roots) {
    while (!at.is_leaf) {
      const TreeNode& node = forest.nodes[at.index];
      at = takes_yes(node, features, row) ? node.yes : node.no;
    }
    const std::vector<Vote>& leaf = forest.leaves[at.index];
    votes.insert(votes.end(), leaf.begin(), leaf.end());
  }
  return votes;
}

}  // namespace onnxv
