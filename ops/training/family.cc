// The operators of ops/training/, a to z.
#include "ops/families.h"

namespace onnxv {

extern const Operator kAdagrad, kAdam, kGradient, kMomentum;

std::vector<const Operator*> training_family() {
  return {&kAdagrad, &kAdam, &kGradient, &kMomentum};
}

}  // namespace onnxv
