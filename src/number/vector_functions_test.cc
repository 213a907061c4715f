// How far this machine's vector functions are from the real value: Ball trusts them to 16 units of 2^-53.
#include <doctest/doctest.h>
#include <mpfr.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

#include "src/number/ladder.h"
#include "src/number/testing/primitives.h"

namespace onnxv {

#define ONNXV_DECLARE(name)                            \
  void measured_##name##_none(const double*, double*); \
  void measured_##name##_avx2(const double*, double*); \
  void measured_##name##_avx512(const double*, double*);
ONNXV_LIBRARY_FUNCTIONS(ONNXV_DECLARE)
ONNXV_OWN_FUNCTIONS(ONNXV_DECLARE)
void measured_pow_none(const double*, const double*, double*);
void measured_pow_avx2(const double*, const double*, double*);
void measured_pow_avx512(const double*, const double*, double*);

namespace {

constexpr double kTrusted = 16.0;  // kLibrary of ball.h, in units of 2^-53
constexpr size_t kPoints = 24000, kManyPoints = 60000, kLanes = 8;

struct Function {
  std::string_view name;
  void (*compute)(const double*, double*);
  int (*exact)(mpfr_t, const mpfr_t, mpfr_rnd_t);
  // Arguments: low to high evenly, and (where they lie in the domain) over all exponents of float32.
  double low, high;
};

#if defined(ONNXV_SET_avx512)
#define ONNXV_OF_AVX512(name) measured_##name##_avx512
#else
#define ONNXV_OF_AVX512(name) nullptr
#endif
#if defined(ONNXV_SET_avx2)
#define ONNXV_OF_AVX2(name) measured_##name##_avx2
#else
#define ONNXV_OF_AVX2(name) nullptr
#endif
#if defined(ONNXV_SET_none)
#define ONNXV_OF_NONE(name) measured_##name##_none
#else
#define ONNXV_OF_NONE(name) nullptr
#endif

template <class Pointer>
Pointer of_this_machine(Pointer avx512, Pointer avx2, Pointer none) {
  const std::string_view set = instruction_set();
  return set == "avx512" ? avx512 : set == "avx2" ? avx2 : none;
}
using Compute = void (*)(const double*, double*);
using ComputePower = void (*)(const double*, const double*, double*);
#define ONNXV_HERE(name) \
  of_this_machine<Compute>(ONNXV_OF_AVX512(name), ONNXV_OF_AVX2(name), ONNXV_OF_NONE(name))
#define ONNXV_FUNCTION(name, low, high) {#name, ONNXV_HERE(name), mpfr_##name, low, high}

std::vector<Function> functions() {
  return {ONNXV_FUNCTION(exp, -620, 709),       ONNXV_FUNCTION(expm1, -40, 709),
          ONNXV_FUNCTION(log, 1e-300, 1e300),   ONNXV_FUNCTION(log1p, -1 + 0x1p-53, 1e300),
          ONNXV_FUNCTION(sin, -1e9, 1e9),       ONNXV_FUNCTION(cos, -1e9, 1e9),
          ONNXV_FUNCTION(tan, -1e9, 1e9),       ONNXV_FUNCTION(asin, -1, 1),
          ONNXV_FUNCTION(acos, -1, 1),          ONNXV_FUNCTION(atan, -1e9, 1e9),
          ONNXV_FUNCTION(sinh, -709, 709),      ONNXV_FUNCTION(cosh, -709, 709),
          ONNXV_FUNCTION(tanh, -30, 30),        ONNXV_FUNCTION(asinh, -1e300, 1e300),
          ONNXV_FUNCTION(acosh, 1, 1e300),      ONNXV_FUNCTION(atanh, -1 + 0x1p-53, 1 - 0x1p-53),
          ONNXV_FUNCTION(erf, -7, 7),           ONNXV_FUNCTION(erfc, -7, 24)};
}

double units_off(double computed, mpfr_t exact) {
  if (mpfr_zero_p(exact) != 0) return computed == 0 ? 0 : INFINITY;
  mpfr_t error;
  mpfr_init2(error, 120);
  mpfr_set_d(error, computed, MPFR_RNDN);
  mpfr_sub(error, error, exact, MPFR_RNDN);
  mpfr_div(error, error, exact, MPFR_RNDN);
  const double relative = std::fabs(mpfr_get_d(error, MPFR_RNDN));
  mpfr_clear(error);
  return relative * 0x1p53;
}

std::vector<double> arguments(double low, double high, uint64_t seed, size_t count = kPoints) {
  std::mt19937_64 random(seed);
  std::vector<double> x;
  while (x.size() < count) {
    const double share = static_cast<double>(random() >> 11) * 0x1p-53;
    const double even = low + (high - low) * share;
    const double any = std::ldexp(1 + share, static_cast<int>(random() % 276) - 149) * (random() % 2 ? 1 : -1);
    x.push_back(x.size() % 2 == 1 && any > low && any < high ? any : even);
  }
  return x;
}

void check_within(const Function& function, double trusted, size_t points) {
  const std::vector<double> x = arguments(function.low, function.high, 3, points);
  double worst = 0, at = 0;
  mpfr_t argument, exact;
  mpfr_inits2(120, argument, exact, static_cast<mpfr_ptr>(nullptr));
  for (size_t i = 0; i < x.size(); i += kLanes) {
    double y[kLanes];
    function.compute(x.data() + i, y);
    for (size_t k = 0; k < kLanes; ++k) {
      mpfr_set_d(argument, x[i + k], MPFR_RNDN);
      function.exact(exact, argument, MPFR_RNDN);
      const double off = units_off(y[k], exact);
      if (off > worst) worst = off, at = x[i + k];
    }
  }
  mpfr_clears(argument, exact, static_cast<mpfr_ptr>(nullptr));
  MESSAGE(function.name << " on " << std::string_view(instruction_set()) << ": at most " << worst << " units off, at " << at);
  CHECK(worst < trusted);
}

TEST_CASE("glibc's vector functions are within the 16 units that Ball allows them") {
  for (const Function& function : functions()) check_within(function, kTrusted, kPoints);
}

int sigmoid(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding) {
  mpfr_neg(y, x, rounding);
  mpfr_exp(y, y, rounding);
  mpfr_add_ui(y, y, 1, rounding);
  return mpfr_ui_div(y, 1, y, rounding);
}

TEST_CASE("our own functions are within their proved bounds: exp 4 units, sigmoid and tanh 8") {
  check_within({"near_exp", ONNXV_HERE(near_exp), mpfr_exp, -620, 620}, 4, kManyPoints);
  check_within({"near_exp", ONNXV_HERE(near_exp), mpfr_exp, -2, 2}, 4, kManyPoints);
  check_within({"near_sigmoid", ONNXV_HERE(near_sigmoid), sigmoid, -620, 620}, 8, kManyPoints);
  check_within({"near_sigmoid", ONNXV_HERE(near_sigmoid), sigmoid, -2, 2}, 8, kManyPoints);
  check_within({"near_tanh", ONNXV_HERE(near_tanh), mpfr_tanh, -21, 21}, 8, kManyPoints);
  check_within({"near_tanh", ONNXV_HERE(near_tanh), mpfr_tanh, -0.5, 0.5}, 8, kManyPoints);
}

TEST_CASE("glibc's vector pow is within the 16 units that Ball allows it") {
  const auto compute =
      of_this_machine<ComputePower>(ONNXV_OF_AVX512(pow), ONNXV_OF_AVX2(pow), ONNXV_OF_NONE(pow));
  const std::vector<double> logarithms = arguments(-80, 80, 5), exponents = arguments(-8, 8, 6);
  double worst = 0;
  mpfr_t base, exponent, exact;
  mpfr_inits2(120, base, exponent, exact, static_cast<mpfr_ptr>(nullptr));
  for (size_t i = 0; i < logarithms.size(); i += kLanes) {
    double x[kLanes], y[kLanes];
    for (size_t k = 0; k < kLanes; ++k) x[k] = std::exp2(logarithms[i + k]);
    compute(x, exponents.data() + i, y);
    for (size_t k = 0; k < kLanes; ++k) {
      mpfr_set_d(base, x[k], MPFR_RNDN);
      mpfr_set_d(exponent, exponents[i + k], MPFR_RNDN);
      mpfr_pow(exact, base, exponent, MPFR_RNDN);
      worst = std::fmax(worst, units_off(y[k], exact));
    }
  }
  mpfr_clears(base, exponent, exact, static_cast<mpfr_ptr>(nullptr));
  MESSAGE("pow on " << std::string_view(instruction_set()) << ": at most " << worst << " units off");
  CHECK(worst < kTrusted);
}

}  // namespace
}  // namespace onnxv
