#include "src/kernel/exact_product.h"

#include <cmath>
#include <cstring>
#include <functional>
#include <vector>

#include "src/kernel/compensated_tile.h"
#include "src/kernel/product.h"
#include "src/kernel/product_counts.h"
#include "src/number/instruction_sets.h"

namespace onnxv {
namespace {

constexpr double kUnit = 0x1p-53;

struct Compensated {
  double head, rest, bound;
  bool exact;  // head + rest is the sum itself
};

// What a + b loses.
double lost(double a, double b, double sum) {
  const double t = sum - a;
  return (a - (sum - t)) + (b - t);
}

CompensatedSum compensated_sum(const double* a, const double* b, size_t count) {
  static const auto function = ONNXV_OF_SET(compensated_dot);
  return function(a, b, count);
}

// With Dot2's a priori bound: n²u²·Σ|ab| beside the last rounding, which is kept in `rest`.
Compensated compensated_dot(const double* a, const double* b, size_t count) {
  const CompensatedSum sum = compensated_sum(a, b, count);
  const double n = static_cast<double>(count + kCompensatedParts) + 4;
  return {sum.head, sum.rest, 1.01 * n * n * kUnit * kUnit * sum.size + 0x1p-1000, !sum.rounded};
}

bool settle_compensated(const Target& target, const Compensated& sum, uint64_t* code) {
  const double value = sum.head + sum.rest;
  if (!(std::fabs(value) < 0x1p1000) || !(sum.bound < 0x1p1000)) return false;
  if (target.format == &kFloat64) {
    if (std::fabs(value) < 0x1p-900) return false;
    const double slack = sum.bound + std::fabs(sum.rest) * 0x1p-50;
    const double low = sum.head + (sum.rest - slack), high = sum.head + (sum.rest + slack);
    if (low != high) return false;
    std::memcpy(code, &low, sizeof low);
    return true;
  }
  const double slack = sum.bound + std::fabs(value) * 0x1p-51;
  return settle(target, value - slack, value + slack, false, code);
}

// By a plain sum: what it is off by is at most a unit for each rounding on the longest path, of the sum of the absolute values. A
// product that underflows loses 2^-1075 at most.
bool settle_plainly(const Target& target, const double* a, const double* b, size_t count, uint64_t* code) {
  static const auto function = ONNXV_OF_SET(sized_dot);
  if (target.format == &kFloat64) return false;
  const SizedSum sum = function(a, b, count);
  const double slack = static_cast<double>(count / 2 + 40) * kUnit * sum.size + 0x1p-1000;
  if (!(std::fabs(sum.sum) < 0x1p1000) || !(slack < 0x1p1000)) return false;
  return settle(target, sum.sum - slack, sum.sum + slack, false, code);
}

uint64_t settle_exactly(const Target& target, const std::function<Interval()>& value) {
  uint64_t code = 0;
  for (long bits = 128; bits <= 8192; bits *= 2) {
    const PrecisionScope scope(bits);
    const Interval x = value();
    if (x.is_nan_point()) return settle_exact(target, std::nan(""));
    if (x.is_infinite_point()) return settle_exact(target, x.negative() ? -HUGE_VAL : HUGE_VAL);
    code = encode_mpfr(target, x.low());
    if (x.is_point() || code == encode_mpfr(target, x.high())) return code;
  }
  return code;  // unreachable: a sum of doubles has at most 4,300 bits, and its ends meet there
}

std::vector<Interval> points(const double* values, size_t count) {
  std::vector<Interval> points;
  points.reserve(count);
  for (size_t i = 0; i < count; ++i) points.emplace_back(values[i]);
  return points;
}

}  // namespace

uint64_t exact_dot(const Target& target, const double* a, const double* b, size_t count) {
  uint64_t code = 0;
  if (count == 0) return settle_exact(target, 0.0);
  if (settle_plainly(target, a, b, count, &code)) {
    count_products({0, 1, 0});
    return code;
  }
  const Compensated sum = compensated_dot(a, b, count);
  // Sums that cancel to zero end here: no bound tells +0 from -0. Where nothing was rounded at all, head has the sign of its zero.
  const double value = sum.rest == 0 ? sum.head : sum.head + sum.rest;
  const bool is_value = sum.exact && lost(sum.head, sum.rest, value) == 0;
  if (is_value) code = settle_exact(target, value);
  if (is_value || settle_compensated(target, sum, &code)) {
    count_products({0, 1, 0});
    return code;
  }
  count_products({0, 0, 1});
  return settle_exactly(target, [&] {
    const std::vector<Interval> x = points(a, count), y = points(b, count);
    return dot(In<Interval>{x.data(), count}, In<Interval>{y.data(), count});
  });
}

uint64_t exact_sum(const Target& target, const double* terms, size_t count) {
  return settle_exactly(target, [&] {
    const std::vector<Interval> x = points(terms, count);
    return sum(In<Interval>{x.data(), count});
  });
}

// The first rung of a proof has 128 bits: a compensated sum gives as many digits as it can use, in a hundredth of the time of an
// exact one.
Interval enclosed_dot(const double* a, const double* b, size_t count) {
  if (PrecisionScope::bits() <= 128 && count != 0) {
    const Compensated sum = compensated_dot(a, b, count);
    const double value = std::fabs(sum.head + sum.rest);
    if (value < 0x1p1000 && sum.bound < value * 0x1p-80) {
      return Interval(sum.head) + Interval(sum.rest) + Interval::between(-sum.bound, sum.bound);
    }
  }
  const std::vector<Interval> p = points(a, count), q = points(b, count);
  return dot(In<Interval>{p.data(), count}, In<Interval>{q.data(), count});
}

DotBall dot_ball(const double* a, const double* b, size_t count) {
  if (count == 0) return {0, 0};
  const Compensated sum = compensated_dot(a, b, count);
  const double value = sum.head + sum.rest;
  if (!(std::fabs(value) < 0x1p1000) || !(sum.bound < 0x1p1000)) return {0, HUGE_VAL};
  return {value, sum.bound + std::fabs(value) * 0x1p-52};
}

}  // namespace onnxv
