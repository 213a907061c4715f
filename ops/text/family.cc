// The operators of ops/text/, a to z.
#include "ops/families.h"

namespace onnxv {

std::vector<const Operator*> text_family() {
  return {};
}

}  // namespace onnxv
