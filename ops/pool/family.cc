// The operators of ops/pool/, a to z.
#include "ops/families.h"

namespace onnxv {

extern const Operator kAveragePool, kGlobalAveragePool;
extern const Operator kGlobalLpPool, kLpPool;
extern const Operator kGlobalMaxPool, kMaxPool;
extern const Operator kMaxRoiPool;
extern const Operator kMaxUnpool, kNhwcMaxUnpool;

std::vector<const Operator*> pool_family() {
  return {
      &kAveragePool,
      &kGlobalAveragePool,
      &kGlobalLpPool,
      &kGlobalMaxPool,
      &kLpPool,
      &kMaxPool,
      &kMaxRoiPool,
      &kMaxUnpool,
      &kNhwcMaxUnpool,
  };
}

}  // namespace onnxv
