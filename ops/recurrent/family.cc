// The operators of ops/recurrent/, a to z.
#include "ops/families.h"

namespace onnxv {

std::vector<const Operator*> recurrent_family() {
  return {};
}

}  // namespace onnxv
