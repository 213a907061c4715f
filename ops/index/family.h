// The operators of this folder, one line for each file.
#pragma once

#include "ops/operator.h"

namespace onnxv {

extern const Operator kGather, kGatherElements, kGatherND;
extern const Operator kScatter, kScatterElements, kScatterND;
extern const Operator kTensorScatter;
extern const Operator kWhere;
extern const Operator kNonZero;
extern const Operator kOneHot;
extern const Operator kCompress;
extern const Operator kUnique;

}  // namespace onnxv
