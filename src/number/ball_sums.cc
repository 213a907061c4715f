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

// Both ends of all lanes as float32; false where a lane needs the general way.
static inline bool rounds_to_float32(const Ball& x, Vec reach, Ball* rounded) {
  const FloatVec low = __builtin_convertvector(x.m - reach, FloatVec);
  const FloatVec high = __builtin_convertvector(upper_end(x.m, reach), FloatVec);
  const FloatMask differ = (FloatMask)low ^ (FloatMask)high;
  const Mask finite = (Mask)(x.r < kInf) & (Mask)(abs(x.m) < kInf);
  if (any(__builtin_convertvector(differ, Mask) | ~finite)) return false;
  *rounded = {__builtin_convertvector(low, Vec), broadcast(0.0)};
  return true;
}

Ball round_to(int64_t format, const Ball& value) {
  static const int64_t float32 = format_number(kFloat32);
  if (Ball rounded; format == float32 && rounds_to_float32(value, slack(value), &rounded)) return rounded;
  Ball x = value;
  for (int i = 0; i < kLanes; ++i) {
    if (!(x.r[i] < kInf)) continue;
    const LaneEnds ends = ends_of(lane(x, i));
    const RoundedEnds rounded = rounded_ends(format, ends.low, ends.high, x.r[i] == 0);
    set_lane(x, i, rounded.same ? Lane{rounded.low, 0} : open_lane());
  }
  return x;
}

// ---- sums ----

void Sum::add_product(const Ball& a, const Ball& b) {
  Ball product{a.m * b.m, abs(a.m) * b.r + (abs(b.m) + b.r) * a.r};
  Vec rest = fma(a.m, b.m, -product.m);
  // A product below 2^-900 may have lost digits that no residual shows, and with them its sign beside others.
  const Mask lost = ~(Mask)(abs(product.m) >= kRegular) & (Mask)(a.m != 0.0) & (Mask)(b.m != 0.0);
  if (any(lost)) {
    const Ball repaired = a * b;
    product.m = lost ? repaired.m : product.m;
    product.r = lost ? repaired.r : product.r;
    rest = lost ? broadcast(0.0) : rest;
  }
  add_exact(product.m);
  add_rest(rest);
  radius_ += product.r;
}

Ball Sum::value() const {
  // Adding a rest of +0 would turn a total of -0 into +0.
  const Vec total = rest_ == 0.0 ? total_ : (Vec)(total_ + rest_);
  const Vec error = rest_ == 0.0 ? broadcast(0.0) : abs(two_sum_error(total_, rest_, total));
  return {total, radius_ + mass_ * (terms_ * 0x1p-52) + error};
}

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

Ball plain_dot(In<Ball> a, In<Ball> b, Ball dot) {
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
