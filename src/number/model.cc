#include "src/number/model.h"

#include <algorithm>
#include <cmath>

#include "src/base/error.h"
#include "src/number/ladder.h"
#include "src/number/model_rounding.h"

namespace onnxv {
namespace {

thread_local const ArithmeticScope* t_arithmetic = nullptr;

}  // namespace

// ---- the compute type ----

ArithmeticScope::ArithmeticScope(const ToleranceModel& tolerance, ComputeType compute)
    : type(compute), model(tolerance), outer_(t_arithmetic) {
  expected_unit = std::ldexp(1.0, -type.bits);
  // fast-math:N counts in ulp: 2 u at most.
  if (model.fast_math > 0) expected_unit *= 2 * model.fast_math;
  // A hundredth more: a backend may compute in a wider type and round to this one at the end, once more. 2^-52: the
  // error of evaluating the model itself in double.
  unit = expected_unit * (1 + 0x1p-7) + 0x1p-52;
  smallest_normal = std::ldexp(1.0, 1 - type.range->bias);
  floor = model.flush_to_zero ? smallest_normal : std::ldexp(smallest_normal, -type.range->mantissa_bits);
  t_arithmetic = this;
}
ArithmeticScope::~ArithmeticScope() { t_arithmetic = outer_; }
const ArithmeticScope& ArithmeticScope::current() {
  if (t_arithmetic == nullptr) fail_internal("model", "a formula is read as Model outside of a compute type");
  return *t_arithmetic;
}

bool representable(double x) {
  const ArithmeticScope& arithmetic = ArithmeticScope::current();
  if (x == 0 || !std::isfinite(x)) return true;
  int exponent;
  std::frexp(x, &exponent);
  if (exponent - 1 > arithmetic.type.range->bias) return false;
  if (std::fabs(x) < arithmetic.smallest_normal && arithmetic.model.flush_to_zero) return false;
  const int least = 1 - arithmetic.type.range->bias - (arithmetic.type.bits - 1);  // exponent of the smallest subnormal
  const double scaled = std::ldexp(x, -std::max(exponent - arithmetic.type.bits, least));
  return scaled == std::trunc(scaled);
}

ModelReal widened(ModelReal x, double relative, double expected) {
  const ArithmeticScope& arithmetic = ArithmeticScope::current();
  const auto reach = [&](double end) { return end == 0 && x.low == x.high ? 0 : relative * std::fabs(end) + arithmetic.floor; };
  const double below = reach(x.low), above = reach(x.high);
  x.low -= below;
  x.high += above;
  x.deviation = std::hypot(x.deviation, expected * std::fabs(x.m));
  x.point = false;
  x.whole = false;
  return x;
}

ModelReal rounded(const ModelReal& x) {
  const ArithmeticScope& arithmetic = ArithmeticScope::current();
  if (x.low != x.low || x.high != x.high || x.m != x.m) return ModelReal::open(x.m);
  return widened(x, arithmetic.unit, arithmetic.expected_unit);
}

ModelReal rounded_point(double m, bool exact) {
  if (!std::isfinite(m) || (exact && representable(m))) return ModelReal(m);
  return rounded(ModelReal(m));
}

// ---- ModelReal ----

ModelReal ModelReal::operand(double exact) { return rounded_point(exact, true); }

ModelReal ModelReal::between(double m, double low, double high, double deviation) {
  ModelReal x;
  x.m = m;
  x.low = low;
  x.high = high;
  x.deviation = deviation;
  x.point = false;
  return x;
}
ModelReal ModelReal::open(double m) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return between(m, -kInfinity, kInfinity, kInfinity);
}
double ModelReal::magnitude() const { return std::max(std::fabs(low), std::fabs(high)); }

namespace {

// What is left of a + b, a · b after rounding to double: zero says that it is exact.
double sum_residual(double a, double b, double s) {
  const double t = s - a;
  return (a - (s - t)) + (b - t);
}

// An operand is infinite or NaN for certain: IEEE decides, and where both are points that is all.
bool special(const ModelReal& x) { return x.point && !std::isfinite(x.m); }

struct Corners {
  double low, high;
};
template <class Operation>
Corners corners(const ModelReal& a, const ModelReal& b, const Operation& operation) {
  Corners hull{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const double p : {a.low, a.high}) {
    for (const double q : {b.low, b.high}) {
      const double corner = operation(p, q);
      if (corner != corner) return {corner, corner};
      hull.low = std::min(hull.low, corner);
      hull.high = std::max(hull.high, corner);
    }
  }
  return hull;
}

ModelReal combined(double m, Corners hull, double deviation) {
  if (std::isinf(hull.low) && hull.low == hull.high) return ModelReal(m);
  return rounded(ModelReal::between(m, hull.low, hull.high, deviation == deviation ? deviation : HUGE_VAL));
}

}  // namespace

namespace {

bool is_whole(const ModelReal& x) { return x.point ? x.m == std::trunc(x.m) : x.whole; }

}  // namespace

ModelReal operator-(const ModelReal& x) {
  ModelReal y = x;
  y.m = -x.m;
  y.low = -x.high;
  y.high = -x.low;
  return y;
}

ModelReal operator+(const ModelReal& a, const ModelReal& b) {
  const double m = a.m + b.m;
  if (special(a) || special(b)) return (a.point && b.point) || special(a) != special(b) ? ModelReal(m) : ModelReal::open(m);
  if (a.point && b.point) return rounded_point(m, sum_residual(a.m, b.m, m) == 0);
  // Adding an exact zero changes nothing.
  if (a.point && a.m == 0) return b;
  if (b.point && b.m == 0) return a;
  ModelReal y = ModelReal::between(m, a.low + b.low, a.high + b.high, std::hypot(a.deviation, b.deviation));
  y.whole = is_whole(a) && is_whole(b) && y.magnitude() <= std::ldexp(1.0, ArithmeticScope::current().type.bits);
  if (!y.whole) y = combined(m, {y.low, y.high}, y.deviation);
  y.to_step = std::min(a.to_step, b.to_step);
  return y;
}
ModelReal operator-(const ModelReal& a, const ModelReal& b) { return a + -b; }

ModelReal operator*(const ModelReal& a, const ModelReal& b) {
  const double m = a.m * b.m;
  if (a.point && b.point) return rounded_point(m, std::fma(a.m, b.m, -m) == 0 && (m == 0) == (a.m == 0 || b.m == 0));
  if ((a.point && a.m == 0 && !b.is_open()) || (b.point && b.m == 0 && !a.is_open())) return ModelReal(m);
  if ((a.point && std::fabs(a.m) == 1) || (b.point && std::fabs(b.m) == 1)) {
    const ModelReal& other = a.point && std::fabs(a.m) == 1 ? b : a;
    return m == other.m ? other : -other;
  }
  Corners hull = corners(a, b, [](double p, double q) { return p * q; });
  if (&a == &b && a.low < 0 && a.high > 0) hull.low = 0;  // a square
  const double share = &a == &b ? 2 * std::fabs(a.m) * a.deviation : std::hypot(b.m * a.deviation, a.m * b.deviation);
  return combined(m, hull, share);
}

ModelReal operator/(const ModelReal& a, const ModelReal& b) {
  const double m = a.m / b.m;
  if (a.point && b.point) return rounded_point(m, std::fma(-m, b.m, a.m) == 0);
  if (a.point && a.m == 0 && !(b.low <= 0 && b.high >= 0)) return ModelReal(m);
  if (b.low <= 0 && b.high >= 0) return ModelReal::open(m);
  return combined(m, corners(a, b, [](double p, double q) { return p / q; }),
                  std::hypot(a.deviation, m * b.deviation) / std::fabs(b.m));
}

// ---- choices ----

ModelReal abs(const ModelReal& x) {
  if (x.low >= 0 || x.m != x.m) return x.m != x.m || x.low > 0 ? x : (x.point ? ModelReal(std::fabs(x.m)) : x);
  if (x.high <= 0) return -x;
  ModelReal y = x;
  y.m = std::fabs(x.m);
  y.low = 0;
  y.high = std::max(-x.low, x.high);
  return y;
}

namespace {

ModelReal extreme(const ModelReal& a, const ModelReal& b, bool greatest) {
  if (a.is_nan_point()) return a;
  if (b.is_nan_point()) return b;
  const auto pick = [&](double p, double q) {
    if (p == q) return greatest == std::signbit(p) ? q : p;  // max(-0, +0) is +0
    return (p < q) == greatest ? q : p;
  };
  const double m = pick(a.m, b.m), low = pick(a.low, b.low), high = pick(a.high, b.high);
  if (low == high && m == low && (a.point || b.point)) return ModelReal(m);
  ModelReal y = ModelReal::between(m, low, high, a.m == b.m ? std::max(a.deviation, b.deviation) : m == a.m ? a.deviation : b.deviation);
  y.to_step = m == a.m ? a.to_step : b.to_step;
  y.whole = is_whole(a) && is_whole(b);
  return y;
}

bool apart(const ModelReal& a, const ModelReal& b) { return a.high < b.low || b.high < a.low; }

}  // namespace

ModelReal min(const ModelReal& a, const ModelReal& b) { return extreme(a, b, false); }
ModelReal max(const ModelReal& a, const ModelReal& b) { return extreme(a, b, true); }

ModelDecision operator<(const ModelReal& a, const ModelReal& b) {
  if (a.is_nan_point() || b.is_nan_point()) return {false, false};
  if (a.high < b.low) return {true, false};
  return {false, !(a.low >= b.high)};
}
ModelDecision operator<=(const ModelReal& a, const ModelReal& b) {
  if (a.is_nan_point() || b.is_nan_point()) return {false, false};
  if (a.high <= b.low) return {true, false};
  return {false, !(a.low > b.high)};
}
ModelDecision operator==(const ModelReal& a, const ModelReal& b) {
  if (a.is_nan_point() || b.is_nan_point()) return {false, false};
  if (a.point && b.point) return {a.m == b.m, false};
  return {false, !apart(a, b)};
}
ModelDecision is_nan(const ModelReal& x) { return {x.is_nan_point(), x.is_open()}; }
ModelDecision operator&&(ModelDecision a, ModelDecision b) {
  const bool no = (!a.yes && !a.open) || (!b.yes && !b.open);
  return {a.yes && b.yes, !no && (a.open || b.open)};
}
ModelDecision operator||(ModelDecision a, ModelDecision b) {
  const bool yes = a.yes || b.yes;
  return {yes, !yes && (a.open || b.open)};
}

namespace {

ModelReal hull(const ModelReal& a, const ModelReal& b) {
  if (a.m != a.m || b.m != b.m) return ModelReal::open(a.m == a.m ? a.m : b.m);
  ModelReal y = a;
  y.low = std::min(a.low, b.low);
  y.high = std::max(a.high, b.high);
  y.deviation = std::max(a.deviation, b.deviation);
  y.whole = is_whole(a) && is_whole(b);
  y.point = a.point && b.point && a.m == b.m;
  return y;
}

}  // namespace

ModelReal select(ModelDecision yes, const ModelReal& a, const ModelReal& b) {
  if (yes.yes) return a;
  if (!yes.open) return b;
  return hull(a, b);
}

void join(ModelReal* x, const ModelReal& other) {
  if (!std::isfinite(x->m) || !std::isfinite(other.m)) return;
  const double m = x->m, to_step = x->to_step;
  *x = hull(*x, other);
  x->m = m;
  x->to_step = std::min(to_step, other.to_step);
}

// ---- steps ----

namespace {

template <class Step>
ModelReal stepped(const ModelReal& x, double to_step, const Step& step) {
  if (x.m != x.m) return x;
  if (x.point) {
    ModelReal y(step(x.m));
    y.to_step = to_step;
    return y;
  }
  ModelReal y = ModelReal::between(step(x.m), step(x.low), step(x.high), 0);
  y.point = y.low == y.high;
  y.whole = true;
  if (x.deviation >= to_step) y.deviation = 1;
  y.to_step = to_step;
  return y;
}
double to_integer(double x) { return std::fabs(x - std::nearbyint(x)); }

}  // namespace

ModelReal floor(const ModelReal& x) { return stepped(x, to_integer(x.m), [](double v) { return std::floor(v); }); }
ModelReal ceil(const ModelReal& x) { return stepped(x, to_integer(x.m), [](double v) { return std::ceil(v); }); }
ModelReal trunc(const ModelReal& x) { return stepped(x, to_integer(x.m), [](double v) { return std::trunc(v); }); }
ModelReal nearest_even(const ModelReal& x) {
  return stepped(x, to_integer(x.m - 0.5), [](double v) { return std::nearbyint(v); });
}

// The remainder of exact operands is exact, and every library's is.
ModelReal fmod(const ModelReal& x, const ModelReal& y) {
  const double m = std::fmod(x.m, y.m);
  if (x.point && y.point) return ModelReal(m);
  const double most = std::min(y.magnitude(), x.magnitude());
  return ModelReal::between(m, x.low < 0 ? -most : 0.0, x.high > 0 ? most : 0.0, most);
}

ModelReal round_to(int64_t number, const ModelReal& x) {
  const Format& format = format_by_number(number);
  const auto to = [&](double v) {
    return decode(format, encode(format, {v, 0}, Rounding::kNearestEven, Overflow::kInfinity));
  };
  const auto at = [&](double v) { return &format == &kFloat64 ? v : to(v); };
  const double m = at(x.m);
  if (x.point && (m == x.m || m != m)) return x;
  ModelReal y = x;
  y.m = m;
  y.low = std::min(x.low, at(x.low));
  y.high = std::max(x.high, at(x.high));
  y.deviation = std::hypot(x.deviation, std::ldexp(std::fabs(m), -format.mantissa_bits - 1));
  y.point = false;
  y.whole = false;
  return y;
}

}  // namespace onnxv
