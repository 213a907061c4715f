// The operators of ops/linear/, a to z.
#include "ops/families.h"

namespace onnxv {

std::vector<const Operator*> linear_family() {
  return {};
}

}  // namespace onnxv
