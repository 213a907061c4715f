// Compiled once per instruction set. u = 2^-53.
#include "src/number/line_loops.h"

#include "src/number/format.h"
#include "src/number/formula.h"
#include "src/number/lane_floats.h"
#include "src/number/lane_settle.h"

namespace onnxv {
inline namespace ONNXV_LANES {
namespace {

constexpr size_t kVector = kLanes, kChains = 4, kRounds = 16;
constexpr double kUnit = 0x1p-53;
constexpr double kWide = 1.0 + 0x1p-20;  // pays for the rounding of bounds, all of them far below 2^-20

// The sum of term(i), a register of terms from element i on, over `length` >= kVector elements. The last register reaches back over
// elements that are in the sum already; they are taken out. At most sum_depth() additions on the way of a term.
template <class Term>
double blocked_sum(size_t length, const Term& term) {
  const size_t whole = length / kVector * kVector;
  Vec total = {};
  for (size_t i = 0; i < whole;) {
    const size_t end = whole - i < kChains * kRounds * kVector ? whole : i + kChains * kRounds * kVector;
    Vec sums[kChains] = {};
    for (; i + kChains * kVector <= end; i += kChains * kVector) {
      for (size_t k = 0; k < kChains; ++k) sums[k] += term(i + k * kVector);
    }
    for (; i < end; i += kVector) sums[0] += term(i);
    total += (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }
  double sum = 0;
  if (whole < length) {
    const Vec last = term(length - kVector);
    for (size_t k = kVector - (length - whole); k < kVector; ++k) sum += last[k];
  }
  for (size_t k = 0; k < kVector; ++k) sum += total[k];
  return sum;
}
double sum_depth(size_t length) {
  return static_cast<double>(kRounds + 3 + 2 + length / (kChains * kRounds * kVector) + 1 + 2 * kVector);
}

// A register of elements from each place on, so that all of the line is seen; the last one may reach back.
template <class Visit>
void for_each_register(size_t length, const Visit& visit) {
  size_t i = 0;
  for (; i + kVector <= length; i += kVector) visit(i);
  if (i < length) visit(length - kVector);
}

void store_floats(float* p, FloatVec v) { __builtin_memcpy(p, &v, sizeof v); }
bool same_float(double a, double b) { return static_cast<float>(a) == static_cast<float>(b) && a != 0 && b != 0; }

// ---- softmax ----

constexpr double kFarBelow = -160;  // e^-160 < 2^-230: what lies there rounds to +0

// y_i = e_i / S, e_i = exp(x_i - c), c the largest x. The difference rounds by u |x_i - c| <= u R, R the width of the line: e_i is
// off by exp's error + u R, call it a (relative). Terms below e^-160 are taken as e^-160, which moves S, which is at least 1, by
// less than length · 2^-230; so S is off by a + depth u + 2^-100. With two roundings of y's factors and one of y, and one
// more of 1/S, y_i lies between e_i (1 - b)/S and e_i (1 + b)/S, b = 2a + depth u + 8u. Terms below e^-160: both ends, and the
// value, which is at least +0, round to +0.
bool softmax(const float* x, size_t length, double* room, float* y) {
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
  const double sum = blocked_sum(length, [=](size_t i) {
    const Vec e = near_exp(greater_of(broadcast(kFarBelow), load_floats(x + i) - c));  // a NaN stays
    store(room + i, e);
    expect(x + length + i, y + i);
    return e;
  });
  if (!(sum < kInf)) return false;
  const double width = c - low < -kFarBelow ? c - low : -kFarBelow;
  const double each = kExpError + width * kUnit;
  const double error = (2 * each + (sum_depth(length) + 8) * kUnit) * kWide + 0x1p-99;
  const Vec lower = broadcast((1 - error) / sum), upper = broadcast((1 + error) / sum);
  FloatMask apart = {};
  for_each_register(length, [&](size_t i) {
    const Vec e = load(room + i);
    const FloatVec rounded = as_floats(e * lower);
    apart |= (FloatMask)rounded ^ (FloatMask)as_floats(e * upper);
    store_floats(y + i, rounded);
  });
  return !any(apart);
}

// ---- normalization ----

struct Statistics {
  double mean = 0, mean_error = 0;        // absolute
  double inverse = 0, inverse_error = 0;  // 1 / deviation; relative
};

// The sum is off by depth · u · (sum of magnitudes), which itself is off by depth u; its quotient by one rounding more.
bool find_mean(const float* x, size_t length, Statistics* line) {
  const double count = static_cast<double>(length);
  const double sum = blocked_sum(length, [=](size_t i) { return load_floats(x + i); });
  const double mass = blocked_sum(length, [=](size_t i) { return abs(load_floats(x + i)); });
  if (!(mass > 0 && mass < kInf)) return false;
  line->mean = sum / count;
  line->mean_error = (mass / count * (sum_depth(length) + 2) * kUnit + __builtin_fabs(line->mean) * 2 * kUnit) * kWide;
  return true;
}

// With m the computed mean, off by no more than t: sum (x - m)² = sum (x - mean)² + n (m - mean)². Each difference rounds by u,
// counting twice in its square, each addition by u: the sum of squares is off by (depth + 4) u of itself, and its mean v by one
// u more and t². w = v + epsilon rounds once: off by (depth + 7) u + t² / w relative, call it a. The root halves that and rounds,
// the reciprocal rounds.
bool find_deviation(const LineNormalization& job, const float* x, float* y, Statistics* line) {
  const double m = line->mean, t = line->mean_error;
  const double squares = blocked_sum(job.length, [=](size_t i) {
    expect(x + job.length + i, y + i);
    const Vec d = load_floats(x + i) - m;
    return d * d;
  });
  const double w = squares / static_cast<double>(job.length) + job.epsilon;
  if (!(job.epsilon >= 0 && w > 0x1p-500 && w < kInf)) return false;
  const double error = (sum_depth(job.length) + 8) * kUnit + t * t / w;
  if (!(error < 0x1p-30)) return false;
  line->inverse = 1 / __builtin_sqrt(w);
  line->inverse_error = (0.5 * error + 3 * kUnit) * kWide;
  return true;
}

// quotient * scale + bias, rounded once. The product of two floats is exact. False where it is not finite.
bool scaled_one(double quotient, double scale, double bias, float* y) {
  const double product = quotient * scale, sum = product + bias;
  if (!__builtin_isfinite(sum)) return false;
  const double t = sum - product, rest = (product - (sum - t)) + (bias - t);
  const uint32_t code = static_cast<uint32_t>(encode(kFloat32, {sum, rest < 0 ? -1 : rest > 0 ? 1 : 0}, Rounding::kNearestEven, Overflow::kInfinity));
  __builtin_memcpy(y, &code, sizeof code);
  return true;
}

// z = (x - m) / deviation: the difference rounds by u and is off by t, the product with 1/deviation rounds once more: z is off by
// (inverse_error + 2u) |z| + t / deviation, each a little more for the products of errors, and the ends round. Both must be one
// float32.
// Then p = z * scale is exact, and p + bias rounded to double is rounded right to float32 unless it is a tie there, where what
// was rounded off decides; those, and what is not normal in float32, one by one.
bool normalize(const LineNormalization& job, size_t number) {
  const float* x = job.x + number * job.length;
  float* y = job.y + number * job.length;
  Statistics line;
  if (job.centered && !find_mean(x, job.length, &line)) return false;
  if (!find_deviation(job, x, y, &line)) return false;
  const double by_size = (line.inverse_error + 6 * kUnit) * kWide, fixed = line.mean_error * line.inverse * kWide;
  const double inverse_reach = line.inverse * by_size;
  if (job.centered && !(same_float(line.mean - 2 * line.mean_error, line.mean + 2 * line.mean_error) &&
                        same_float(line.inverse - inverse_reach, line.inverse + inverse_reach))) {
    return false;
  }
  FloatMask apart = {};
  bool finite = true;
  for_each_register(job.length, [&](size_t i) {
    const Vec z = (load_floats(x + i) - line.mean) * line.inverse;
    const Vec reach = multiply_add(abs(z), broadcast(by_size), broadcast(fixed));
    const FloatVec rounded = as_floats(z - reach);
    apart |= (FloatMask)rounded ^ (FloatMask)as_floats(upper_end(z, reach));
    const Vec quotient = as_doubles(rounded), scale = load_floats(job.scale + i);
    const Vec bias = job.bias == nullptr ? broadcast(-0.0) : load_floats(job.bias + i);
    const Vec sum = quotient * scale + bias;
    store_floats(y + i, as_floats(sum));
    const Mask tie = (Mask)(((Mask)sum & int64_t{0x1fffffff}) == int64_t{0x10000000});
    const Mask normal = (Mask)(abs(sum) >= 0x1p-126) & (Mask)(abs(sum) < 0x1p127);
    if (all(normal & ~tie)) return;
    for (size_t k = 0; k < kVector; ++k) {
      if (tie[k] != 0 || normal[k] == 0) finite = scaled_one(quotient[k], scale[k], bias[k], y + i + k) && finite;
    }
  });
  if (job.centered) {
    job.mean[number] = static_cast<float>(line.mean);
    job.inverse[number] = static_cast<float>(line.inverse);
  }
  return finite && !any(apart);
}

}  // namespace
}  // namespace ONNXV_LANES

const LineLoops ONNXV_JOIN(kLineLoops_, ONNXV_LANES) = {softmax, normalize};

}  // namespace onnxv
