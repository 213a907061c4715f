// The operators of ops/index/, a to z.
#include "ops/families.h"

namespace onnxv {

std::vector<const Operator*> index_family() {
  return {};
}

}  // namespace onnxv
