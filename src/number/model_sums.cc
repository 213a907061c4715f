// Sums and dot products of the Model reading, in any order of the additions; and what becomes of a result where it is written.
//
// Certain: with n terms that are not zero, |computed - exact| <= (n - 1) u sum |x_i| for a sum in any order, n u sum |a_i b_i| for a
// dot product (C.-P. Jeannerod, S. M. Rump, Improved error bounds for inner products, 2013; without the denominator 1 - n u).
// Expected: 2 sqrt(n) u sqrt(S^2 + sum x_i^2); S is the sum itself, which terms of one sign drift by.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "src/number/ladder.h"
#include "src/number/model_rounding.h"

namespace onnxv {
namespace {

// At most the value of the lowest set bit of a nonzero finite double.
double lowest_bit(double x) {
  int exponent;
  double scaled = std::fabs(std::frexp(x, &exponent));
  double bit = std::ldexp(1.0, exponent - 1);
  while (scaled != 0) {
    scaled *= 2;
    bit = std::ldexp(1.0, exponent - 1);
    --exponent;
    scaled -= std::floor(scaled);
  }
  return bit;
}

void gather(Addends* addends, const ModelReal& term) {
  addends->total += term.m;
  addends->low += term.low;
  addends->high += term.high;
  if (term.point && term.m == 0) return;
  ++addends->count;
  addends->magnitudes += term.magnitude();
  addends->squares += term.m * term.m;
  addends->variance += term.deviation * term.deviation;
  addends->points = addends->points && term.point;
  if (addends->points && std::isfinite(term.m)) addends->quantum = std::min(addends->quantum, lowest_bit(term.m));
}

}  // namespace

ModelReal model_of(const Addends& addends) {
  const ArithmeticScope& arithmetic = ArithmeticScope::current();
  const double m = addends.total;
  if (!std::isfinite(m) && addends.points) return ModelReal(m);
  if (addends.low != addends.low || addends.high != addends.high || m != m) return ModelReal::open(m);
  if (addends.count == 0) return ModelReal(m);
  const double n = static_cast<double>(addends.count);
  // Every partial sum is a multiple of the quantum and has digits enough.
  if (addends.points && addends.magnitudes <= std::ldexp(addends.quantum, arithmetic.type.bits)) return ModelReal(m);
  const double steps = addends.products ? n : n - 1;
  // The ends are sums of n doubles too: n · 2^-52 is a part of `unit` for each step, and here for one more.
  const double reach = steps * (arithmetic.unit * addends.magnitudes + arithmetic.floor) + n * 0x1p-52 * addends.magnitudes;
  const double spread = n == 1 && !addends.products
                            ? 0
                            : 2 * std::sqrt(n) * arithmetic.expected_unit * std::sqrt(m * m + addends.squares);
  return ModelReal::between(m, addends.low - reach, addends.high + reach, std::hypot(std::sqrt(addends.variance), spread));
}

ModelReal sum(In<ModelReal> terms) {
  if (terms.size() == 0) return ModelReal(0.0);
  if (terms.size() == 1) return terms[0];
  Addends addends;
  addends.total = -0.0;
  for (const ModelReal& term : terms) gather(&addends, term);
  return model_of(addends);
}

ModelReal dot(In<ModelReal> a, In<ModelReal> b) {
  if (a.size() == 0) return ModelReal(0.0);
  Addends addends;
  addends.total = -0.0;
  const bool square = a.data == b.data;
  for (size_t i = 0; i < a.size(); ++i) {
    const ModelReal &p = a[i], &q = b[i];
    ModelReal term;
    if (p.point && q.point) {
      term = ModelReal(p.m * q.m);
      // A product that is not exact in the compute type is rounded: then no sum of them is exact.
      if (std::isfinite(term.m) && term.m != 0 && !rounded_point(term.m, std::fma(p.m, q.m, -term.m) == 0).point) {
        addends.quantum = 0;
      }
    } else if (square) {
      const double most = p.magnitude(), least = p.low <= 0 && p.high >= 0 ? 0 : std::min(std::fabs(p.low), std::fabs(p.high));
      term = ModelReal::between(p.m * p.m, least * least, most * most, 2 * std::fabs(p.m) * p.deviation);
    } else {
      const double corners[] = {p.low * q.low, p.low * q.high, p.high * q.low, p.high * q.high};
      term = ModelReal::between(p.m * q.m, *std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4),
                            std::hypot(p.m * q.deviation, q.m * p.deviation));
      if ((p.point && p.m == 0 && !q.is_open()) || (q.point && q.m == 0 && !p.is_open())) term = ModelReal(p.m * q.m);
      for (const double corner : corners) {
        if (corner != corner && !term.point) term = ModelReal::open(p.m * q.m);
      }
    }
    gather(&addends, term);
  }
  addends.products = true;
  return model_of(addends);
}

void prefix_sums(In<ModelReal> terms, Out<ModelReal> sums) {
  Addends addends;
  addends.total = -0.0;
  for (size_t i = 0; i < terms.size(); ++i) {
    gather(&addends, terms[i]);
    sums[i] = i == 0 ? terms[0] : model_of(addends);
  }
}

ModelReal shift_of(In<ModelReal> line) {
  double best = -HUGE_VAL;
  for (const ModelReal& x : line) {
    if (std::isfinite(x.m)) best = std::max(best, x.m);
  }
  return ModelReal(best == -HUGE_VAL ? 0.0 : best);
}

// ---- results ----

ModelReal model_of(double value, const Bound& bound) {
  if (!bound.known() || value != value || bound.low == bound.high) return ModelReal::operand(value);
  return ModelReal::between(value, std::min(bound.low, value), std::max(bound.high, value), bound.deviation);
}

namespace {

double decoded(const Target& target, uint64_t code) {
  if (target.format != nullptr) return decode(*target.format, code);
  if (target.boolean) return static_cast<double>(code);
  return static_cast<double>(decode_integer(target.integer, code));
}

}  // namespace

Bound written(const Target& target, const ModelReal& x) {
  Bound bound;
  if (x.point && x.to_step == std::numeric_limits<double>::infinity() && target.format != nullptr) {
    // The compute type's arithmetic is exact up to here: the one rounding is the output's.
    bound.low = bound.high = decoded(target, settle_exact(target, x.m));
    return bound;
  }
  bound.to_step = x.to_step;
  if (x.m != x.m) return bound;
  const ArithmeticScope& arithmetic = ArithmeticScope::current();
  bound.low = -HUGE_VAL;
  bound.high = HUGE_VAL;
  if (target.format == nullptr || target.format == &kFloat64 || arithmetic.type.bits > target.format->mantissa_bits + 1) {
    const bool to_double = target.format == &kFloat64;
    if (std::isfinite(x.low)) bound.low = to_double ? x.low : decoded(target, settle_exact(target, x.low));
    if (std::isfinite(x.high)) bound.high = to_double ? x.high : decoded(target, settle_exact(target, x.high));
  } else {
    // What was computed is a number of the output's type already: those within the hull.
    const auto at = [&](double end, Rounding rounding) {
      return decode(*target.format, encode(*target.format, {end, 0}, rounding, target.overflow));
    };
    if (std::isfinite(x.low)) bound.low = at(x.low, Rounding::kUp);
    if (std::isfinite(x.high)) bound.high = at(x.high, Rounding::kDown);
  }
  // The exact value is rounded to the output's type, and so is a backend's where it computes in another.
  const double half = target.format != nullptr ? std::ldexp(std::fabs(x.m), -target.format->mantissa_bits - 1) : 0;
  bound.deviation = 1.1 * x.deviation + half;
  if (target.format != nullptr && arithmetic.type.bits > target.format->mantissa_bits + 1) bound.deviation += half;
  return bound;
}

}  // namespace onnxv
