// The operators of ops/elementwise/, a to z.
#include "ops/families.h"

namespace onnxv {

std::vector<const Operator*> elementwise_family() {
  return {};
}

}  // namespace onnxv
