// LpPool, GlobalLpPool: (sum of |x|^p)^(1/p) over each window, or over each channel.
//   since 1   p is a float
//   since 2   p is an integer. (LpPool 11: SAME in words; 18: dilations, ceil_mode; 22: bfloat16.)
//
// Choice: LpPool-1 does not require kernel_shape, and says nothing of a window without one: no value (exit 4).
#include <vector>

#include "src/number/formula.h"
#include "src/number/root.h"

namespace onnxv {
namespace {

// options: p where it is an integer, else 0. Small powers are products, so that exact ones are seen to be exact.
constexpr auto norm = []<class Real>(Options options, In<Real> x, In<Real> p, Out<Real> y) {
  const int64_t n = options[0];
  if (n == 2) {
    y[0] = sqrt(dot(x, x));
    return;
  }
  std::vector<Real> terms(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    const Real size = abs(x[i]);
    terms[i] = size;
    if (n == 0 || n > 16) {
      terms[i] = pow(size, p[0]);
    }
    for (int64_t k = 1; n <= 16 && k < n; ++k) terms[i] = terms[i] * size;
  }
  const Real total = sum(In<Real>{terms.data(), terms.size()});
  y[0] = n == 0 ? exp(log(total) / p[0]) : root(total, n);
};

// By the power function throughout.
[[maybe_unused]] constexpr auto norm_text = []<class Real>(Options, In<Real> x, In<Real> p, Out<Real> y) {
  std::vector<Real> terms(x.size());
  for (size_t i = 0; i < x.size(); ++i) terms[i] = pow(abs(x[i]), p[0]);
  y[0] = pow(sum(In<Real>{terms.data(), terms.size()}), Real(1.0) / p[0]);
};

}  // namespace
LINE_FORMULA(kLpPoolFormula, norm, 2, 1, norm_text)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include "ops/operator.h"
#include "ops/pool/pooling.h"
#include "src/kernel/patches.h"
#include "src/number/rational.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

struct Power {
  double p = 2;
  int64_t integer = 0;  // 0: p is no integer
};

Power power_of(const OpCall& call) {
  Power power;
  if (call.since_version() >= 2) {
    power.integer = call.integer("p");
    power.p = static_cast<double>(power.integer);
  } else {
    power.p = call.real("p");
    constexpr double kMost = 1 << 30;
    if (is_finite(power.p) && power.p < kMost && power.p > 0) {
      const auto whole = static_cast<int64_t>(power.p);
      if (static_cast<double>(whole) == power.p) power.integer = whole;
    }
  }
  if (!is_finite(power.p) || !(power.p > 0)) fail_schema("attribute-range", "p is not a positive number", "must be above 0");
  constexpr int64_t kExactDoubles = int64_t{1} << 53;
  if (power.integer > kExactDoubles) fail_limit("power", "p is " + std::to_string(power.integer), "at most 2^53");
  return power;
}

Tensor lp_pool_1(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  const Power power = power_of(call);
  if (call.integers("kernel_shape").empty()) fail_undefined("kernel-shape", "kernel_shape is absent", "a window needs a size");
  const Pooling pooling = pooling_of(call);
  Tensor y(x.dtype(), pooling.output);
  if (y.size() == 0) return y;
  const WindowOffsets offsets = window_offsets(pooling.axes);
  const Tensor padded = padded_channels(x, 0, pooling.channels, offsets);
  const double* values = padded.as<double>().data();
  const auto size = static_cast<size_t>(offsets.padded.elements());
  LineJob(kLpPoolFormula, y.size())
      .computed(pooling.taps,
                [&](size_t line, double* out) {
                  const double* window = values + line / pooling.windows * size + offsets.windows[line % pooling.windows];
                  for (const int64_t tap : offsets.taps) *out++ = window[tap];
                })
      .constants({power.p})
      .option(power.integer)
      .lines_to(&y, LineLayout::elements(y.size()))
      .run();
  return y;
}

Tensor global_lp_pool_1(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  const Power power = power_of(call);
  Tensor y(x.dtype(), pooled_to_one(x.shape()));
  const auto cells = static_cast<size_t>(x.shape().elements(2, x.rank()));
  LineJob(kLpPoolFormula, y.size())
      .lines_of(x, {y.size(), cells, 1})
      .constants({power.p})
      .option(power.integer)
      .lines_to(&y, LineLayout::elements(y.size()))
      .run();
  return y;
}

}  // namespace

extern const Operator kGlobalLpPool, kLpPool;
const Operator kGlobalLpPool{"ai.onnx", "GlobalLpPool", {
    {.since = 1, .run = global_lp_pool_1},
    {.since = 2, .also = {22}, .run = global_lp_pool_1},
}};
const Operator kLpPool{"ai.onnx", "LpPool", {
    {.since = 1, .run = lp_pool_1},
    {.since = 2, .also = {11, 18, 22}, .run = lp_pool_1},
}};

}  // namespace onnxv
#endif
