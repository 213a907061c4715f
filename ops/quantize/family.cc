// The operators of ops/quantize/, a to z.
#include "ops/families.h"

namespace onnxv {

std::vector<const Operator*> quantize_family() {
  return {};
}

}  // namespace onnxv
