// The operators of ops/cast/, a to z.
#include "ops/families.h"

namespace onnxv {

extern const Operator kCast, kCastLike;

std::vector<const Operator*> cast_family() {
  return {&kCast, &kCastLike};
}

}  // namespace onnxv
