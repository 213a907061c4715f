// The operators of ops/random/, a to z.
#include "ops/families.h"

namespace onnxv {

extern const Operator kDropout;

std::vector<const Operator*> random_family() {
  return {&kDropout};
}

}  // namespace onnxv
