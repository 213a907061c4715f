// plain_sums.h for one instruction set each.
#pragma once

#include "src/number/plain_sums.h"

namespace onnxv {

struct PlainSums {
  PlainSum (*sum)(const float*, size_t, Term);
  void (*rows)(const float*, size_t, size_t, size_t, Term, double*, double*);
  void (*settle)(const Target&, const double*, const double*, size_t, void*, uint8_t*);
};
extern const PlainSums kPlainSums_none, kPlainSums_avx2, kPlainSums_avx512;

}  // namespace onnxv
