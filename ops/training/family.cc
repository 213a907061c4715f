// The operators of ops/training/, a to z.
#include "ops/families.h"

namespace onnxv {

std::vector<const Operator*> training_family() {
  return {};
}

}  // namespace onnxv
