// The operators of ops/elementwise/, a to z.
#include "ops/families.h"

namespace onnxv {

extern const Operator kAbs, kAcos, kAcosh, kAdd, kAsin, kAsinh, kAtan, kAtanh, kCeil, kCelu,
    kCos, kCosh, kDiv, kElu, kErf, kExp, kFloor, kGelu, kHardSigmoid, kHardSwish, kLeakyRelu,
    kLog, kMish, kMul, kNeg, kPRelu, kReciprocal, kRelu, kRound, kSelu, kShrink, kSigmoid, kSin,
    kSinh, kSoftplus, kSoftsign, kSqrt, kSub, kSwiGLU, kSwish, kTan, kTanh, kThresholdedRelu;

std::vector<const Operator*> elementwise_family() {
  return {
      &kAbs, &kAcos, &kAcosh, &kAdd, &kAsin, &kAsinh, &kAtan, &kAtanh, &kCeil, &kCelu, &kCos,
      &kCosh, &kDiv, &kElu, &kErf, &kExp, &kFloor, &kGelu, &kHardSigmoid, &kHardSwish,
      &kLeakyRelu, &kLog, &kMish, &kMul, &kNeg, &kPRelu, &kReciprocal, &kRelu, &kRound, &kSelu,
      &kShrink, &kSigmoid, &kSin, &kSinh, &kSoftplus, &kSoftsign, &kSqrt, &kSub, &kSwiGLU,
      &kSwish, &kTan, &kTanh, &kThresholdedRelu,
  };
}

}  // namespace onnxv
