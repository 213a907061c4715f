// The operators of ops/attention/, a to z.
#include "ops/families.h"

namespace onnxv {

std::vector<const Operator*> attention_family() {
  return {};
}

}  // namespace onnxv
