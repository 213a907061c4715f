// The operators of ops/experimental/, a to z.
#include "ops/experimental/family.h"

#include "ops/families.h"

namespace onnxv {

std::vector<const Operator*> experimental_family() {
  return {
      &kConstantFill,
      &kCrop,
      &kGivenTensorFill,
      &kLoopIndexTensor,
  };
}

}  // namespace onnxv
