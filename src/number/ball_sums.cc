// Steps and sums of balls. Compiled once per instruction set.
#include "src/number/ball.h"
#include "src/number/ball_lanes.h"
#include "src/number/ladder.h"
#include "src/number/lane_settle.h"
#include "src/number/machine.h"

namespace onnxv {
inline namespace ONNXV_LANES {

// ---- steps ----

namespace {

// `step` of one double, `steps` of a register of them.
template <class Step, class Steps>
Ball stepped(const Ball& x, Step step, Steps steps) {
  if (!any(~(Mask)(x.r == 0.0))) return {steps(Machine(x.m)).v, x.r};
  Ball y = x;
  const Vec reach = slack(x);
  for (int i = 0; i < kLanes; ++i) {
    if (x.r[i] == 0) {
      y.m[i] = step(x.m[i]);
      continue;
    }
    const double low = step(x.m[i] - reach[i]), high = step(x.m[i] + reach[i]);
    const bool same = low == high && negative(low) == negative(high);
    set_lane(y, i, same && x.r[i] < kInf ? Lane{low, 0} : open_lane());
  }
  return y;
}

}  // namespace

Ball floor(const Ball& x) {
  return stepped(x, [](double v) { return __builtin_floor(v); }, [](Machine v) { return floor(v); });
}
Ball ceil(const Ball& x) {
  return stepped(x, [](double v) { return __builtin_ceil(v); }, [](Machine v) { return ceil(v); });
}
Ball trunc(const Ball& x) {
  return stepped(x, [](double v) { return __builtin_trunc(v); }, [](Machine v) { return select(v < Machine(0.0), ceil(v), floor(v)); });
}
Ball nearest_even(const Ball& x) {
  return stepped(x, [](double v) { return __builtin_nearbyint(v); }, [](Machine v) { return nearest_even(v); });
}

Ball fmod(const Ball& dividend, const Ball& y) {
  Ball x = dividend;
  for (int i = 0; i < kLanes; ++i) {
    const bool exact = x.r[i] == 0 && y.r[i] == 0;
    set_lane(x, i, exact ? Lane{::fmod(x.m[i], y.m[i]), 0} : open_lane());
  }
  return x;
}

// ---- rounding to a format ----

namespace {

// To nearest even on the bits of a double, for zeros and for what is normal in the format before and after.
struct BitRounding {
  bool possible;
  int shift;
  double least, most;

  void set(const Format& format) {
    possible = format.bits < 64 && format.has_negative_zero && format.has_zero_and_subnormals;
    shift = 52 - format.mantissa_bits;
    least = __builtin_ldexp(1.0, 1 - format.bias);
    most = possible ? decode(format, largest_finite(format, false)) : 0.0;
  }
  Vec operator()(Vec value) const {
    const Mask bits = (Mask)value, half = Mask{} + ((int64_t{1} << (shift - 1)) - 1);
    return (Vec)((bits + half + ((bits >> shift) & 1)) >> shift << shift);
  }
  Mask covers(Vec value, Vec rounded) const {
    return ((Mask)(abs(value) >= least) & (Mask)(abs(rounded) <= most)) | (Mask)(value == 0.0);
  }
};

const BitRounding& bit_rounding(int64_t number) {
  struct Table {
    BitRounding rows[kFormats];
    Table() {
      for (int64_t i = 0; i < kFormats; ++i) rows[i].set(format_by_number(i));
    }
  };
  static const Table table;
  return table.rows[number];
}

}  // namespace

Ball general_round_to(int64_t number, Ball x) {
  const Vec reach = slack(x), low = x.m - reach, high = upper_end(x.m, reach);
  if (const BitRounding& rounding = bit_rounding(number); rounding.possible) {
    const Vec rounded = rounding(low), other = rounding(high);
    const Mask clear = rounding.covers(low, rounded) & rounding.covers(high, other) & (Mask)(rounded == other);
    if (all(clear)) return {rounded, broadcast(0.0)};
  }
  for (int i = 0; i < kLanes; ++i) {
    if (!(x.r[i] < kInf)) continue;
    const LaneEnds ends = ends_of(lane(x, i));
    const RoundedEnds rounded = rounded_ends(number, ends.low, ends.high, x.r[i] == 0);
    set_lane(x, i, rounded.same ? Lane{rounded.low, 0} : open_lane());
  }
  return x;
}

// ---- sums ----

namespace {

struct PlainSum {
  bool nan = false, open = false, plus = false, minus = false;
  void add(Lane x) {
    nan = nan || is_nan_lane(x);
    open = open || is_open(x);
    if (is_infinite(x)) (x.m > 0 ? plus : minus) = true;
  }
  Lane value() const {
    if (nan) return {__builtin_nan(""), 0};
    if (open) return open_lane();
    if (plus && minus) return {__builtin_nan(""), 0};
    if (plus || minus) return {plus ? kInf : -kInf, 0};
    return open_lane();  // an overflow on the way
  }
};

}  // namespace

Ball plain_sum(In<Ball> terms, Ball sum) {
  for (int i = 0; i < kLanes; ++i) {
    if (sum.r[i] < kInf && size_of(sum.m[i]) < kInf) continue;
    PlainSum plain;
    for (size_t k = 0; k < terms.size(); ++k) plain.add(lane(terms[k], i));
    set_lane(sum, i, plain.value());
  }
  return sum;
}

namespace {

[[gnu::noinline, gnu::cold]] void plain_prefix_sums(In<Ball> terms, Out<Ball> sums) {
  for (int i = 0; i < kLanes; ++i) {
    PlainSum plain;
    for (size_t k = 0; k < terms.size(); ++k) {
      plain.add(lane(terms[k], i));
      if (!(sums[k].r[i] < kInf && size_of(sums[k].m[i]) < kInf)) set_lane(sums[k], i, plain.value());
    }
  }
}

}  // namespace

void prefix_sums(In<Ball> terms, Out<Ball> sums) {
  Sum running;
  Mask special = {};
  for (size_t k = 0; k < terms.size(); ++k) {
    running.add(terms[k]);
    const Ball total = running.value();
    special |= ~(Mask)(total.r < kInf) | ~(Mask)(abs(total.m) < kInf);
    sums[k] = total;
  }
  if (any(special)) plain_prefix_sums(terms, sums);
}

// A product below 2^-900 may have lost digits that no residual shows, and with them its sign beside others: there the
// repaired product counts.
Ball careful_dot(In<Ball> a, In<Ball> b) {
  Sum running;
  for (size_t k = 0; k < a.size(); ++k) {
    const Ball x = a[k], y = b[k];
    const Mask lost = ~(Mask)(abs(x.m * y.m) >= kRegular) & (Mask)(x.m != 0.0) & (Mask)(y.m != 0.0);
    const Vec m = x.m * y.m, rest = fma(x.m, y.m, -m);
    const Vec spread = multiply_add(abs(x.m), y.r, (abs(y.m) + y.r) * x.r);
    const Ball repaired = x * y;
    running.add({lost ? repaired.m : m, lost ? repaired.r : spread}, lost ? broadcast(0.0) : rest);
  }
  Ball dot = running.value();
  for (int i = 0; i < kLanes; ++i) {
    if (dot.r[i] < kInf && size_of(dot.m[i]) < kInf) continue;
    PlainSum plain;
    for (size_t k = 0; k < a.size(); ++k) plain.add(lane(a[k] * b[k], i));
    set_lane(dot, i, plain.value());
  }
  return dot;
}

}  // namespace ONNXV_LANES
}  // namespace onnxv
