// The operators of ops/reshape/, a to z.
#include "ops/families.h"

namespace onnxv {

std::vector<const Operator*> reshape_family() {
  return {};
}

}  // namespace onnxv
