// The operators of ops/vision/, a to z.
#include "ops/families.h"

namespace onnxv {

extern const Operator kResize, kUpsample;

std::vector<const Operator*> vision_family() {
  return {&kResize, &kUpsample};
}

}  // namespace onnxv
