// The operators of ops/elementwise/, a to z.
#include "ops/families.h"

namespace onnxv {

extern const Operator kSigmoid;

std::vector<const Operator*> elementwise_family() {
  return {&kSigmoid};
}

}  // namespace onnxv
