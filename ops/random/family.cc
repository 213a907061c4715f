// The operators of ops/random/, a to z.
#include "ops/families.h"

namespace onnxv {

std::vector<const Operator*> random_family() {
  return {};
}

}  // namespace onnxv
