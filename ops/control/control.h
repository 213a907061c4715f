// The operators of ops/control/.
#pragma once

#include "ops/operator.h"

namespace onnxv {

extern const Operator kIf, kLoop, kScan;

}  // namespace onnxv
