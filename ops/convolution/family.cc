// The operators of ops/convolution/, a to z.
#include "ops/families.h"

namespace onnxv {

extern const Operator kCausalConvWithState;
extern const Operator kCol2Im;
extern const Operator kConv;
extern const Operator kConvTranspose;
extern const Operator kDeformConv;

std::vector<const Operator*> convolution_family() {
  return {
      &kCausalConvWithState,
      &kCol2Im,
      &kConv,
      &kConvTranspose,
      &kDeformConv,
  };
}

}  // namespace onnxv
