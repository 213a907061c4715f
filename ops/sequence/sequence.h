// The operators of ops/sequence/.
#pragma once

#include "ops/operator.h"

namespace onnxv {

extern const Operator kConcatFromSequence, kOptional, kOptionalGetElement, kOptionalHasElement, kSequenceAt,
    kSequenceConstruct, kSequenceEmpty, kSequenceErase, kSequenceInsert, kSequenceLength, kSequenceMap,
    kSplitToSequence;

}  // namespace onnxv
