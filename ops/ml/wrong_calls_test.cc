#include "src/run/wrong_calls.h"

namespace onnxv::testing {
namespace {

const Tensor kRow = floats({1, 2}, {1, 2}), kCube = floats({1, 1, 2}, {1, 2}), kScalar = floats({}, {1}), kWords = strings({1}, {"a"});

NodeUnderTest ml(const char* op, const Value& x, int64_t version = 1) { return NodeUnderTest(op, version, "ai.onnx.ml").input(x); }

Value map_of(std::vector<int64_t> keys, std::vector<Tensor> values, DType dtype) {
  Map map;
  map.key_type = DType::kInt64;
  map.value_type = Type::tensor(dtype);
  map.int_keys = std::move(keys);
  for (Tensor& value : values) map.values.emplace_back(std::move(value));
  return Value(std::move(map));
}
const Value kNumbers = map_of({1, 2}, {kScalar, kScalar}, DType::kFloat);
const Value kTexts = map_of({1}, {strings({}, {"one"})}, DType::kString);

TEST_CASE("ml: lookups") {
  check_wrong_calls({
      {ml("ArrayFeatureExtractor", kRow).input(int64s({1}, {-1})), "undefined/index-range", "ArrayFeatureExtractor-1", "Y holds -1", "must be in [0, 1]"},
      {ml("ArrayFeatureExtractor", kRow).input(int64s({1}, {2})), "undefined/index-range", "ArrayFeatureExtractor-1", "Y holds 2", "must be in [0, 1]"},
      {ml("ArrayFeatureExtractor", kRow).input(int64s({0}, {})), "schema/shape-mismatch", "ArrayFeatureExtractor-1", "Y has no elements", "must have at least one index"},
      {ml("ArrayFeatureExtractor", kScalar).input(int64s({1}, {0})), "schema/shape-mismatch", "ArrayFeatureExtractor-1", "X is a scalar", "must have features"},
      {ml("CastMap", kNumbers).attribute("cast_to", "FLOAT"), "schema/attribute-value", "CastMap-1", "cast_to is \"FLOAT\"", "must be TO_FLOAT, TO_INT64 or TO_STRING"},
      {ml("CastMap", kNumbers).attribute("map_form", "SPARSE").attribute("max_map", 2), "undefined/index-range", "CastMap-1", "X has the key 2", "must be in [0, max_map - 1] = [0, 1]"},
      {ml("CastMap", kNumbers).attribute("map_form", "SPARSE").attribute("max_map", -1), "schema/attribute-range", "CastMap-1", "max_map is -1", "must be at least 0"},
      {ml("CastMap", kNumbers).attribute("map_form", "HASH"), "schema/attribute-value", "CastMap-1", "map_form is \"HASH\"", "must be DENSE or SPARSE"},
      {ml("CastMap", kTexts), "undefined/cast-text", "CastMap-1", "a value of X is \"one\"", "must spell a number"},
      {ml("CategoryMapper", kWords).integers("cats_int64s", {1, 2}).texts("cats_strings", {"a"}), "schema/list-length", "CategoryMapper-1", "cats_int64s has 2 entries, cats_strings 1", "must have as many"},
      {ml("DictVectorizer", kNumbers).integers("int64_vocabulary", {1}), "undefined/unknown-key", "DictVectorizer-1", "a key of X is not in the vocabulary", "must be"},
      {ml("DictVectorizer", kNumbers).texts("string_vocabulary", {"a"}), "schema/type-mismatch", "DictVectorizer-1", "X has int64 keys", "must have the vocabulary's type"},
      {ml("DictVectorizer", kNumbers), "schema/attribute-missing", "DictVectorizer-1", "int64_vocabulary and string_vocabulary are both given or both absent", "exactly one must be given"},
      {ml("LabelEncoder", kWords, 2).texts("keys_strings", {"a"}), "schema/attribute-missing", "LabelEncoder-2", "0 attributes values_* are given", "exactly one must be"},
      {ml("LabelEncoder", kWords, 2).texts("keys_strings", {"a", "b"}).integers("values_int64s", {1}), "schema/list-length", "LabelEncoder-2", "there are 2 keys and 1 values", "must be as many"},
      {ml("LabelEncoder", kWords, 4).integers("keys_int64s", {1}).integers("values_int64s", {1}), "schema/type-mismatch", "LabelEncoder-4", "X is string", "must be int64 as the keys"},
      {ml("LabelEncoder", kWords, 4).texts("keys_strings", {"a"}).attribute("values_tensor", int64s({1, 1}, {1})), "schema/attribute-value", "LabelEncoder-4", "values_tensor is int64[1,1]", "must be 1-D of a type that LabelEncoder allows"},
      {ml("LabelEncoder", kWords, 4).texts("keys_strings", {"a"}).integers("values_int64s", {1}).attribute("default_tensor", int64s({2}, {1, 2})), "schema/attribute-value", "LabelEncoder-4", "default_tensor has shape [2]", "must have one element"},
      {ml("OneHotEncoder", kWords).texts("cats_strings", {"b"}).attribute("zeros", 0), "undefined/unknown-category", "OneHotEncoder-1", "element 0 of X is no category", "must be one where zeros is 0"},
      {ml("OneHotEncoder", kWords).integers("cats_int64s", {1}), "schema/type-mismatch", "OneHotEncoder-1", "X is string", "must be a string with cats_strings, a number with cats_int64s"},
      {ml("ZipMap", kRow).integers("classlabels_int64s", {1}), "schema/list-length", "ZipMap-1", "there are 1 class labels", "must be as many as X has columns: 2"},
      {ml("ZipMap", kCube).integers("classlabels_int64s", {1, 2}), "schema/shape-mismatch", "ZipMap-1", "X has shape [1,1,2]", "must be [N,F] or [F]"},
      {ml("ZipMap", floats({int64_t{1} << 40, 0}, {})).integers("classlabels_int64s", {}), "limit/sequence-length", "ZipMap-1", "the sequence would have 1099511627776 maps", "must be at most 67108864"},
  });
}

TEST_CASE("ml: features") {
  check_wrong_calls({
      {ml("FeatureVectorizer", kRow).integers("inputdimensions", {1, 2}), "schema/list-length", "FeatureVectorizer-1", "inputdimensions has 2 entries", "must have one for each of the 1 inputs"},
      {ml("FeatureVectorizer", kRow).integers("inputdimensions", {-1}), "schema/attribute-range", "FeatureVectorizer-1", "inputdimensions holds -1", "must be at least 0"},
      {ml("FeatureVectorizer", kRow).input(floats({2, 1}, {1, 2})), "schema/shape-mismatch", "FeatureVectorizer-1", "a part has shape [2,1]", "must equal [1,2] but for axis 1"},
      {ml("FeatureVectorizer", kCube), "schema/shape-mismatch", "FeatureVectorizer-1", "X has shape [1,1,2]", "must be [N,F] or [F]"},
      {ml("Imputer", kRow), "schema/attribute-missing", "Imputer-1", "imputed_value_floats is absent or both lists are given", "it alone must be given for float"},
      {ml("Imputer", kRow).reals("imputed_value_floats", {1, 2, 3}), "schema/list-length", "Imputer-1", "imputed_value_floats has 3 entries", "must have 1 or 2"},
      {ml("Imputer", int32s({1}, {0})).integers("imputed_value_int64s", {int64_t{1} << 31}), "schema/attribute-range", "Imputer-1", "imputed_value_int64s holds 2147483648", "must fit int32"},
      {ml("Normalizer", kRow).attribute("norm", "L3"), "schema/attribute-value", "Normalizer-1", "norm is \"L3\"", "must be MAX, L1 or L2"},
      {ml("Normalizer", kScalar), "schema/shape-mismatch", "Normalizer-1", "X has shape []", "must be [N,F] or [F]"},
      {ml("Scaler", kRow).reals("offset", {0}), "schema/attribute-missing", "Scaler-1", "scale is absent", "is required"},
      {ml("Scaler", kRow).reals("offset", {0}).reals("scale", {1, 1}), "schema/list-length", "Scaler-1", "offset has 1 entries, scale 2", "must have as many"},
      {ml("Scaler", kRow).reals("offset", {0, 0, 0}).reals("scale", {1, 1, 1}), "schema/list-length", "Scaler-1", "offset has 3 entries", "must have 1 or 2"},
  });
}

TEST_CASE("ml: linear models and support vectors") {
  check_wrong_calls({
      {ml("LinearRegressor", kRow).reals("coefficients", {1}), "schema/list-length", "LinearRegressor-1", "coefficients has 1 entries", "must have one for each score and each of the 2 features"},
      {ml("LinearRegressor", kRow).reals("coefficients", {1, 1}).attribute("targets", 0), "schema/attribute-range", "LinearRegressor-1", "targets is 0", "must be at least 1"},
      {ml("LinearRegressor", kRow).reals("coefficients", {1, 1}).attribute("targets", INT64_MAX), "limit/target-count", "LinearRegressor-1", "targets is 9223372036854775807", "must be at most 16777216"},
      {ml("LinearRegressor", kRow).reals("coefficients", {1, 1}).reals("intercepts", {1, 1}), "schema/list-length", "LinearRegressor-1", "intercepts has 2 entries", "must have none or 1"},
      {ml("LinearRegressor", kRow).reals("coefficients", {1, 1}).attribute("post_transform", "ABS"), "schema/attribute-value", "LinearRegressor-1", "post_transform is \"ABS\"", "must be NONE, SOFTMAX, LOGISTIC, SOFTMAX_ZERO or PROBIT"},
      {ml("LinearClassifier", kRow).reals("coefficients", {1, 1}).integers("classlabels_ints", {1, 2, 3}).outputs(2), "schema/list-length", "LinearClassifier-1", "coefficients make 1 scores for 3 labels", "must make one for each, or one for two"},
      {ml("LinearClassifier", kRow).reals("coefficients", {1, 1}).integers("classlabels_ints", {1}).texts("classlabels_strings", {"a"}).outputs(2), "schema/attribute-missing", "LinearClassifier-1", "classlabels_ints and classlabels_strings are both given or both absent", "exactly one must be given"},
      {ml("SVMRegressor", kRow).attribute("n_supports", 2).reals("support_vectors", {1, 1}).reals("coefficients", {1, 1}).reals("rho", {0}), "schema/list-length", "SVMRegressor-1", "support_vectors has 2 entries", "must have 4"},
      {ml("SVMRegressor", kRow).attribute("n_supports", -1), "schema/attribute-range", "SVMRegressor-1", "n_supports is -1", "must be in [0, 2^31)"},
      {ml("SVMRegressor", kRow).reals("coefficients", {1, 1}), "schema/attribute-missing", "SVMRegressor-1", "rho is absent or empty", "must have one entry"},
      {ml("SVMRegressor", kRow).reals("coefficients", {1, 1}).reals("rho", {0}).attribute("kernel_type", "TREE"), "schema/attribute-value", "SVMRegressor-1", "kernel_type is \"TREE\"", "must be LINEAR, POLY, RBF or SIGMOID"},
      {ml("SVMClassifier", kRow).integers("classlabels_ints", {}).outputs(2), "schema/list-length", "SVMClassifier-1", "there are no class labels", "must be at least one"},
      {ml("SVMClassifier", kRow).integers("classlabels_ints", {0, 1}).integers("vectors_per_class", {1, -1}).outputs(2), "schema/attribute-range", "SVMClassifier-1", "vectors_per_class holds -1", "must be in [0, 2^31)"},
      {ml("SVMClassifier", kRow).integers("classlabels_ints", {0, 1}).integers("vectors_per_class", {1, 1}).reals("support_vectors", {1, 1, 1, 1}).reals("coefficients", {1, 1}).outputs(2), "schema/list-length", "SVMClassifier-1", "rho has 0 entries", "must have 1"},
      {ml("SVMClassifier", kRow).integers("classlabels_ints", {0, 1}).integers("vectors_per_class", {1, 1}).reals("support_vectors", {1, 1, 1, 1}).reals("coefficients", {1, 1}).reals("rho", {0}).reals("prob_a", {1}).outputs(2), "schema/list-length", "SVMClassifier-1", "prob_b has 0 entries", "must have 1"},
  });
}

// One branch on feature 0 with the leaves 1 and 2; `patch` overrides one list.
NodeUnderTest regressor(std::vector<int64_t> yes, std::vector<int64_t> features, std::vector<int64_t> ids = {0, 1, 2}) {
  return ml("TreeEnsembleRegressor", kRow, 3).attribute("n_targets", 1).integers("nodes_treeids", {0, 0, 0}).integers("nodes_nodeids", std::move(ids))
      .integers("nodes_featureids", std::move(features)).integers("nodes_truenodeids", std::move(yes)).integers("nodes_falsenodeids", {2, 0, 0})
      .texts("nodes_modes", {"BRANCH_LEQ", "LEAF", "LEAF"}).reals("nodes_values", {0, 0, 0}).integers("target_treeids", {0})
      .integers("target_nodeids", {1}).integers("target_ids", {0}).reals("target_weights", {1});
}
NodeUnderTest ensemble(std::vector<int64_t> yes_leaf, std::vector<int64_t> yes, uint8_t mode, int64_t aggregate) {
  return ml("TreeEnsemble", kRow, 5).integers("tree_roots", {0}).attribute("nodes_modes", uint8s({1}, {mode})).integers("nodes_featureids", {0})
      .attribute("nodes_splits", floats({1}, {0})).integers("nodes_truenodeids", std::move(yes)).integers("nodes_trueleafs", std::move(yes_leaf))
      .integers("nodes_falsenodeids", {0}).integers("nodes_falseleafs", {1}).integers("leaf_targetids", {0})
      .attribute("leaf_weights", floats({1}, {1})).attribute("aggregate_function", aggregate);
}

TEST_CASE("ml: trees that are none") {
  check_wrong_calls({
      {regressor({1, 0, 0}, {2, 0, 0}), "schema/tree-feature", "TreeEnsembleRegressor-3", "a node looks at feature 2", "must be in [0, 2)"},
      {regressor({1, 0, 0}, {-1, 0, 0}), "schema/tree-feature", "TreeEnsembleRegressor-3", "a node looks at feature -1", "must be in [0, 2)"},
      {regressor({7, 0, 0}, {0, 0, 0}), "schema/tree-node", "TreeEnsembleRegressor-3", "node 7 of tree 0 is a child", "must be given"},
      {regressor({2, 0, 0}, {0, 0, 0}), "schema/tree-root", "TreeEnsembleRegressor-3", "tree 0 has 2 roots", "must have one node that is no child"},
      {regressor({1, 0, 0}, {0, 0, 0}, {0, 1, 1}), "schema/tree-node", "TreeEnsembleRegressor-3", "node 1 of tree 0 is given twice", "must be given once"},
      {regressor({1, 0, 0}, {0, 0, 0}, {3, 1, 2}), "schema/tree-root", "TreeEnsembleRegressor-3", "node 3 of tree 0 is the root", "must be node 0"},
      {regressor({1, 0}, {0, 0, 0}), "schema/list-length", "TreeEnsembleRegressor-3", "nodes_truenodeids has 2 entries", "must have 3 as the other lists"},
      {regressor({1, 0, 0}, {0, 0, 0}).attribute("aggregate_function", "MEAN"), "schema/attribute-value", "TreeEnsembleRegressor-3", "aggregate_function is \"MEAN\"", "must be SUM, AVERAGE, MIN or MAX"},
      {regressor({1, 0, 0}, {0, 0, 0}).reals("base_values", {1, 2}), "schema/list-length", "TreeEnsembleRegressor-3", "base_values has 2 entries", "must have none or 1"},
      {regressor({1, 0, 0}, {0, 0, 0}).attribute("target_weights_as_tensor", doubles({1}, {1})), "schema/attribute-value", "TreeEnsembleRegressor-3", "target_weights and target_weights_as_tensor are both given", "must be one of them"},
      {ml("TreeEnsembleRegressor", kRow), "schema/attribute-missing", "TreeEnsembleRegressor-1", "attribute \"n_targets\" is absent", "is required"},
      {ml("TreeEnsembleClassifier", kRow).integers("classlabels_int64s", {}).outputs(2), "schema/list-length", "TreeEnsembleClassifier-1", "there are no class labels", "must be at least one"},
      {ensemble({0}, {0}, 0, 1), "schema/tree-node", "TreeEnsemble-5", "node 0 has several parents", "must have one"},
      {ensemble({1}, {1}, 0, 1), "schema/tree-node", "TreeEnsemble-5", "leaf 1 is a child", "must be in [0, 1)"},
      {ensemble({2}, {0}, 0, 1), "schema/attribute-range", "TreeEnsemble-5", "nodes_trueleafs holds 2", "must be 0 or 1"},
      {ensemble({1}, {0}, 7, 1), "schema/attribute-range", "TreeEnsemble-5", "nodes_modes holds 7", "must be in [0, 6]"},
      {ensemble({1}, {0}, 6, 1), "schema/list-length", "TreeEnsemble-5", "membership_values holds 0 sets", "must hold one for each of the 1 BRANCH_MEMBER nodes"},
      {ensemble({1}, {0}, 0, 4), "schema/attribute-range", "TreeEnsemble-5", "aggregate_function is 4", "must be in [0, 3]"},
      {ensemble({1}, {0}, 0, 1).attribute("n_targets", INT64_MAX), "limit/target-count", "TreeEnsemble-5", "n_targets is 9223372036854775807", "must be at most 16777216"},
  });
}

}  // namespace
}  // namespace onnxv::testing
