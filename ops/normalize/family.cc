// The operators of ops/normalize/, a to z.
#include "ops/families.h"

namespace onnxv {

std::vector<const Operator*> normalize_family() {
  return {};
}

}  // namespace onnxv
