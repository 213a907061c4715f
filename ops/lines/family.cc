// The operators of ops/lines/, a to z.
#include "ops/families.h"

namespace onnxv {

extern const Operator kArgMax, kArgMin;
extern const Operator kHardmax;
extern const Operator kLogSoftmax, kSoftmax;
extern const Operator kTopK;

std::vector<const Operator*> lines_family() {
  return {
      &kArgMax,
      &kArgMin,
      &kHardmax,
      &kLogSoftmax,
      &kSoftmax,
      &kTopK,
  };
}

}  // namespace onnxv
