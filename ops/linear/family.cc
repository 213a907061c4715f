// The operators of ops/linear/, a to z.
#include "ops/families.h"

namespace onnxv {

extern const Operator kDet, kEinsum, kGemm, kMatMul;

std::vector<const Operator*> linear_family() {
  return {&kDet, &kEinsum, &kGemm, &kMatMul};
}

}  // namespace onnxv
