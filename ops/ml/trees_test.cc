#include <limits>

#include "src/run/testing.h"

namespace onnxv::testing {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// A stump for each mode would do: x0 ? 0.5 -> yes: leaf 0, no: leaf 1; two trees, the second on x1.
NodeUnderTest two_stumps(uint8_t mode, Tensor x, std::vector<double> weights = {1, 2, 10, 20}) {
  const DType dtype = x.dtype();
  return NodeUnderTest("TreeEnsemble", 5, "ai.onnx.ml")
      .integers("tree_roots", {0, 1})
      .attribute("nodes_modes", uint8s({2}, {mode, mode}))
      .attribute("nodes_splits", numbers(dtype, {2}, {0.5, 0.5}))
      .integers("nodes_featureids", {0, 1})
      .integers("nodes_truenodeids", {0, 2})
      .integers("nodes_trueleafs", {1, 1})
      .integers("nodes_falsenodeids", {1, 3})
      .integers("nodes_falseleafs", {1, 1})
      .integers("leaf_targetids", {0, 0, 0, 0})
      .attribute("leaf_weights", numbers(dtype, {4}, std::move(weights)))
      .input(std::move(x));
}

}  // namespace

TEST_CASE("TreeEnsemble-5 compares by mode") {
  const Tensor x = floats({3, 2}, {0, 0.5F, 0.5F, 1, 1, 0});
  // Of each row the two answers: true adds 1 and 10, false 2 and 20.
  CHECK(same(two_stumps(0, x).one(), floats({3, 1}, {11, 21, 12})));  // <=
  CHECK(same(two_stumps(1, x).one(), floats({3, 1}, {21, 22, 12})));  // <
  CHECK(same(two_stumps(2, x).one(), floats({3, 1}, {12, 11, 21})));  // >=
  CHECK(same(two_stumps(3, x).one(), floats({3, 1}, {22, 12, 21})));  // >
  CHECK(same(two_stumps(4, x).one(), floats({3, 1}, {12, 21, 22})));  // ==
  CHECK(same(two_stumps(5, x).one(), floats({3, 1}, {21, 12, 11})));  // !=
}

TEST_CASE("TreeEnsemble-5 aggregates, in the type of X") {
  const auto one = [](int64_t aggregate, std::vector<double> weights) {
    return two_stumps(0, floats({2}, {0, 0}), std::move(weights)).attribute("aggregate_function", aggregate).one();
  };
  CHECK(same(one(0, {1, 0, 2, 0}), floats({1, 1}, {1.5F})));
  CHECK(same(one(1, {1, 0, 2, 0}), floats({1, 1}, {3})));
  CHECK(same(one(2, {1, 0, 2, 0}), floats({1, 1}, {1})));
  CHECK(same(one(3, {1, 0, 2, 0}), floats({1, 1}, {2})));
  CHECK(same(one(2, {-1, 0, -2, 0}), floats({1, 1}, {-2})));
  CHECK(same(one(1, {-0.0, 0, -0.0, 0}), floats({1, 1}, {-0.0F})));
  // float16: 2048 + 1 ties to even; double: 1e16 + 1 does too.
  CHECK(same(two_stumps(0, numbers(DType::kFloat16, {2}, {0, 0}), {2048, 0, 1, 0}).one(),
             numbers(DType::kFloat16, {1, 1}, {2048})));
  CHECK(same(two_stumps(0, doubles({2}, {0, 0}), {0x1p53, 0, 1, 0}).one(), doubles({1, 1}, {0x1p53})));
}

TEST_CASE("TreeEnsemble-5 a missing value goes where it is told, in every mode") {
  for (uint8_t mode = 0; mode < 6; ++mode) {
    CAPTURE(mode);
    const Tensor x = floats({1, 2}, {kNan, kNan});
    CHECK(same(two_stumps(mode, x).one(), floats({1, 1}, {22})));
    CHECK(same(two_stumps(mode, x).integers("nodes_missing_value_tracks_true", {1, 0}).one(), floats({1, 1}, {21})));
  }
}

TEST_CASE("TreeEnsemble-5 members, an empty set, a last set without its NaN") {
  const auto one = [](std::vector<float> members, Tensor x) {
    const auto count = static_cast<int64_t>(members.size());
    return two_stumps(6, std::move(x)).attribute("membership_values", floats({count}, std::move(members)));
  };
  const Tensor x = floats({3, 2}, {0, 7, 3, 8, 4, -0.0F});
  CHECK(same(one({3, 0, kNan, 7, kNan}, x).one(), floats({3, 1}, {11, 21, 22})));
  CHECK(same(one({3, 0, kNan, 0}, x).one(), floats({3, 1}, {21, 21, 12})));
  CHECK(same(one({kNan, 7, kNan}, x).one(), floats({3, 1}, {12, 22, 22})));
  CHECK(one({1, kNan}, x).error().find("membership_values holds 1 sets, must hold one for each of the 2") !=
        std::string::npos);
}

TEST_CASE("TreeEnsemble-5 several targets, one without a vote") {
  NodeUnderTest node = NodeUnderTest("TreeEnsemble", 5, "ai.onnx.ml")
                           .attribute("n_targets", 3)
                           .integers("tree_roots", {0})
                           .attribute("nodes_modes", uint8s({2}, {0, 0}))
                           .attribute("nodes_splits", floats({2}, {1, 2}))
                           .integers("nodes_featureids", {0, 0})
                           .integers("nodes_truenodeids", {0, 1})
                           .integers("nodes_trueleafs", {1, 1})
                           .integers("nodes_falsenodeids", {1, 2})
                           .integers("nodes_falseleafs", {0, 1})
                           .integers("leaf_targetids", {0, 2, 0})
                           .attribute("leaf_weights", floats({3}, {5, 6, 7}));
  CHECK(same(node.input(floats({3, 1}, {1, 2, 3})).one(), floats({3, 3}, {5, 0, 0, 0, 0, 6, 7, 0, 0})));
}

TEST_CASE("TreeEnsemble-5 post_transform by the text's numbers") {
  const auto one = [](int64_t transform, double score) {
    return two_stumps(0, floats({2}, {0, 0}), {score, 0, 0, 0}).attribute("post_transform", transform).one();
  };
  CHECK(same(one(1, 3), floats({1, 1}, {1})));                       // SOFTMAX of one score
  CHECK(same(one(2, 0), floats({1, 1}, {0.5F})));                    // LOGISTIC
  CHECK(same(one(3, 0), floats({1, 1}, {kNan})));                    // SOFTMAX_ZERO: 0/0
  CHECK(same(one(4, 0.75), floats({1, 1}, {0.6744897501960817F})));  // PROBIT
}

TEST_CASE("TreeEnsemble-5 errors") {
  const Tensor x = floats({1, 2}, {0, 0});
  CHECK(two_stumps(7, x).error().find("schema/attribute-range") == 0);
  CHECK(two_stumps(0, floats({1, 1}, {0})).error().find("schema/tree-feature") == 0);
  CHECK(two_stumps(0, x).attribute("n_targets", 0).error().find("schema/attribute-range") == 0);
  CHECK(two_stumps(0, x).attribute("aggregate_function", 4).error().find("schema/attribute-range") == 0);
  CHECK(two_stumps(0, x, {1, 2, 3, 4}).input(x).error().find("schema/") == 0);
}

namespace {

// Tree 0: x0 <= 0.5 ? node 1 : node 2; tree 1: x0 < 1.5 ? node 1 : node 2.
NodeUnderTest& add_trees(NodeUnderTest& node) {
  return node.integers("nodes_treeids", {0, 0, 0, 1, 1, 1})
      .integers("nodes_nodeids", {0, 1, 2, 0, 1, 2})
      .integers("nodes_featureids", {0, 0, 0, 0, 0, 0})
      .texts("nodes_modes", {"BRANCH_LEQ", "LEAF", "LEAF", "BRANCH_LT", "LEAF", "LEAF"})
      .integers("nodes_truenodeids", {1, 0, 0, 1, 0, 0})
      .integers("nodes_falsenodeids", {2, 0, 0, 2, 0, 0});
}

// Votes for target 0 on all four leaves: 1 2 | 10 20.
NodeUnderTest regressor(int64_t version, Tensor x) {
  NodeUnderTest node("TreeEnsembleRegressor", version, "ai.onnx.ml");
  add_trees(node)
      .integers("target_treeids", {0, 0, 1, 1})
      .integers("target_nodeids", {1, 2, 1, 2})
      .integers("target_ids", {0, 0, 0, 0})
      .input(std::move(x));
  return node;
}

NodeUnderTest plain_regressor(int64_t version, Tensor x, int64_t targets = 1) {
  return regressor(version, std::move(x))
      .reals("nodes_values", {0.5F, 0, 0, 1.5F, 0, 0})
      .reals("target_weights", {1, 2, 10, 20})
      .attribute("n_targets", targets);
}

}  // namespace

TEST_CASE("TreeEnsembleRegressor-1 sums, averages, extremes") {
  const Tensor x = floats({3, 1}, {0.5F, 1, 2});
  const auto with = [&](const char* aggregate) {
    return plain_regressor(1, x).attribute("aggregate_function", aggregate);
  };
  CHECK(same(with("SUM").one(), floats({3, 1}, {11, 12, 22})));
  CHECK(same(with("AVERAGE").one(), floats({3, 1}, {5.5F, 6, 11})));
  CHECK(same(with("MIN").one(), floats({3, 1}, {1, 2, 2})));
  CHECK(same(with("MAX").one(), floats({3, 1}, {10, 10, 20})));
  // The base value is added after the aggregation.
  CHECK(same(with("AVERAGE").reals("base_values", {100}).one(), floats({3, 1}, {105.5F, 106, 111})));
  CHECK(with("MEDIAN").error().find("schema/attribute-value") == 0);
}

TEST_CASE("TreeEnsembleRegressor-1 compares every input type exactly, and follows missing values") {
  CHECK(same(plain_regressor(1, int64s({2, 1}, {0, 9007199254740993})).one(), floats({2, 1}, {11, 22})));
  CHECK(same(plain_regressor(1, doubles({1}, {0.50000000000000011})).one(), floats({1, 1}, {12})));
  CHECK(same(plain_regressor(1, floats({1}, {kNan})).one(), floats({1, 1}, {22})));
  CHECK(same(
      plain_regressor(1, floats({1}, {kNan})).integers("nodes_missing_value_tracks_true", {1, 0, 0, 0, 0, 0}).one(),
      floats({1, 1}, {21})));
}

TEST_CASE("TreeEnsembleRegressor-1 a target without votes is its base value") {
  CHECK(same(
      plain_regressor(1, floats({1}, {0}), 2).attribute("aggregate_function", "MIN").reals("base_values", {0, 3}).one(),
      floats({1, 2}, {1, 3})));
}

TEST_CASE("TreeEnsembleRegressor-1 a tree that is one leaf") {
  NodeUnderTest node("TreeEnsembleRegressor", 1, "ai.onnx.ml");
  node.integers("nodes_treeids", {3}).integers("nodes_nodeids", {0}).integers("nodes_featureids", {0})
      .texts("nodes_modes", {"LEAF"}).integers("nodes_truenodeids", {0}).integers("nodes_falsenodeids", {0})
      .reals("nodes_values", {0}).attribute("n_targets", 1).integers("target_treeids", {3, 3})
      .integers("target_nodeids", {0, 0}).integers("target_ids", {0, 0}).reals("target_weights", {1.5F, 2})
      .input(floats({2, 1}, {0, kNan}));
  CHECK(same(node.one(), floats({2, 1}, {3.5F, 3.5F})));
}

TEST_CASE("TreeEnsembleRegressor-1 errors") {
  CHECK(plain_regressor(1, floats({1}, {0}), INT64_MAX).error().find("limit/target-count") == 0);
  const Tensor x = floats({1}, {0});
  CHECK(regressor(1, x)
            .reals("nodes_values", {0, 0, 0, 0, 0, 0})
            .reals("target_weights", {1, 2, 3, 4})
            .error()
            .find("schema/attribute-missing") == 0);
  CHECK(plain_regressor(1, x).integers("nodes_hitrates", {}).error() != "");
  CHECK(plain_regressor(1, x).reals("base_values", {1, 2}).error().find("base_values has 2 entries") !=
        std::string::npos);
  NodeUnderTest loop("TreeEnsembleRegressor", 1, "ai.onnx.ml");
  loop.integers("nodes_treeids", {0, 0})
      .integers("nodes_nodeids", {0, 1})
      .integers("nodes_featureids", {0, 0})
      .texts("nodes_modes", {"BRANCH_LT", "BRANCH_LT"})
      .integers("nodes_truenodeids", {1, 1})
      .integers("nodes_falsenodeids", {1, 1})
      .reals("nodes_values", {0, 0})
      .attribute("n_targets", 1)
      .input(x);
  CHECK(loop.error().find("schema/tree-cycle") == 0);
}

TEST_CASE("TreeEnsembleRegressor-3 double thresholds and weights") {
  // 0.1 as a double is below 0.1 as a float32; 1e-10 and 1 cannot be told apart from 1 in float32,
  // but cancel.
  const auto node = [](double x) {
    return regressor(3, doubles({1}, {x}))
        .attribute("nodes_values_as_tensor", doubles({6}, {0.1, 0, 0, 1.5, 0, 0}))
        .attribute("target_weights_as_tensor", doubles({4}, {1.0000000001, 2, -1, 20}))
        .attribute("n_targets", 1);
  };
  CHECK(same(node(0.1).one(), floats({1, 1}, {1.00000008274037e-10F})));  // 1.0000000001 - 1 in double
  CHECK(same(node(0.10000000000000002).one(), floats({1, 1}, {1})));
  CHECK(node(0).reals("target_weights", {1, 2, 3, 4}).error().find("schema/attribute-value") == 0);
}

TEST_CASE("TreeEnsembleRegressor-5 is deprecated and means what 3 means") {
  NodeUnderTest node = plain_regressor(5, floats({3, 1}, {0.5F, 1, 2}));
  CHECK(same(node.one(), floats({3, 1}, {11, 12, 22})));
  CHECK(!node.warnings().empty());
}

namespace {

NodeUnderTest classifier(int64_t version, std::vector<int64_t> ids, std::vector<float> weights, Tensor x) {
  NodeUnderTest node("TreeEnsembleClassifier", version, "ai.onnx.ml");
  add_trees(node)
      .reals("nodes_values", {0.5F, 0, 0, 1.5F, 0, 0})
      .integers("class_treeids", {0, 0, 1, 1})
      .integers("class_nodeids", {1, 2, 1, 2})
      .integers("class_ids", std::move(ids))
      .reals("class_weights", std::move(weights))
      .input(std::move(x))
      .outputs(2);
  return node;
}

}  // namespace

TEST_CASE("TreeEnsembleClassifier-1 one score per class, the first of equal ones") {
  const Tensor x = floats({3, 1}, {0, 1, 2});
  NodeUnderTest node = classifier(1, {0, 1, 1, 2}, {1, 2, 1, 3}, x).texts("classlabels_strings", {"a", "b", "c"});
  CHECK(same(node.output(0), strings({3}, {"a", "b", "c"})));
  CHECK(same(node.output(1), floats({3, 3}, {1, 1, 0, 0, 3, 0, 0, 2, 3})));
  NodeUnderTest based = classifier(1, {0, 1, 1, 2}, {1, 2, 1, 3}, x)
                            .texts("classlabels_strings", {"a", "b", "c"})
                            .reals("base_values", {5, 0, 0});
  CHECK(same(based.output(0), strings({3}, {"a", "a", "a"})));
}

TEST_CASE("TreeEnsembleClassifier-1 votes for one of two classes: a probability") {
  // s = 0.25, 0.5, 0.75: the second is a tie.
  NodeUnderTest node = classifier(1, {0, 0, 0, 0}, {0, 0.25F, 0.25F, 0.5F}, floats({3, 1}, {0, 1, 2}))
                           .integers("classlabels_int64s", {10, 20});
  CHECK(same(node.output(0), int64s({3}, {10, 10, 20})));
  CHECK(same(node.output(1), floats({3, 2}, {0.75F, 0.25F, 0.5F, 0.5F, 0.25F, 0.75F})));
}

TEST_CASE("TreeEnsembleClassifier-1 votes for one of two classes: a signed score") {
  const auto node = [](const char* transform) {
    return classifier(1, {0, 0, 0, 0}, {-2, 1, 0, 1}, floats({3, 1}, {0, 1, 2}))
        .integers("classlabels_int64s", {10, 20})
        .attribute("post_transform", transform);
  };
  // s = -2, 1, 2.
  CHECK(same(node("NONE").output(0), int64s({3}, {10, 20, 20})));
  CHECK(same(node("NONE").output(1), floats({3, 2}, {2, -2, -1, 1, -2, 2})));
  CHECK(same(node("LOGISTIC").output(1),
             floats({3, 2}, {0.8807970779778824F, 0.11920292202211755F, 0.2689414213699951F, 0.7310585786300049F,
                             0.11920292202211755F, 0.8807970779778824F})));
  CHECK(same(node("LOGISTIC").output(0), int64s({3}, {10, 20, 20})));
}

TEST_CASE("TreeEnsembleClassifier-1 one class, and base values for both of two") {
  NodeUnderTest one = classifier(1, {0, 0, 0, 0}, {1, 2, 3, 4}, floats({1}, {0})).integers("classlabels_int64s", {7});
  CHECK(same(one.output(0), int64s({1}, {7})));
  CHECK(same(one.output(1), floats({1, 1}, {4})));
  NodeUnderTest both = classifier(1, {0, 0, 0, 0}, {1, 2, 3, 4}, floats({1}, {0}))
                           .integers("classlabels_int64s", {7, 8})
                           .reals("base_values", {0, 9});
  CHECK(same(both.output(0), int64s({1}, {8})));
  CHECK(same(both.output(1), floats({1, 2}, {4, 9})));
}

TEST_CASE("TreeEnsembleClassifier-3 double weights decide, float32 scores do not show it") {
  NodeUnderTest node("TreeEnsembleClassifier", 3, "ai.onnx.ml");
  add_trees(node)
      .reals("nodes_values", {0.5F, 0, 0, 1.5F, 0, 0})
      .integers("class_treeids", {0, 1})
      .integers("class_nodeids", {1, 1})
      .integers("class_ids", {0, 1})
      .attribute("class_weights_as_tensor", doubles({2}, {1, 1.0000000000000002}))
      .integers("classlabels_int64s", {7, 8})
      .input(floats({1}, {0}))
      .outputs(2);
  CHECK(same(node.output(0), int64s({1}, {8})));
  CHECK(same(node.output(1), floats({1, 2}, {1, 1})));
}

TEST_CASE("TreeEnsembleClassifier-5 is deprecated and means what 3 means") {
  NodeUnderTest node =
      classifier(5, {0, 1, 1, 2}, {1, 2, 1, 3}, floats({1, 1}, {2})).texts("classlabels_strings", {"a", "b", "c"});
  CHECK(same(node.output(0), strings({1}, {"c"})));
  CHECK(!node.warnings().empty());
}

TEST_CASE("TreeEnsembleClassifier-1 errors") {
  const Tensor x = floats({1}, {0});
  CHECK(classifier(1, {0, 0, 0, 3}, {1, 2, 3, 4}, x)
            .integers("classlabels_int64s", {7, 8})
            .error()
            .find("class_ids holds 3, must be in [0, 2)") != std::string::npos);
  CHECK(classifier(1, {0, 0, 0, 0}, {1, 2, 3, 4}, x).error().find("schema/attribute-missing") == 0);
  CHECK(classifier(1, {0, 0, 0, 0}, {1, 2, 3}, x)
            .integers("classlabels_int64s", {7})
            .error()
            .find("schema/list-length") == 0);
}

}  // namespace onnxv::testing
