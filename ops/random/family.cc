// The operators of ops/random/, a to z.
#include "ops/families.h"

namespace onnxv {

extern const Operator kBernoulli, kDropout, kMultinomial, kRandomNormal, kRandomNormalLike, kRandomUniform,
    kRandomUniformLike;

std::vector<const Operator*> random_family() {
  return {&kBernoulli,        &kDropout,       &kMultinomial,      &kRandomNormal,
          &kRandomNormalLike, &kRandomUniform, &kRandomUniformLike};
}

}  // namespace onnxv
