// The operators of ops/elementwise/, a to z.
#include "ops/families.h"

namespace onnxv {

extern const Operator kAdd, kDiv, kMul, kSigmoid, kSub;

std::vector<const Operator*> elementwise_family() {
  return {&kAdd, &kDiv, &kMul, &kSigmoid, &kSub};
}

}  // namespace onnxv
