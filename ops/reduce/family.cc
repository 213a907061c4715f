// The operators of ops/reduce/, a to z.
#include "ops/families.h"

namespace onnxv {

std::vector<const Operator*> reduce_family() {
  return {};
}

}  // namespace onnxv
