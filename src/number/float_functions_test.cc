// Functions of float32 numbers against MPFR: all that is settled is rounded right, and what is left open is little.
#include "src/number/float_functions.h"

#include <doctest/doctest.h>
#include <mpfr.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <string_view>

namespace onnxv {
namespace {

int sigmoid(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding) {  // 1 / (1 + e^-x)
  mpfr_neg(y, x, rounding);
  mpfr_exp(y, y, rounding);
  mpfr_add_ui(y, y, 1, rounding);
  return mpfr_ui_div(y, 1, y, rounding);
}

int gelu(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding) {  // x/2 · erfc(-x / root 2)
  mpfr_sqrt_ui(y, 2, rounding);
  mpfr_div(y, x, y, rounding);
  mpfr_neg(y, y, rounding);
  mpfr_erfc(y, y, rounding);
  mpfr_mul(y, x, y, rounding);
  return mpfr_div_2ui(y, y, 1, rounding);
}

int gelu_tanh(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding) {  // x · sigmoid(2 root(2/pi) (x + 0.044715 x³))
  mpfr_t root;
  mpfr_init2(root, 200);
  mpfr_const_pi(root, rounding);
  mpfr_ui_div(root, 8, root, rounding);
  mpfr_sqrt(root, root, rounding);
  mpfr_sqr(y, x, rounding);
  mpfr_mul_ui(y, y, 44715, rounding);
  mpfr_div_ui(y, y, 1000000, rounding);
  mpfr_add_ui(y, y, 1, rounding);
  mpfr_mul(y, y, x, rounding);
  mpfr_mul(y, y, root, rounding);
  mpfr_clear(root);
  sigmoid(y, y, rounding);
  return mpfr_mul(y, x, y, rounding);
}

struct Case {
  std::string_view name;
  FloatFunction function;
  int (*exact)(mpfr_t, const mpfr_t, mpfr_rnd_t);
  double (*near)(double);  // to a few units in the last place
  float most;              // beyond it nothing is new
  bool of_positive = false;
};
const Case kCases[] = {
    {"cos", FloatFunction::kCos, mpfr_cos, std::cos, 1000.0F},
    {"erf", FloatFunction::kErf, mpfr_erf, std::erf, 4.2F},
    {"exp", FloatFunction::kExp, mpfr_exp, std::exp, 87.0F},
    {"gelu", FloatFunction::kGelu, gelu, [](double x) { return 0.5 * x * std::erfc(-x * 0.70710678118654752); }, 13.0F},
    {"gelu tanh", FloatFunction::kGeluTanh, gelu_tanh,
     [](double x) { return x / (1 + std::exp(-1.5957691216057308 * x * (1 + 0.044715 * x * x))); }, 9.9F},
    {"log", FloatFunction::kLog, mpfr_log, std::log, 1e30F, true},
    {"sigmoid", FloatFunction::kSigmoid, sigmoid, [](double x) { return 1 / (1 + std::exp(-x)); }, 87.0F},
    {"sin", FloatFunction::kSin, mpfr_sin, std::sin, 1000.0F},
    {"tanh", FloatFunction::kTanh, mpfr_tanh, std::tanh, 10.0F},
};

// 200 bits, then float32 (to which mpfr_get_flt rounds subnormals right too).
class Exact {
 public:
  explicit Exact(const Case& of) : of_(of) { mpfr_inits2(200, x_, y_, static_cast<mpfr_ptr>(nullptr)); }
  ~Exact() { mpfr_clears(x_, y_, static_cast<mpfr_ptr>(nullptr)); }
  Exact(const Exact&) = delete;
  Exact& operator=(const Exact&) = delete;
  float operator()(float x) {
    mpfr_set_flt(x_, x, MPFR_RNDN);
    of_.exact(y_, x_, MPFR_RNDN);
    return mpfr_get_flt(y_, MPFR_RNDN);
  }

 private:
  const Case& of_;
  mpfr_t x_, y_;
};

bool same(float a, float b) { return std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b); }

struct Outcome {
  size_t open, wrong;
};
Outcome outcome(const Case& of, const std::vector<float>& x) {
  std::vector<float> y(x.size());
  const std::vector<size_t> open = function_of_floats(of.function, x.data(), x.size(), y.data());
  CHECK(std::is_sorted(open.begin(), open.end()));
  Exact exact(of);
  size_t wrong = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    if (std::binary_search(open.begin(), open.end(), i)) continue;
    const float expected = exact(x[i]);
    if (same(y[i], expected)) continue;
    if (wrong++ == 0) MESSAGE(of.name << " of " << x[i] << " is " << expected << ", got " << y[i]);
  }
  return {open.size(), wrong};
}

std::vector<float> spread(const Case& of, size_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<float> x;
  while (x.size() < count) {
    const float any = static_cast<float>(random() >> 40) * 0x1p-23F - 1, share = of.of_positive ? std::fabs(any) + 0x1p-30F : any;
    x.push_back(x.size() % 2 == 0 ? share * of.most : std::ldexp(share * of.most, -static_cast<int>(random() % 30)));
  }
  return x;
}

TEST_CASE("functions of floats: what is settled is rounded right, for every length") {
  for (const Case& of : kCases) {
    for (const size_t count : {size_t{0}, size_t{1}, size_t{2}, size_t{5}, size_t{63}, size_t{64}, size_t{65}, size_t{40000}}) {
      const Outcome result = outcome(of, spread(of, count, count));
      CHECK(result.wrong == 0);
      CHECK(result.open <= 2);
    }
  }
}

TEST_CASE("functions of floats: bits of every kind") {
  std::vector<float> x = {0.0F, -0.0F, 1, -1, std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
                          std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::denorm_min(), 0x1p-126F, 0x1p-127F, 0x1p-125F, -0x1p-125F, -13, -9.9F};
  for (uint64_t bits = 0; bits < uint64_t{1} << 32; bits += 65519 * 5) x.push_back(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  for (const Case& of : kCases) CHECK(outcome(of, x).wrong == 0);
}

TEST_CASE("functions of floats: zeros are settled, and keep their sign") {
  const float zeros[2] = {0.0F, -0.0F};
  for (const Case& of : kCases) {
    if (of.of_positive) continue;
    float y[2];
    CHECK(function_of_floats(of.function, zeros, 2, y).empty());
    CHECK(same(y[0], static_cast<float>(of.near(0.0))));
    CHECK(same(y[1], static_cast<float>(of.near(-0.0))));
  }
}

// Results near the middle of two floats, found by search: within 2^12 units of a double's last place, where the bound is 16.
TEST_CASE("functions of floats: results near a tie") {
  for (const Case& of : kCases) {
    std::vector<float> hard;
    for (const float x : spread(of, 1500000, 7)) {
      const uint64_t lower = std::bit_cast<uint64_t>(of.near(double{x})) & 0x1fffffff;
      if (std::fabs(of.near(double{x})) >= 0x1p-126 && lower > 0x10000000 - 4096 && lower < 0x10000000 + 4096) hard.push_back(x);
    }
    CHECK(hard.size() > 10);
    const Outcome result = outcome(of, hard);
    CHECK(result.wrong == 0);
    CHECK(result.open < hard.size() / 2);
  }
}

}  // namespace
}  // namespace onnxv
