// The operators of ops/recurrent/, a to z.
#include "ops/families.h"

namespace onnxv {

extern const Operator kGRU, kLSTM, kRNN;

std::vector<const Operator*> recurrent_family() { return {&kGRU, &kLSTM, &kRNN}; }

}  // namespace onnxv
