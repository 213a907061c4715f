// The forest of TreeEnsembleClassifier and TreeEnsembleRegressor: parallel lists, nodes named by tree and node id.
#include <map>
#include <optional>
#include <set>

#include "ops/ml/forest.h"
#include "src/tensor/index.h"

namespace onnxv {
namespace {

struct NodeKey {
  int64_t tree = 0, node = 0;
  auto operator<=>(const NodeKey&) const = default;
};

struct NodeLists {
  std::vector<int64_t> trees, ids, features, yes, no, missing;
  std::vector<std::string> modes;
  std::vector<double> values;
  size_t size() const { return trees.size(); }
};

void check_length(std::string_view name, size_t got, size_t wanted) {
  if (got == wanted) return;
  fail_schema("list-length", std::string(name) + " has " + std::to_string(got) + " entries",
              "must have " + std::to_string(wanted) + " as the other lists");
}

NodeLists node_lists(const OpCall& call) {
  NodeLists lists{call.integers("nodes_treeids"),       call.integers("nodes_nodeids"),
                  call.integers("nodes_featureids"),    call.integers("nodes_truenodeids"),
                  call.integers("nodes_falsenodeids"),  call.integers("nodes_missing_value_tracks_true"),
                  call.texts("nodes_modes"),            reals_or_tensor(call, "nodes_values")};
  const size_t size = lists.size();
  check_length("nodes_nodeids", lists.ids.size(), size);
  check_length("nodes_featureids", lists.features.size(), size);
  check_length("nodes_truenodeids", lists.yes.size(), size);
  check_length("nodes_falsenodeids", lists.no.size(), size);
  check_length("nodes_modes", lists.modes.size(), size);
  check_length("nodes_values", lists.values.size(), size);
  if (lists.missing.empty()) lists.missing.assign(size, 0);
  check_length("nodes_missing_value_tracks_true", lists.missing.size(), size);
  return lists;
}

Branch branch_of(const std::string& mode) {
  static const std::map<std::string, Branch> kModes{
      {"BRANCH_LEQ", Branch::kLeq}, {"BRANCH_LT", Branch::kLt}, {"BRANCH_GTE", Branch::kGte},
      {"BRANCH_GT", Branch::kGt},   {"BRANCH_EQ", Branch::kEq}, {"BRANCH_NEQ", Branch::kNeq}};
  const auto found = kModes.find(mode);
  if (found == kModes.end()) {
    fail_schema("attribute-value", "nodes_modes holds \"" + mode + "\"", "must be LEAF or a BRANCH_ mode");
  }
  return found->second;
}

std::string key_text(NodeKey key) {
  return "node " + std::to_string(key.node) + " of tree " + std::to_string(key.tree);
}

// Each key's place: among the branches, or among the leaves.
std::map<NodeKey, Child> places_of(const NodeLists& lists) {
  std::map<NodeKey, Child> places;
  size_t branches = 0, leaves = 0;
  for (size_t i = 0; i < lists.size(); ++i) {
    const NodeKey key{lists.trees[i], lists.ids[i]};
    const bool leaf = lists.modes[i] == "LEAF";
    if (!places.emplace(key, Child{leaf ? leaves++ : branches++, leaf}).second) {
      fail_schema("tree-node", key_text(key) + " is given twice", "must be given once");
    }
  }
  return places;
}

Child child_of(const std::map<NodeKey, Child>& places, NodeKey key, std::set<NodeKey>& children) {
  const auto found = places.find(key);
  if (found == places.end()) fail_schema("tree-node", key_text(key) + " is a child", "must be given");
  children.insert(key);
  return found->second;
}

enum class Ids : uint8_t { kAny, kFromZero };

// The root of a tree is the node that is nobody's child; where ids start at zero, it is node 0.
std::vector<Child> roots_of(const std::map<NodeKey, Child>& places, const std::set<NodeKey>& children, Ids ids) {
  std::map<int64_t, int> roots_in;
  std::vector<Child> roots;
  std::optional<NodeKey> other_root;
  for (const auto& [key, child] : places) {
    int& count = roots_in[key.tree];
    if (children.contains(key)) continue;
    ++count;
    roots.push_back(child);
    if (key.node != 0) other_root = key;
  }
  for (const auto& [tree, count] : roots_in) {
    if (count != 1) {
      fail_schema("tree-root", "tree " + std::to_string(tree) + " has " + std::to_string(count) + " roots",
                  "must have one node that is no child");
    }
  }
  if (ids == Ids::kFromZero && other_root) fail_schema("tree-root", key_text(*other_root) + " is the root", "must be node 0");
  return roots;
}

void add_votes(const OpCall& call, const std::string& prefix, size_t targets, const std::map<NodeKey, Child>& places,
               Forest& forest) {
  const std::vector<int64_t> trees = call.integers(prefix + "_treeids");
  const std::vector<int64_t> nodes = call.integers(prefix + "_nodeids");
  const std::vector<int64_t> ids = call.integers(prefix + "_ids");
  const std::vector<double> weights = reals_or_tensor(call, prefix + "_weights");
  check_length(prefix + "_nodeids", nodes.size(), trees.size());
  check_length(prefix + "_ids", ids.size(), trees.size());
  check_length(prefix + "_weights", weights.size(), trees.size());
  for (size_t i = 0; i < trees.size(); ++i) {
    if (ids[i] < 0 || static_cast<size_t>(ids[i]) >= targets) {
      fail_schema("tree-target", prefix + "_ids holds " + std::to_string(ids[i]),
                  "must be in [0, " + std::to_string(targets) + ")");
    }
    // A vote on a branch, or on no node at all, is never reached.
    const auto found = places.find({trees[i], nodes[i]});
    if (found == places.end() || !found->second.is_leaf) continue;
    forest.leaves[found->second.index].push_back({static_cast<size_t>(ids[i]), weights[i]});
  }
}

}  // namespace

std::vector<double> reals_or_tensor(const OpCall& call, const std::string& name) {
  const std::string tensor_name = name + "_as_tensor";
  const Tensor* tensor = call.tensor_attribute(tensor_name);
  if (tensor == nullptr) {
    const std::vector<float> reals = call.reals(name);
    return {reals.begin(), reals.end()};
  }
  if (call.has_attribute(name)) {
    fail_schema("attribute-value", name + " and " + tensor_name + " are both given", "must be one of them");
  }
  if (!is_float(tensor->dtype())) {
    fail_schema("type-mismatch", tensor_name + " is " + std::string(dtype_name(tensor->dtype())), "must be double");
  }
  return double_values(*tensor);
}

Forest forest_of_lists(const OpCall& call, std::string_view prefix, size_t targets) {
  const NodeLists lists = node_lists(call);
  const std::map<NodeKey, Child> places = places_of(lists);
  Forest forest;
  std::set<NodeKey> children;
  for (size_t i = 0; i < lists.size(); ++i) {
    if (lists.modes[i] == "LEAF") {  // its child ids mean nothing
      forest.leaves.emplace_back();
      continue;
    }
    TreeNode node;
    node.branch = branch_of(lists.modes[i]);
    node.feature = static_cast<size_t>(lists.features[i]);  // a negative one is out of range
    node.threshold = lists.values[i];
    node.missing_is_true = lists.missing[i] == 1;
    node.yes = child_of(places, {lists.trees[i], lists.yes[i]}, children);
    node.no = child_of(places, {lists.trees[i], lists.no[i]}, children);
    forest.nodes.push_back(node);
  }
  // Spec: only the regressor's text says that the ids of each tree start at 0.
  forest.roots = roots_of(places, children, prefix == "target" ? Ids::kFromZero : Ids::kAny);
  add_votes(call, std::string(prefix), targets, places, forest);
  return forest;
}

}  // namespace onnxv
