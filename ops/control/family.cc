// The operators of ops/control/, a to z.
#include "ops/control/control.h"
#include "ops/families.h"

namespace onnxv {

std::vector<const Operator*> control_family() {
  return {
      &kIf,
      &kLoop,
      &kScan,
  };
}

}  // namespace onnxv
