// plain_sums.h for one instruction set each.
#pragma once

#include "src/number/plain_sums.h"

namespace onnxv {

PlainSum plain_sum_none(const double* x, size_t count, Term term);
PlainSum plain_sum_avx2(const double* x, size_t count, Term term);
PlainSum plain_sum_avx512(const double* x, size_t count, Term term);
void add_columns_none(const double* x, size_t count, Term term, double* sums, double* masses);
void add_columns_avx2(const double* x, size_t count, Term term, double* sums, double* masses);
void add_columns_avx512(const double* x, size_t count, Term term, double* sums, double* masses);

}  // namespace onnxv
