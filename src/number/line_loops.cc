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

// How an element is standardized: z = (x - mean) · inverse. The difference rounds by u and is off by t, the product with 1/deviation
// rounds once more: z is off by (inverse_error + 2u) |z| + t / deviation, each a little more for the products of errors, and the ends
// round.
struct Standard {
  Vec mean, inverse, by_size, fixed;
  Vec of(Vec x) const { return (x - mean) * inverse; }
  Vec reach(Vec z) const { return multiply_add(abs(z), by_size, fixed); }
};

// Elements side by side, each with its own scale and bias, or one for all.
template <bool shared>
struct Part {
  const float* x;
  float* y;
  size_t count;
  const float *scale, *bias;
  static Vec read(const float* p, size_t i) { return shared ? broadcast(static_cast<double>(*p)) : load_floats(p + i); }
  Vec scale_at(size_t i) const { return read(scale, i); }
  Vec bias_at(size_t i) const { return bias == nullptr ? broadcast(-0.0) : read(bias, i); }
};

// round(z) · scale + bias. Both ends of z must be one float32. Then the product is exact, and its sum with the bias rounded to double
// is rounded right to float32 unless it is a tie there, where what was rounded off decides; those, and what is not normal in float32,
// one by one.
template <bool shared>
bool scale_rounded(const Standard& by, const Part<shared>& part) {
  FloatMask apart = {};
  bool finite = true;
  for_each_register(part.count, [&](size_t i) {
    const Vec z = by.of(load_floats(part.x + i)), reach = by.reach(z);
    const FloatVec rounded = as_floats(z - reach);
    apart |= (FloatMask)rounded ^ (FloatMask)as_floats(upper_end(z, reach));
    const Vec quotient = as_doubles(rounded), scale = part.scale_at(i), bias = part.bias_at(i);
    const Vec sum = quotient * scale + bias;
    store_floats(part.y + i, as_floats(sum));
    const Mask tie = (Mask)(((Mask)sum & int64_t{0x1fffffff}) == int64_t{0x10000000});
    const Mask normal = (Mask)(abs(sum) >= 0x1p-126) & (Mask)(abs(sum) < 0x1p127);
    if (all(normal & ~tie)) return;
    for (size_t k = 0; k < kVector; ++k) {
      if (tie[k] != 0 || normal[k] == 0) finite = scaled_one(quotient[k], scale[k], bias[k], part.y + i + k) && finite;
    }
  });
  return finite && !any(apart);
}

// z · scale + bias, rounded once: what z is off by counts |scale| fold, the product and the sum round by u, and so do the ends.
template <bool shared>
bool scale_exactly(const Standard& by, const Part<shared>& part) {
  FloatMask apart = {};
  Mask finite = ~Mask{};
  for_each_register(part.count, [&](size_t i) {
    const Vec z = by.of(load_floats(part.x + i)), scale = part.scale_at(i);
    const Vec product = z * scale, m = product + part.bias_at(i);
    const Vec reach = multiply_add(abs(scale), by.reach(z), (abs(product) + abs(m)) * (3 * kUnit));
    const FloatVec rounded = as_floats(m - reach);
    apart |= (FloatMask)rounded ^ (FloatMask)as_floats(upper_end(m, reach));
    finite &= (Mask)(reach < kInf);
    store_floats(part.y + i, rounded);
  });
  return all(finite) && !any(apart);
}

template <bool shared>
bool scaled(bool rounds_quotient, const Standard& by, const Part<shared>& part) {
  return rounds_quotient ? scale_rounded(by, part) : scale_exactly(by, part);
}

// The mean and the inverse of the deviation as results of their own; false where more than one float32 lies within their bounds.
bool put_statistics(const LineNormalization& job, size_t number, const Statistics& line) {
  const double reach = line.inverse * (line.inverse_error + 6 * kUnit) * kWide;
  job.mean[number] = static_cast<float>(line.mean);
  job.inverse[number] = static_cast<float>(line.inverse);
  return same_float(line.mean - 2 * line.mean_error, line.mean + 2 * line.mean_error) &&
         same_float(line.inverse - reach, line.inverse + reach);
}

bool normalize(const LineNormalization& job, size_t number) {
  const float* x = job.x + number * job.length;
  float* y = job.y + number * job.length;
  Statistics line;
  if (job.centered && !find_mean(x, job.length, &line)) return false;
  if (!find_deviation(job, x, y, &line)) return false;
  if (job.mean != nullptr && !put_statistics(job, number, line)) return false;
  const Standard by{broadcast(line.mean), broadcast(line.inverse), broadcast((line.inverse_error + 6 * kUnit) * kWide),
                    broadcast(line.mean_error * line.inverse * kWide)};
  const size_t runs = job.length / job.run, first = number % job.groups * runs;
  const float* const scale = job.scale + first;
  const float* const bias = job.bias == nullptr ? nullptr : job.bias + first;
  if (job.run == 1) return scaled<false>(job.rounds_quotient, by, {x, y, job.length, scale, bias});
  bool settled = true;
  for (size_t k = 0; k < runs && settled; ++k) {
    settled = scaled<true>(job.rounds_quotient, by,
                           {x + k * job.run, y + k * job.run, job.run, scale + k, bias == nullptr ? nullptr : bias + k});
  }
  return settled;
}

}  // namespace
}  // namespace ONNXV_LANES

const LineLoops ONNXV_JOIN(kLineLoops_, ONNXV_LANES) = {softmax, log_softmax, normalize};

}  // namespace onnxv
