// A compensated dot product: the part that is compiled once per instruction set.
#pragma once

#include <cstddef>

namespace onnxv {

struct CompensatedSum {
  double head, rest;
  double size;   // of the absolute values of the products
  bool rounded;  // something was: otherwise head + rest is the sum, and head has the sign of its zero
};
CompensatedSum compensated_dot_none(const double* a, const double* b, size_t count);
CompensatedSum compensated_dot_avx2(const double* a, const double* b, size_t count);
CompensatedSum compensated_dot_avx512(const double* a, const double* b, size_t count);

// The plain sum, each product and each of at most count / 2 + 32 additions in a row rounded, and that of the absolute values.
struct SizedSum {
  double sum, size;
};
SizedSum sized_dot_none(const double* a, const double* b, size_t count);
SizedSum sized_dot_avx2(const double* a, const double* b, size_t count);
SizedSum sized_dot_avx512(const double* a, const double* b, size_t count);

// What joins the partial sums counts as so many terms more.
inline constexpr size_t kCompensatedParts = 16;

}  // namespace onnxv
