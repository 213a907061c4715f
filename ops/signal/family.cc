// The operators of ops/signal/, a to z.
#include "ops/families.h"

namespace onnxv {

extern const Operator kBlackmanWindow, kDFT, kHammingWindow, kHannWindow, kMelWeightMatrix, kSTFT;

std::vector<const Operator*> signal_family() {
  return {&kBlackmanWindow, &kDFT, &kHammingWindow, &kHannWindow, &kMelWeightMatrix, &kSTFT};
}

}  // namespace onnxv
