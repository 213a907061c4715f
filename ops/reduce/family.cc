// The operators of ops/reduce/, a to z.
#include "ops/families.h"

namespace onnxv {

extern const Operator kReduceL1, kReduceL2, kReduceLogSum, kReduceLogSumExp, kReduceMax, kReduceMean, kReduceMin, kReduceProd, kReduceSum, kReduceSumSquare;

std::vector<const Operator*> reduce_family() {
  return {&kReduceL1, &kReduceL2, &kReduceLogSum, &kReduceLogSumExp, &kReduceMax, &kReduceMean, &kReduceMin, &kReduceProd, &kReduceSum, &kReduceSumSquare};
}

}  // namespace onnxv
