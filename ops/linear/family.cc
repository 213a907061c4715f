// The operators of ops/linear/, a to z.
#include "ops/families.h"

namespace onnxv {

extern const Operator kMatMul;

std::vector<const Operator*> linear_family() {
  return {&kMatMul};
}

}  // namespace onnxv
