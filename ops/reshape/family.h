// The operators of this folder, one line for each file.
#pragma once

#include "ops/operator.h"

namespace onnxv {

extern const Operator kReshape, kFlatten;
extern const Operator kSqueeze, kUnsqueeze;
extern const Operator kTranspose, kDepthToSpace, kSpaceToDepth, kReverseSequence;
extern const Operator kExpand, kTile;
extern const Operator kConcat, kSplit;
extern const Operator kSlice;
extern const Operator kPad;
extern const Operator kCenterCropPad;
extern const Operator kShape, kSize;
extern const Operator kConstant, kConstantOfShape;
extern const Operator kEyeLike, kTrilu;
extern const Operator kIdentity, kBitCast;

}  // namespace onnxv
