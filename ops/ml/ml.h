// The operators of ops/ml/.
#pragma once

#include "ops/operator.h"

namespace onnxv {

extern const Operator kArrayFeatureExtractor, kBinarizer, kCastMap, kCategoryMapper, kDictVectorizer,
    kFeatureVectorizer, kImputer, kLabelEncoder, kLinearClassifier, kLinearRegressor, kNormalizer, kOneHotEncoder,
    kSVMClassifier, kSVMRegressor, kScaler, kTreeEnsemble, kTreeEnsembleClassifier, kTreeEnsembleRegressor, kZipMap;

}  // namespace onnxv
