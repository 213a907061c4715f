// The operators of ops/attention/, a to z.
#include "ops/families.h"

namespace onnxv {

extern const Operator kAttention, kFlexAttention, kLinearAttention, kRotaryEmbedding;

std::vector<const Operator*> attention_family() {
  return {&kAttention, &kFlexAttention, &kLinearAttention, &kRotaryEmbedding};
}

}  // namespace onnxv
