// The forest of TreeEnsemble-5: branches and leaves in arrays of their own, children by position.
#include "ops/ml/forest_arrays.h"

#include "src/tensor/index.h"

namespace onnxv {
namespace {

const Tensor& required_tensor(const OpCall& call, std::string_view name) {
  const Tensor* tensor = call.tensor_attribute(name);
  if (tensor == nullptr) fail_schema("attribute-missing", std::string(name) + " is absent", "is required");
  return *tensor;
}

std::vector<double> real_tensor(const Tensor& tensor, std::string_view name) {
  if (!is_float(tensor.dtype())) {
    fail_schema("type-mismatch", std::string(name) + " is " + std::string(dtype_name(tensor.dtype())),
                "must be a tensor of floats");
  }
  return double_values(tensor);
}

void check_length(std::string_view name, size_t got, size_t wanted) {
  if (got == wanted) return;
  fail_schema("list-length", std::string(name) + " has " + std::to_string(got) + " entries",
              "must have " + std::to_string(wanted) + " as the other lists");
}

bool flag(int64_t value, std::string_view name) {
  if (value != 0 && value != 1) {
    fail_schema("attribute-range", std::string(name) + " holds " + std::to_string(value), "must be 0 or 1");
  }
  return value == 1;
}

Child child_at(int64_t index, bool is_leaf, size_t nodes, size_t leaves) {
  const size_t most = is_leaf ? leaves : nodes;
  if (index < 0 || static_cast<size_t>(index) >= most) {
    fail_schema("tree-node", std::string(is_leaf ? "leaf " : "node ") + std::to_string(index) + " is a child",
                "must be in [0, " + std::to_string(most) + ")");
  }
  return {static_cast<size_t>(index), is_leaf};
}

// Erratum: the text says that the index is a leaf's where the flag is false, in both sentences; it is where it is true.
std::vector<Child> children_of(const OpCall& call, const std::string& side, size_t nodes, size_t leaves) {
  const std::string ids_name = "nodes_" + side + "nodeids", flags_name = "nodes_" + side + "leafs";
  const std::vector<int64_t> ids = call.integers(ids_name), flags = call.integers(flags_name);
  check_length(ids_name, ids.size(), nodes);
  check_length(flags_name, flags.size(), nodes);
  std::vector<Child> children;
  for (size_t i = 0; i < nodes; ++i) children.push_back(child_at(ids[i], flag(flags[i], flags_name), nodes, leaves));
  return children;
}

// NaN ends each set; the last one may end with the list.
// Spec: the j-th set belongs to the j-th MEMBER node in the order of nodes_modes, whatever the shape of the trees.
std::vector<std::vector<double>> member_sets(const OpCall& call) {
  const Tensor* tensor = call.tensor_attribute("membership_values");
  std::vector<std::vector<double>> sets;
  if (tensor == nullptr) return sets;
  std::vector<double> open;
  for (double value : real_tensor(*tensor, "membership_values")) {
    if (is_nan_value(value)) {
      sets.push_back(std::move(open));
      open.clear();
    } else {
      open.push_back(value);
    }
  }
  if (!open.empty()) sets.push_back(std::move(open));
  return sets;
}

void set_members(const OpCall& call, Forest& forest) {
  std::vector<std::vector<double>> sets = member_sets(call);
  size_t next = 0;
  for (TreeNode& node : forest.nodes) {
    if (node.branch != Branch::kMember) continue;
    if (next < sets.size()) node.members = std::move(sets[next]);
    ++next;
  }
  if (next != sets.size()) {
    fail_schema("list-length", "membership_values holds " + std::to_string(sets.size()) + " sets",
                "must hold one for each of the " + std::to_string(next) + " BRANCH_MEMBER nodes");
  }
}

// A node has one parent, or is one tree's root.
void check_parents(const Forest& forest) {
  std::vector<int> parents(forest.nodes.size(), 0);
  const auto count = [&](const Child& child) {
    if (!child.is_leaf && ++parents[child.index] > 1) {
      fail_schema("tree-node", "node " + std::to_string(child.index) + " has several parents", "must have one");
    }
  };
  for (const Child& root : forest.roots) count(root);
  for (const TreeNode& node : forest.nodes) {
    count(node.yes);
    count(node.no);
  }
}

std::vector<std::vector<Vote>> leaves_of(const OpCall& call, size_t targets) {
  const std::vector<int64_t> ids = call.integers("leaf_targetids");
  const std::vector<double> weights = real_tensor(required_tensor(call, "leaf_weights"), "leaf_weights");
  check_length("leaf_weights", weights.size(), ids.size());
  std::vector<std::vector<Vote>> leaves;
  for (size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] < 0 || static_cast<size_t>(ids[i]) >= targets) {
      fail_schema("tree-target", "leaf_targetids holds " + std::to_string(ids[i]),
                  "must be in [0, " + std::to_string(targets) + ")");
    }
    leaves.push_back({{static_cast<size_t>(ids[i]), weights[i]}});
  }
  return leaves;
}

void set_nodes(const OpCall& call, Forest& forest) {
  const Tensor& modes = required_tensor(call, "nodes_modes");
  if (modes.dtype() != DType::kUint8) {
    fail_schema("type-mismatch", "nodes_modes is " + std::string(dtype_name(modes.dtype())), "must be uint8");
  }
  const size_t count = modes.size();
  const std::vector<double> splits = real_tensor(required_tensor(call, "nodes_splits"), "nodes_splits");
  const std::vector<int64_t> features = call.integers("nodes_featureids");
  std::vector<int64_t> missing = call.integers("nodes_missing_value_tracks_true");
  if (!call.has_attribute("nodes_missing_value_tracks_true")) missing.assign(count, 0);
  check_length("nodes_splits", splits.size(), count);
  check_length("nodes_featureids", features.size(), count);
  check_length("nodes_missing_value_tracks_true", missing.size(), count);
  const std::vector<Child> yes = children_of(call, "true", count, forest.leaves.size());
  const std::vector<Child> no = children_of(call, "false", count, forest.leaves.size());
  for (size_t i = 0; i < count; ++i) {
    const uint8_t mode = modes.as<uint8_t>()[i];
    if (mode > static_cast<uint8_t>(Branch::kMember)) {
      fail_schema("attribute-range", "nodes_modes holds " + std::to_string(mode), "must be in [0, 6]");
    }
    TreeNode node;
    node.branch = static_cast<Branch>(mode);
    node.feature = static_cast<size_t>(features[i]);  // a negative one is out of range
    node.threshold = splits[i];
    node.missing_is_true = missing[i] == 1;
    node.yes = yes[i];
    node.no = no[i];
    forest.nodes.push_back(std::move(node));
  }
}

}  // namespace

Forest forest_of_arrays(const OpCall& call, size_t targets) {
  Forest forest;
  forest.leaves = leaves_of(call, targets);
  set_nodes(call, forest);
  set_members(call, forest);
  for (int64_t root : call.integers("tree_roots")) {
    forest.roots.push_back(child_at(root, false, forest.nodes.size(), 0));
  }
  check_parents(forest);
  return forest;
}

}  // namespace onnxv
