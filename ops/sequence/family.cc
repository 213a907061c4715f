// The operators of ops/sequence/, a to z.
#include "ops/families.h"
#include "ops/sequence/sequence.h"

namespace onnxv {

std::vector<const Operator*> sequence_family() {
  return {
      &kConcatFromSequence,
      &kOptional,
      &kOptionalGetElement,
      &kOptionalHasElement,
      &kSequenceAt,
      &kSequenceConstruct,
      &kSequenceEmpty,
      &kSequenceErase,
      &kSequenceInsert,
      &kSequenceLength,
      &kSequenceMap,
      &kSplitToSequence,
  };
}

}  // namespace onnxv
