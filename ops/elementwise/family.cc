// The operators of ops/elementwise/, a to z.
#include "ops/families.h"

namespace onnxv {

extern const Operator kAbs, kAcos, kAcosh, kAdd, kAnd, kAsin, kAsinh, kAtan, kAtanh,
    kBitShift, kBitwiseAnd, kBitwiseNot, kBitwiseOr, kBitwiseXor, kCeil, kCelu, kClip, kCos,
    kCosh, kDiv, kElu, kEqual, kErf, kExp, kFloor, kGelu, kGreater, kGreaterOrEqual, kHardSigmoid,
    kHardSwish, kIsInf, kIsNaN, kLeakyRelu, kLess, kLessOrEqual, kLog, kMax, kMean, kMin, kMish,
    kMod, kMul, kNeg, kNot, kOr, kPRelu, kPow, kReciprocal, kRelu, kRound, kSelu, kShrink,
    kSigmoid, kSign, kSin, kSinh, kSoftplus, kSoftsign, kSqrt, kSub, kSum, kSwiGLU, kSwish, kTan,
    kTanh, kThresholdedRelu, kXor;

std::vector<const Operator*> elementwise_family() {
  return {
      &kAbs, &kAcos, &kAcosh, &kAdd, &kAnd, &kAsin, &kAsinh, &kAtan, &kAtanh, &kBitShift,
      &kBitwiseAnd, &kBitwiseNot, &kBitwiseOr, &kBitwiseXor, &kCeil, &kCelu, &kClip, &kCos,
      &kCosh, &kDiv, &kElu, &kEqual, &kErf, &kExp, &kFloor, &kGelu, &kGreater, &kGreaterOrEqual,
      &kHardSigmoid, &kHardSwish, &kIsInf, &kIsNaN, &kLeakyRelu, &kLess, &kLessOrEqual, &kLog,
      &kMax, &kMean, &kMin, &kMish, &kMod, &kMul, &kNeg, &kNot, &kOr, &kPRelu, &kPow,
      &kReciprocal, &kRelu, &kRound, &kSelu, &kShrink, &kSigmoid, &kSign, &kSin, &kSinh,
      &kSoftplus, &kSoftsign, &kSqrt, &kSub, &kSum, &kSwiGLU, &kSwish, &kTan, &kTanh,
      &kThresholdedRelu, &kXor,
  };
}

}  // namespace onnxv
