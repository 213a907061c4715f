// HannWindow, HammingWindow, BlackmanWindow: w[n] = a0 - a1 cos(2πn/M) + a2 cos(4πn/M), M = size
// where periodic, else size - 1.
//   since 17
#include "src/number/formula.h"

namespace onnxv {
namespace {

// Options: the first n, M, then a0, a1, a2 and their common denominator.
constexpr auto window = []<class Real>(Options options, Out<Real> w) {
  const auto number = [&](size_t at) { return Real(static_cast<double>(options[at])); };
  for (size_t i = 0; i < w.size(); ++i) {
    const int64_t n = options[0] + static_cast<int64_t>(i);
    Real once, twice, sine;
    turn(n, options[1], once, sine);
    turn(2 * n, options[1], twice, sine);
    w[i] = (number(2) - number(3) * once + number(4) * twice) / number(5);
  }
};

}  // namespace
LINE_FORMULA(kWindowFormula, window, 0, 1)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include <algorithm>
#include <limits>
#include <optional>

#include "ops/operator.h"
#include "ops/signal/output_type.h"
#include "src/tensor/index.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

// a0 - a1 cos + a2 cos, over `denominator`.
struct Coefficients {
  int64_t a0, a1, a2, denominator;
};
constexpr Coefficients kHann{1, 1, 0, 2};
// Choice: 25/46 and 21/46 are the values that the function body's 0.543478 and 0.456522 stand for.
constexpr Coefficients kHamming{25, 21, 0, 46};
// 0.42, 0.5, 0.08.
constexpr Coefficients kBlackman{42, 50, 8, 100};

template <const Coefficients& c>
Tensor window_17(const OpCall& call) {
  const int64_t size = int64_value(call.tensor("size"), "size");
  if (size < 0) fail_undefined("size", "size is " + std::to_string(size), "must not be negative");
  const int64_t periodic = call.integer("periodic");
  if (periodic != 0 && periodic != 1)
    fail_schema("attribute-value", "periodic is " + std::to_string(periodic), "must be 0 or 1");
  const DType dtype = output_type(call);
  Tensor w(dtype, {size});
  const int64_t turn_length = periodic == 1 ? size : size - 1;
  if (size == 1 && turn_length == 0) {
    // 0 / 0 in the argument of the cosine.
    if (is_integer(dtype))
      fail_undefined("window-length", "a symmetric window of size 1 is NaN",
                     "no integer stands for it");
    w.set_code(0, settle_exact(target_of(dtype), std::numeric_limits<double>::quiet_NaN()));
    return w;
  }
  constexpr int64_t kChunk = 256;
  for (int64_t first = 0; first < size; first += kChunk) {
    Tensor part(dtype, {std::min(kChunk, size - first)});
    LineJob job(kWindowFormula, 1);
    // The function body computes in float32, and casts what comes of it.
    if (dtype == DType::kDouble) job.computed_in(DType::kFloat);
    for (const int64_t option : {first, turn_length, c.a0, c.a1, c.a2, c.denominator})
      job.option(option);
    job.lines_to(&part, {1, part.size(), 1}).run();
    copy_elements(part, 0, part.size(), w, static_cast<size_t>(first));
  }
  return w;
}

}  // namespace

extern const Operator kHannWindow, kHammingWindow, kBlackmanWindow;
const Operator kHannWindow{"ai.onnx", "HannWindow", {{.since = 17, .run = window_17<kHann>}}};
const Operator kHammingWindow{
    "ai.onnx", "HammingWindow", {{.since = 17, .run = window_17<kHamming>}}};
const Operator kBlackmanWindow{
    "ai.onnx", "BlackmanWindow", {{.since = 17, .run = window_17<kBlackman>}}};

}  // namespace onnxv
#endif
