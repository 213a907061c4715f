// Compiled once per instruction set. u = 2^-53.
#include "src/number/normalize_line.h"

#include "src/number/along_lines.h"
#include "src/number/format.h"
#include "src/number/lane_settle.h"

namespace onnxv {
inline namespace ONNXV_LANES {
namespace {

bool same_float(double a, double b) { return static_cast<float>(a) == static_cast<float>(b) && a != 0 && b != 0; }

struct Statistics {
  double mass = 0;                                // mean of the magnitudes
  double mean = 0, mean_rest = 0, mean_error = 0;  // mean + mean_rest is off by mean_error
  double inverse = 0, inverse_error = 0;          // 1 / deviation; relative
};

// Plain sums, or long ones where those leave something open.
enum class Sums { kPlain, kLong };

// The sum is off by depth · u · (sum of magnitudes), which itself is off by depth u; its quotient by one rounding more. Long: the
// quotient's remainder is exact, and three operations on what is left of the mean round.
template <Sums sums>
bool find_mean(const float* x, size_t length, Statistics* line) {
  const double count = static_cast<double>(length);
  const auto element = [=](size_t i) { return load_floats(x + i); };
  line->mass = blocked_sum(length, [=](size_t i) { return abs(load_floats(x + i)); }) / count;
  if (!(line->mass > 0 && line->mass < kInf)) return false;
  if constexpr (sums == Sums::kPlain) {
    line->mean = blocked_sum(length, element) / count;
    line->mean_error = (line->mass * (sum_depth(length) + 2) * kUnit + __builtin_fabs(line->mean) * 2 * kUnit) * kWide;
  } else {
    const LongSum sum = long_sum(length, element);
    line->mean = sum.high / count;
    line->mean_rest = (__builtin_fma(-line->mean, count, sum.high) + sum.rest) / count;
    line->mean_error = (line->mass * (2 * count * kUnit) * (count * kUnit) + __builtin_fabs(line->mean_rest) * 3 * kUnit) * kWide;
  }
  return true;
}

// How an element is standardized: z = d · inverse, d = (x - mean) - mean_rest.
struct Standard {
  Vec mean, rest, inverse, by_size, fixed;
  Vec reach(Vec z) const { return multiply_add(abs(z), by_size, fixed); }
};
template <Sums sums>
Vec difference(Vec x, Vec mean, Vec rest) {
  const Vec d = x - mean;
  return sums == Sums::kPlain ? d : (Vec)(d - rest);
}

// With m the computed mean, off by no more than t, and r its rest: sum (x - m)² = sum (x - mean)² + n (m - mean)². Each difference
// rounds by u, with a rest by 2u and by u r, counting twice in its square, which rounds by u, as each addition does: the sum of squares
// is off by (depth + 4) u of itself (long: by 7u, and by 2u r / root v, v the mean), and v by one u more and t². w = v + epsilon
// rounds once: off by (depth + 7) u + t² / w + 2u r / root w relative, call it a; depth 5 for long sums. The root halves that and
// rounds, the reciprocal rounds.
template <Sums sums>
bool find_deviation(const LineNormalization& job, const float* x, float* y, Statistics* line) {
  const Vec mean = broadcast(line->mean), rest = broadcast(line->mean_rest);
  const auto square = [=, &job](size_t i) {
    expect(x + job.length + i, y + i);
    const Vec d = difference<sums>(load_floats(x + i), mean, rest);
    return d * d;
  };
  double squares, depth = 5;
  if constexpr (sums == Sums::kPlain) {
    squares = blocked_sum(job.length, square);
    depth = sum_depth(job.length);
  } else {
    const LongSum sum = long_sum(job.length, square);
    squares = sum.high + sum.rest;
  }
  const double w = squares / static_cast<double>(job.length) + job.epsilon, t = line->mean_error;
  if (!(job.epsilon >= 0 && w > 0x1p-500 && w < kInf)) return false;
  const double root = __builtin_sqrt(w);
  const double error = (depth + 8) * kUnit + t * t / w + 2 * kUnit * __builtin_fabs(line->mean_rest) / root;
  if (!(error < 0x1p-30)) return false;
  line->inverse = 1 / root;
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

// d rounds by u, with a rest by 2u and u r, and is off by t; the product with 1/deviation rounds once more: z is off by
// (inverse_error + 3u) |z| + (t + u r) / deviation, each a little more for the products of errors, and the ends round.
Standard standard_of(const Statistics& line) {
  return {broadcast(line.mean), broadcast(line.mean_rest), broadcast(line.inverse), broadcast((line.inverse_error + 6 * kUnit) * kWide),
          broadcast((line.mean_error + kUnit * __builtin_fabs(line.mean_rest)) * line.inverse * kWide)};
}

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
template <Sums sums, bool shared>
bool scale_rounded(const Standard& by, const Part<shared>& part) {
  FloatMask apart = {};
  bool finite = true;
  for_each_register(part.count, [&](size_t i) {
    const Vec z = difference<sums>(load_floats(part.x + i), by.mean, by.rest) * by.inverse, reach = by.reach(z);
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
template <Sums sums, bool shared>
bool scale_exactly(const Standard& by, const Part<shared>& part) {
  FloatMask apart = {};
  Mask finite = ~Mask{};
  for_each_register(part.count, [&](size_t i) {
    const Vec z = difference<sums>(load_floats(part.x + i), by.mean, by.rest) * by.inverse, scale = part.scale_at(i);
    const Vec product = z * scale, m = product + part.bias_at(i);
    const Vec reach = multiply_add(abs(scale), by.reach(z), (abs(product) + abs(m)) * (3 * kUnit));
    const FloatVec rounded = as_floats(m - reach);
    apart |= (FloatMask)rounded ^ (FloatMask)as_floats(upper_end(m, reach));
    finite &= (Mask)(reach < kInf);
    store_floats(part.y + i, rounded);
  });
  return all(finite) && !any(apart);
}

template <Sums sums, bool shared>
bool scaled(bool rounds_quotient, const Standard& by, const Part<shared>& part) {
  return rounds_quotient ? scale_rounded<sums>(by, part) : scale_exactly<sums>(by, part);
}

// The mean and the inverse of the deviation as results of their own; false where more than one float32 lies within their bounds.
bool put_statistics(const LineNormalization& job, size_t number, const Statistics& line) {
  const double reach = line.inverse * (line.inverse_error + 6 * kUnit) * kWide;
  const double around = 2 * (line.mean_error + __builtin_fabs(line.mean_rest));
  job.mean[number] = static_cast<float>(line.mean);
  job.inverse[number] = static_cast<float>(line.inverse);
  return same_float(line.mean - around, line.mean + around) &&
         same_float(line.inverse - reach, line.inverse + reach);
}

template <Sums sums>
bool normalize(const LineNormalization& job, size_t number) {
  const float* x = job.x + number * job.length;
  float* y = job.y + number * job.length;
  Statistics line;
  if (job.centered && !find_mean<sums>(x, job.length, &line)) return false;
  if (!find_deviation<sums>(job, x, y, &line)) return false;
  if (job.mean != nullptr && !put_statistics(job, number, line)) return false;
  const Standard by = standard_of(line);
  const size_t runs = job.length / job.run, first = number % job.groups * runs;
  const float* const scale = job.scale + first;
  const float* const bias = job.bias == nullptr ? nullptr : job.bias + first;
  if (job.run == 1) return scaled<sums, false>(job.rounds_quotient, by, {x, y, job.length, scale, bias});
  bool settled = true;
  for (size_t k = 0; k < runs && settled; ++k) {
    settled = scaled<sums, true>(job.rounds_quotient, by,
                                 {x + k * job.run, y + k * job.run, job.run, scale + k, bias == nullptr ? nullptr : bias + k});
  }
  return settled;
}

}  // namespace

// The longer the line the likelier has one of its elements a tie within its bound: long sums cost half as much again, the ladder
// twenty times as much.
bool normalize_line(const LineNormalization& job, size_t line) {
  return normalize<Sums::kPlain>(job, line) || normalize<Sums::kLong>(job, line);
}

}  // namespace ONNXV_LANES
}  // namespace onnxv
