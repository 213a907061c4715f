// The operators of ops/lines/, a to z.
#include "ops/families.h"

namespace onnxv {

extern const Operator kLogSoftmax, kSoftmax;

std::vector<const Operator*> lines_family() {
  return {&kLogSoftmax, &kSoftmax};
}

}  // namespace onnxv
