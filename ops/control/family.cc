// The operators of ops/control/, a to z.
#include "ops/families.h"

namespace onnxv {

std::vector<const Operator*> control_family() {
  return {};
}

}  // namespace onnxv
