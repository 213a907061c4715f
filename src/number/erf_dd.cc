#include "src/number/erf_dd.h"

#include <mpfr.h>

#include <array>

#include "src/number/exp_dd.h"

namespace onnxv {
namespace {

constexpr size_t kMostTerms = 66;

// c_n = 2 / sqrt(pi) · 2^n / (1 · 3 · … · (2n + 1)).
struct Coefficients {
  std::array<DoubleDouble, kMostTerms> c;
  Coefficients();
};

Coefficients::Coefficients() {
  mpfr_t x, rest;
  mpfr_init2(x, 200);
  mpfr_init2(rest, 200);
  mpfr_const_pi(x, MPFR_RNDN);
  mpfr_rec_sqrt(x, x, MPFR_RNDN);
  for (size_t n = 0; n < kMostTerms; ++n) {
    mpfr_mul_2ui(x, x, 1, MPFR_RNDN);
    mpfr_div_ui(x, x, static_cast<unsigned long>(2 * n + 1), MPFR_RNDN);
    c[n].head = mpfr_get_d(x, MPFR_RNDN);
    mpfr_sub_d(rest, x, c[n].head, MPFR_RNDN);
    c[n].tail = mpfr_get_d(rest, MPFR_RNDN);
  }
  mpfr_clears(x, rest, static_cast<mpfr_ptr>(nullptr));
}

}  // namespace

// erf(x) = x e^(-x²) · sum of c_n x^2n (Abramowitz and Stegun 7.1.6). All terms are positive, so relative errors only add up: 9 u² for
// each of at most 66 steps, and as often the 5 u² of x², make 2^-96; x² and its exponential, 9 · 5 u² and 2^-100, the two last products 10 u². The
// first term that is left out is below 2^-106 of the sum (66 terms up to 3, 48 up to 2, 30 up to 1: 18^66/133!! = 2^-107 of a sum of
// 2^11), and each further one below a seventh of the one before.
DoubleDouble erf_dd(DoubleDouble x) {
  static const Coefficients kept;
  const double size = std::fabs(x.head);
  size_t n = size < 1 ? 30 : size < 2 ? 48 : kMostTerms;
  const DoubleDouble square = x * x;
  DoubleDouble sum = kept.c[--n];
  while (n > 0) sum = kept.c[--n] + square * sum;
  return x * exp_scaled(-square).unscaled() * sum;
}

}  // namespace onnxv
