// The operators of ops/signal/, a to z.
#include "ops/families.h"

namespace onnxv {

std::vector<const Operator*> signal_family() {
  return {};
}

}  // namespace onnxv
