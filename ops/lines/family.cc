// The operators of ops/lines/, a to z.
#include "ops/families.h"

namespace onnxv {

std::vector<const Operator*> lines_family() {
  return {};
}

}  // namespace onnxv
