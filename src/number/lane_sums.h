// plain_sums.h and prefix_sums.h for one instruction set each.
#pragma once

#include "src/number/plain_sums.h"
#include "src/number/prefix_sums.h"

namespace onnxv {

struct PlainSums {
  PlainSum (*sum)(const float*, size_t, Term);
  void (*rows)(const float*, size_t, size_t, size_t, Term, double*, double*);
  void (*settle)(const Target&, const double*, const double*, size_t, void*, uint8_t*);
  void (*prefix)(const PrefixLines&, uint8_t*);
};
extern const PlainSums kPlainSums_none, kPlainSums_avx2, kPlainSums_avx512;

void prefix_sums_none(const PrefixLines& lines, uint8_t* open);
void prefix_sums_avx2(const PrefixLines& lines, uint8_t* open);
void prefix_sums_avx512(const PrefixLines& lines, uint8_t* open);

}  // namespace onnxv
