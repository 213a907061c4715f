// Decision trees: what the three TreeEnsemble operators share.
#pragma once

#include <compare>
#include <string_view>
#include <vector>

#include "ops/ml/columns.h"
#include "ops/operator.h"

namespace onnxv {

enum class Branch : uint8_t { kLeq, kLt, kGte, kGt, kEq, kNeq, kMember };

// Where a branch leads: a node, or a leaf.
struct Child {
  size_t index = 0;
  bool is_leaf = false;
};

struct TreeNode {
  Branch branch = Branch::kLeq;
  size_t feature = 0;
  double threshold = 0;         // compared as the real number it is
  std::vector<double> members;  // of a kMember node, ascending
  bool missing_is_true = false;
  Child yes, no;
};

struct Vote {
  size_t target = 0;
  double weight = 0;
};

struct Forest {
  std::vector<TreeNode> nodes;
  std::vector<Child> roots;               // one per tree
  std::vector<std::vector<Vote>> leaves;  // the votes of each leaf
};

// The features of X, row by row, comparable with any double exactly.
class Features {
 public:
  // X is [N,F] or [F].
  explicit Features(const Tensor& x);
  size_t rows() const { return rows_; }
  size_t width() const { return width_; }
  bool is_nan(size_t row, size_t feature) const;
  std::partial_ordering compare(size_t row, size_t feature, double threshold) const;

 private:
  size_t rows_, width_;
  std::vector<double> doubles_;
  std::vector<Extended> integers_;  // in place of doubles_ where an integer has no double
};

// Schema errors: "tree-feature" where a node's feature is not in [0, features), "tree-cycle" where nodes form a cycle.
void check_forest(const Forest& forest, size_t features);

// The votes of the leaves that a row reaches, tree by tree.
std::vector<Vote> votes_of(const Forest& forest, const Features& features, size_t row);

// The forest that the attributes nodes_* of versions 1 and 3 describe. The vote lists named PREFIX_treeids, PREFIX_nodeids, PREFIX_ids, PREFIX_weights go to
// its leaves.
Forest forest_of_lists(const OpCall& call, std::string_view prefix, size_t targets);

// The reals of attribute `name`, or of tensor attribute `name`_as_tensor; schema error "attribute-value" if both are given.
std::vector<double> reals_or_tensor(const OpCall& call, const std::string& name);

}  // namespace onnxv
