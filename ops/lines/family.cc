// The operators of ops/lines/, a to z.
#include "ops/families.h"

namespace onnxv {

extern const Operator kArgMax, kArgMin;
extern const Operator kCumProd, kCumSum;
extern const Operator kHardmax;
extern const Operator kLogSoftmax, kSoftmax;
extern const Operator kNegativeLogLikelihoodLoss, kSoftmaxCrossEntropyLoss;
extern const Operator kRange;
extern const Operator kTopK;

std::vector<const Operator*> lines_family() {
  return {
      &kArgMax,
      &kArgMin,
      &kCumProd,
      &kCumSum,
      &kHardmax,
      &kLogSoftmax,
      &kNegativeLogLikelihoodLoss,
      &kRange,
      &kSoftmax,
      &kSoftmaxCrossEntropyLoss,
      &kTopK,
  };
}

}  // namespace onnxv
