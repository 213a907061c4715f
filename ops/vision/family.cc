// The operators of ops/vision/, a to z.
#include "ops/families.h"

namespace onnxv {

std::vector<const Operator*> vision_family() {
  return {};
}

}  // namespace onnxv
