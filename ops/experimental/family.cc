// The operators of ops/experimental/, a to z.
#include "ops/families.h"

namespace onnxv {

std::vector<const Operator*> experimental_family() {
  return {};
}

}  // namespace onnxv
