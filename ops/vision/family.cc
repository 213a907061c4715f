// The operators of ops/vision/, a to z.
#include "ops/families.h"

namespace onnxv {

extern const Operator kAffineGrid, kGridSample, kImageDecoder, kNonMaxSuppression, kResize, kRoiAlign, kUpsample;

std::vector<const Operator*> vision_family() {
  return {&kAffineGrid, &kGridSample, &kImageDecoder, &kNonMaxSuppression, &kResize, &kRoiAlign, &kUpsample};
}

}  // namespace onnxv
