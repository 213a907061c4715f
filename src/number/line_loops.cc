// Compiled once per instruction set. u = 2^-53.
#include "src/number/line_loops.h"

#include "src/number/along_lines.h"
#include "src/number/formula.h"
#include "src/number/normalize_line.h"

namespace onnxv {
inline namespace ONNXV_LANES {
namespace {

constexpr double kFarBelow = -160;  // e^-160 < 2^-230: what lies there rounds to +0

// What both of them know of a line, c the largest x: d_i = x_i - c rounds by u |d_i| <= u R, R the width of the line, so that
// e_i = exp(d_i) is off by exp's error + u R, relative. Terms below e^-160 are taken as e^-160, which moves their sum S, at least 1, by
// less than length · 2^-230: S is off by each + depth u + 2^-100.
struct Exponentials {
  double c, sum;
  double each, sum_error;  // relative
};

// keep(i, e) sees every register of terms. False where the line has a NaN or no finite largest element.
template <class Keep>
bool sum_exponentials(const float* x, size_t length, const Keep& keep, Exponentials* line) {
  Vec most = broadcast(-kInf), least = broadcast(kInf);
  for_each_register(length, [&](size_t i) {
    const Vec value = load_floats(x + i);
    most = greater_of(value, most);
    least = smaller_of(value, least);
  });
  double c = -kInf, low = kInf;
  for (size_t k = 0; k < kVector; ++k) {
    c = most[k] > c ? most[k] : c;
    low = least[k] < low ? least[k] : low;
  }
  if (!(c < kInf && c > -kInf)) return false;
  line->c = c;
  line->sum = blocked_sum(length, [=](size_t i) {
    const Vec e = near_exp(greater_of(broadcast(kFarBelow), load_floats(x + i) - c));  // a NaN stays
    keep(i, e);
    return e;
  });
  const double width = c - low < -kFarBelow ? c - low : -kFarBelow;
  line->each = kExpError + width * kUnit;
  line->sum_error = line->each + sum_depth(length) * kUnit + 0x1p-100;
  return line->sum < kInf;
}

// y_i = e_i / S. With two roundings of y's factors and one of y, and one more of 1/S, y_i lies between e_i (1 - b)/S and
// e_i (1 + b)/S, b = each + sum_error + 8u. Terms below e^-160: both ends, and the value, which is at least +0, round to +0.
bool softmax(const float* x, size_t length, double* room, float* y) {
  Exponentials line;
  const auto keep = [=](size_t i, Vec e) {
    store(room + i, e);
    expect(x + length + i, y + i);
  };
  if (!sum_exponentials(x, length, keep, &line)) return false;
  const double error = (line.each + line.sum_error + 8 * kUnit) * kWide;
  const Vec lower = broadcast((1 - error) / line.sum), upper = broadcast((1 + error) / line.sum);
  FloatMask apart = {};
  for_each_register(length, [&](size_t i) {
    const Vec e = load(room + i);
    const FloatVec rounded = as_floats(e * lower);
    apart |= (FloatMask)rounded ^ (FloatMask)as_floats(e * upper);
    store_floats(y + i, rounded);
  });
  return !any(apart);
}

// y_i = d_i - L, L = ln S >= 0. An error of S counts S_error / (1 - S_error) in L, the logarithm's own is relative; d_i rounds by
// u |d_i|, y_i by u |y_i| <= u (|d_i| + L), and the ends once more: y_i is off by at most 3u |d_i| + (what L is off by) + 3u L. Where
// d_i is -infinity so is y_i, exactly; the bound is cut off there lest the upper end be NaN.
bool log_softmax(const float* x, size_t length, float* y) {
  Exponentials line;
  if (!sum_exponentials(x, length, [=](size_t i, Vec) { expect(x + length + i, y + i); }, &line)) return false;
  const double c = line.c, total = ::log(line.sum);
  const double fixed = (line.sum_error + total * (kLibrary + 3 * kUnit)) * kWide;
  FloatMask apart = {};
  for_each_register(length, [&](size_t i) {
    const Vec d = load_floats(x + i) - c, m = d - total;
    const Vec reach = multiply_add(smaller_of(abs(d), broadcast(0x1p200)), broadcast(3 * kUnit * kWide), broadcast(fixed));
    const FloatVec rounded = as_floats(m - reach);
    apart |= (FloatMask)rounded ^ (FloatMask)as_floats(m + reach);
    store_floats(y + i, rounded);
  });
  return !any(apart);
}

}  // namespace
}  // namespace ONNXV_LANES

const LineLoops ONNXV_JOIN(kLineLoops_, ONNXV_LANES) = {softmax, log_softmax, normalize_line};

}  // namespace onnxv
