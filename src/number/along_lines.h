// Loops along a line of float32 on lanes, and their sums. Compiled once per instruction set. u = 2^-53.
#pragma once

#include "src/number/ball.h"
#include "src/number/lane_floats.h"

namespace onnxv {
inline namespace ONNXV_LANES {

inline constexpr size_t kVector = kLanes, kChains = 4, kRounds = 16;
inline constexpr double kUnit = 0x1p-53;
inline constexpr double kWide = 1.0 + 0x1p-20;  // pays for the rounding of bounds, all of them far below 2^-20

// The sum of term(i), a register of terms from element i on, over `length` >= kVector elements. The last register reaches back over
// elements that are in the sum already; they are taken out. At most sum_depth() additions on the way of a term.
template <class Term>
double blocked_sum(size_t length, const Term& term) {
  const size_t whole = length / kVector * kVector;
  Vec total = {}, part = {};
  for (size_t i = 0, blocks = 0; i < whole;) {
    const size_t end = whole - i < kChains * kRounds * kVector ? whole : i + kChains * kRounds * kVector;
    Vec sums[kChains] = {};
    for (; i + kChains * kVector <= end; i += kChains * kVector) {
      for (size_t k = 0; k < kChains; ++k) sums[k] += term(i + k * kVector);
    }
    for (; i < end; i += kVector) sums[0] += term(i);
    part += (sums[0] + sums[1]) + (sums[2] + sums[3]);
    if (++blocks % kRounds != 0) continue;
    total += part;
    part = Vec{};
  }
  total += part;
  double sum = 0;
  if (whole < length) {
    const Vec last = term(length - kVector);
    for (size_t k = kVector - (length - whole); k < kVector; ++k) sum += last[k];
  }
  for (size_t k = 0; k < kVector; ++k) sum += total[k];
  return sum;
}
inline double sum_depth(size_t length) {
  constexpr size_t kBlock = kChains * kRounds * kVector;
  return static_cast<double>(kRounds + 3 + 2 + (length < kBlock * kRounds ? length / kBlock + 1 : kRounds) +
                             length / (kBlock * kRounds) + 1 + 2 * kVector);
}

// The same sum as high + rest: every addition's error is kept, and the errors are added up plainly. They are below n u (mass) in all,
// and so the rest is off by less than 2 n² u² (mass), n the length (Ogita, Rump and Oishi 2005).
struct LongSum {
  double high = 0, rest = 0;
};
template <class Term>
LongSum long_sum(size_t length, const Term& term) {
  Vec sums[kChains] = {}, rests[kChains] = {};
  const auto add = [&](size_t k, Vec value) {
    const Vec sum = sums[k] + value;
    rests[k] += two_sum_error(sums[k], value, sum);
    sums[k] = sum;
  };
  size_t i = 0;
  for (; i + kChains * kVector <= length; i += kChains * kVector) {
    for (size_t k = 0; k < kChains; ++k) add(k, term(i + k * kVector));
  }
  for (; i + kVector <= length; i += kVector) add(0, term(i));
  if (i < length) {
    Vec last = term(length - kVector);
    for (size_t k = 0; k < kVector - (length - i); ++k) last[k] = 0;
    add(0, last);
  }
  LongSum total;
  for (size_t k = 0; k < kChains; ++k) {
    for (size_t l = 0; l < kVector; ++l) {
      const double value = sums[k][l], sum = total.high + value, t = sum - total.high;
      total.rest += ((total.high - (sum - t)) + (value - t)) + rests[k][l];
      total.high = sum;
    }
  }
  return total;
}

// A register of elements from each place on, so that all of the line is seen; the last one may reach back.
template <class Visit>
void for_each_register(size_t length, const Visit& visit) {
  size_t i = 0;
  for (; i + kVector <= length; i += kVector) visit(i);
  if (i < length) visit(length - kVector);
}

inline void store_floats(float* p, FloatVec v) { __builtin_memcpy(p, &v, sizeof v); }

}  // namespace ONNXV_LANES
}  // namespace onnxv
