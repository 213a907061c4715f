// The operators of ops/cast/, a to z.
#include "ops/families.h"

namespace onnxv {

std::vector<const Operator*> cast_family() {
  return {};
}

}  // namespace onnxv
