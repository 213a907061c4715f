// The operators of ops/reshape/, a to z.
#include "ops/reshape/family.h"

#include "ops/families.h"

namespace onnxv {

std::vector<const Operator*> reshape_family() {
  return {
      &kBitCast,      &kCenterCropPad, &kConcat,          &kConstant, &kConstantOfShape,
      &kDepthToSpace, &kExpand,        &kEyeLike,         &kFlatten,  &kIdentity,
      &kPad,          &kReshape,       &kReverseSequence, &kShape,    &kSize,
      &kSlice,        &kSpaceToDepth,  &kSplit,           &kSqueeze,  &kTile,
      &kTranspose,    &kTrilu,         &kUnsqueeze,
  };
}

}  // namespace onnxv
