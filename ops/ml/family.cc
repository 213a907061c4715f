// The operators of ops/ml/, a to z.
#include "ops/families.h"
#include "ops/ml/ml.h"

namespace onnxv {

std::vector<const Operator*> ml_family() {
  return {
      &kArrayFeatureExtractor,
      &kBinarizer,
      &kCastMap,
      &kCategoryMapper,
      &kDictVectorizer,
      &kFeatureVectorizer,
      &kImputer,
      &kLabelEncoder,
      &kLinearClassifier,
      &kLinearRegressor,
      &kNormalizer,
      &kOneHotEncoder,
      &kSVMClassifier,
      &kSVMRegressor,
      &kScaler,
      &kTreeEnsemble,
      &kTreeEnsembleClassifier,
      &kTreeEnsembleRegressor,
      &kZipMap,
  };
}

}  // namespace onnxv
