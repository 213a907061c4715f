// A developer's program (scripts/test --exhaustive NAME): a unary operator on all 2^32 float32 inputs, each compared
// with one MPFR evaluation that shares no code with ops/.
//
//   exhaustive NAME|all [STEP]    every STEP-th bit pattern only

#include <mpfr.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <thread>

#include "src/base/parallel.h"
#include "src/run/evaluate.h"

namespace onnxv {
namespace {

// Working precision of the composed functions: far beyond what any float32 argument needs to separate two results.
constexpr mpfr_prec_t kWide = 400;

// out = f(x). `out` has 24 bits for a function that MPFR rounds correctly itself, kWide bits for a composed one.
using Direct = int (*)(mpfr_t out, const mpfr_t x, mpfr_rnd_t rounding);
using Composed = void (*)(mpfr_t y, const mpfr_t x);

struct Unary {
  std::string_view name;
  Direct direct;
  Composed composed;
};

int reciprocal(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding) { return mpfr_ui_div(y, 1, x, rounding); }
int absolute(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding) { return mpfr_abs(y, x, rounding); }
int negated(mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding) { return mpfr_neg(y, x, rounding); }
int floored(mpfr_t y, const mpfr_t x, mpfr_rnd_t) { return mpfr_floor(y, x); }
int ceiled(mpfr_t y, const mpfr_t x, mpfr_rnd_t) { return mpfr_ceil(y, x); }
int rounded(mpfr_t y, const mpfr_t x, mpfr_rnd_t) { return mpfr_roundeven(y, x); }

void sigmoid(mpfr_t y, const mpfr_t x) {  // 1 / (1 + exp(-x))
  mpfr_neg(y, x, MPFR_RNDN);
  mpfr_exp(y, y, MPFR_RNDN);
  mpfr_add_ui(y, y, 1, MPFR_RNDN);
  mpfr_ui_div(y, 1, y, MPFR_RNDN);
}

// log(1 + exp(x)), as max(x, 0) + log1p(exp(-|x|)): e^(1e10) is beyond MPFR's own range.
void softplus(mpfr_t y, const mpfr_t x) {
  mpfr_abs(y, x, MPFR_RNDN);
  mpfr_neg(y, y, MPFR_RNDN);
  mpfr_exp(y, y, MPFR_RNDN);
  mpfr_log1p(y, y, MPFR_RNDN);
  if (mpfr_sgn(x) > 0) mpfr_add(y, y, x, MPFR_RNDN);
}

void softsign(mpfr_t y, const mpfr_t x) {  // x / (1 + |x|)
  mpfr_abs(y, x, MPFR_RNDN);
  mpfr_add_ui(y, y, 1, MPFR_RNDN);
  mpfr_div(y, x, y, MPFR_RNDN);
}

void mish(mpfr_t y, const mpfr_t x) {  // x · tanh(softplus(x))
  softplus(y, x);
  mpfr_tanh(y, y, MPFR_RNDN);
  mpfr_mul(y, x, y, MPFR_RNDN);
}

void gelu(mpfr_t y, const mpfr_t x) {  // x · erfc(-x / √2) / 2
  mpfr_sqrt_ui(y, 2, MPFR_RNDN);
  mpfr_div(y, x, y, MPFR_RNDN);
  mpfr_neg(y, y, MPFR_RNDN);
  mpfr_erfc(y, y, MPFR_RNDN);
  mpfr_mul(y, x, y, MPFR_RNDN);
  mpfr_div_2ui(y, y, 1, MPFR_RNDN);
}

void elu(mpfr_t y, const mpfr_t x) {  // alpha is 1
  if (mpfr_sgn(x) < 0) {
    mpfr_expm1(y, x, MPFR_RNDN);
  } else {
    mpfr_set(y, x, MPFR_RNDN);
  }
}

constexpr Unary kUnaries[] = {
    {"Abs", absolute, nullptr},       {"Acos", mpfr_acos, nullptr},   {"Acosh", mpfr_acosh, nullptr},
    {"Asin", mpfr_asin, nullptr},     {"Asinh", mpfr_asinh, nullptr}, {"Atan", mpfr_atan, nullptr},
    {"Atanh", mpfr_atanh, nullptr},   {"Ceil", ceiled, nullptr},      {"Cos", mpfr_cos, nullptr},
    {"Cosh", mpfr_cosh, nullptr},     {"Elu", nullptr, elu},          {"Erf", mpfr_erf, nullptr},
    {"Exp", mpfr_exp, nullptr},       {"Floor", floored, nullptr},    {"Gelu", nullptr, gelu},
    {"Log", mpfr_log, nullptr},       {"Mish", nullptr, mish},        {"Neg", negated, nullptr},
    {"Reciprocal", reciprocal, nullptr}, {"Round", rounded, nullptr}, {"Sigmoid", nullptr, sigmoid},
    {"Sin", mpfr_sin, nullptr},       {"Sinh", mpfr_sinh, nullptr},   {"Softplus", nullptr, softplus},
    {"Softsign", nullptr, softsign},  {"Sqrt", mpfr_sqrt, nullptr},   {"Tan", mpfr_tan, nullptr},
    {"Tanh", mpfr_tanh, nullptr},
};

// One thread's numbers; MPFR's exponent range belongs to the thread too.
class Oracle {
 public:
  explicit Oracle(const Unary& function) : function_(function) {
    mpfr_init2(x_, 24);
    mpfr_init2(wide_, kWide);
    mpfr_init2(y_, 24);
  }
  ~Oracle() { mpfr_clears(x_, wide_, y_, static_cast<mpfr_ptr>(nullptr)); }
  Oracle(const Oracle&) = delete;

  uint32_t operator()(uint32_t bits) {
    mpfr_set_flt(x_, std::bit_cast<float>(bits), MPFR_RNDN);
    int beyond = 0;  // MPFR's ternary value: on which side of y_ the exact result lies
    if (function_.direct) {
      beyond = function_.direct(y_, x_, MPFR_RNDN);
    } else {
      function_.composed(wide_, x_);
      beyond = mpfr_set(y_, wide_, MPFR_RNDN);
    }
    // Only now float32's range, so that intermediates never leave theirs.
    const mpfr_exp_t emin = mpfr_get_emin(), emax = mpfr_get_emax();
    mpfr_set_emin(-148);
    mpfr_set_emax(128);
    beyond = mpfr_check_range(y_, beyond, MPFR_RNDN);
    mpfr_subnormalize(y_, beyond, MPFR_RNDN);
    const float result = mpfr_get_flt(y_, MPFR_RNDN);
    mpfr_set_emin(emin);
    mpfr_set_emax(emax);
    return std::bit_cast<uint32_t>(result);
  }

 private:
  const Unary& function_;
  mpfr_t x_, wide_, y_;
};

bool is_nan(uint32_t bits) { return (bits & 0x7fffffffu) > 0x7f800000u; }

class Sweep {
 public:
  Sweep(const Unary& function, uint64_t step) : function_(function), step_(step) {
    node_.op = function.name;
    node_.inputs = {"x"};
    node_.outputs = {"y"};
  }

  bool run() {
    const uint64_t count = ((uint64_t{1} << 32) + step_ - 1) / step_;
    for (uint64_t done = 0; done < count; done += kBlock) {
      block(done, std::min(kBlock, count - done));
      if (done % (64 * kBlock) == 0) {
        std::fprintf(stderr, "\r%s: %5.1f%%", node_.op.c_str(), 100.0 * static_cast<double>(done) / static_cast<double>(count));
      }
    }
    std::fprintf(stderr, "\n");
    const uint64_t failed = failed_;
    std::printf("%s: %llu passed, %llu failed\n", node_.op.c_str(),
                static_cast<unsigned long long>(count - failed), static_cast<unsigned long long>(failed));
    return failed == 0;
  }

 private:
  static constexpr uint64_t kBlock = 1 << 18;
  static constexpr uint64_t kShown = 20;
  static constexpr int64_t kOpset = 22;  // has the newest version of each

  void block(uint64_t first, uint64_t size) {
    Tensor x(DType::kFloat, Shape{static_cast<int64_t>(size)});
    const std::span<uint32_t> input = x.mutable_as<uint32_t>();
    for (uint64_t i = 0; i < size; ++i) input[i] = static_cast<uint32_t>((first + i) * step_);
    const NodeEvaluation evaluation = evaluate_node(node_, kOpset, {x});
    const std::span<const uint32_t> output = evaluation.outputs[0].tensor().as<uint32_t>();
    parallel_for(size, 1 << 14, [&](size_t begin, size_t end) {
      Oracle oracle(function_);
      for (size_t i = begin; i < end; ++i) {
        const uint32_t expected = oracle(input[i]);
        if (output[i] != expected && !(is_nan(output[i]) && is_nan(expected))) report(input[i], expected, output[i]);
      }
    });
  }

  void report(uint32_t x, uint32_t expected, uint32_t actual) {
    const std::lock_guard lock(printing_);
    if (failed_++ >= kShown) return;
    std::printf("%s(%.9g = 0x%08x): expected 0x%08x, got 0x%08x\n", node_.op.c_str(),
                static_cast<double>(std::bit_cast<float>(x)), x, expected, actual);
  }

  const Unary& function_;
  const uint64_t step_;
  Node node_;
  uint64_t failed_ = 0;
  std::mutex printing_;
};

}  // namespace
}  // namespace onnxv

int main(int argc, char** argv) {
  using namespace onnxv;
  const std::string_view name = argc > 1 ? argv[1] : "";
  const uint64_t step = argc > 2 ? std::max(1ull, std::strtoull(argv[2], nullptr, 10)) : 1;
  set_thread_count(static_cast<int>(std::max(1u, std::thread::hardware_concurrency())));
  bool found = false, passed = true;
  for (const Unary& function : kUnaries) {
    if (name != "all" && name != function.name) continue;
    found = true;
    try {
      passed &= Sweep(function, step).run();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
      return 3;
    }
  }
  if (found) return passed ? 0 : 1;
  std::fprintf(stderr, "usage: exhaustive NAME|all [STEP], NAME one of");
  for (const Unary& function : kUnaries) std::fprintf(stderr, " %s", std::string(function.name).c_str());
  std::fprintf(stderr, "\n");
  return 2;
}
