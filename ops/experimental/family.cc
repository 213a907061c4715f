// The operators of ops/experimental/, a to z.
#include "ops/experimental/family.h"

#include "ops/families.h"

namespace onnxv {

extern const Operator kATen, kAffine, kFC, kGRUUnit, kImageScaler, kParametricSoftplus, kScale, kScaledTanh;

std::vector<const Operator*> experimental_family() {
  return {
      &kATen,
      &kAffine,
      &kConstantFill,
      &kCrop,
      &kFC,
      &kGRUUnit,
      &kGivenTensorFill,
      &kImageScaler,
      &kLoopIndexTensor,
      &kParametricSoftplus,
      &kScale,
      &kScaledTanh,
  };
}

}  // namespace onnxv
