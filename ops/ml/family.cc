// The operators of ops/ml/, a to z.
#include "ops/families.h"

namespace onnxv {

std::vector<const Operator*> ml_family() {
  return {};
}

}  // namespace onnxv
