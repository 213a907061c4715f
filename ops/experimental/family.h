// The operators of this folder, one line for each file.
#pragma once

#include "ops/operator.h"

namespace onnxv {

extern const Operator kConstantFill, kGivenTensorFill;
extern const Operator kCrop;
extern const Operator kLoopIndexTensor;

}  // namespace onnxv
