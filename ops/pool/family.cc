// The operators of ops/pool/, a to z.
#include "ops/families.h"

namespace onnxv {

std::vector<const Operator*> pool_family() {
  return {};
}

}  // namespace onnxv
