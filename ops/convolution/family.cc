// The operators of ops/convolution/, a to z.
#include "ops/families.h"

namespace onnxv {

std::vector<const Operator*> convolution_family() {
  return {};
}

}  // namespace onnxv
