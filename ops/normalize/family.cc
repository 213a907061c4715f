// The operators of ops/normalize/, a to z.
#include "ops/families.h"

namespace onnxv {

extern const Operator kBatchNormalization, kGroupNormalization, kInstanceNormalization, kLRN, kLayerNormalization, kLpNormalization, kMeanVarianceNormalization, kRMSNormalization;

std::vector<const Operator*> normalize_family() {
  return {&kBatchNormalization, &kGroupNormalization, &kInstanceNormalization, &kLRN, &kLayerNormalization, &kLpNormalization, &kMeanVarianceNormalization, &kRMSNormalization};
}

}  // namespace onnxv
