// The operators of ops/sequence/, a to z.
#include "ops/families.h"

namespace onnxv {

std::vector<const Operator*> sequence_family() {
  return {};
}

}  // namespace onnxv
