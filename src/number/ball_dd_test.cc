// BallDD against Interval at a precision that makes every answer all but a point: whatever real the operands' balls may stand for, the
// result's ball holds its image. And the double-double functions against MPFR.
#include "src/number/ball_dd.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "src/number/ball_dd_parts.h"
#include "src/number/erf_dd.h"
#include "src/number/exp_dd.h"
#include "src/number/interval.h"
#include "src/number/testing/primitives.h"

namespace onnxv {
namespace {

using ball_dd::is_vanished;
using ball_dd::kInfinite;
using ball_dd::kVanished;

// ---- which reals a ball may stand for, and whether another one holds them ----

// head + tail + share · r as a point, for |share| <= 1; a vanished nonzero is anything of its sign down to 2^-3000.
Interval member(const BallDD& x, double share) {
  Interval point(x.head);
  if (is_vanished(x)) {
    mpfr_set_si_2exp(point.low(), x.head > 0 ? 1 : -1, share > 0.5 ? -950 : share > 0 ? -1100 : -3000, MPFR_RNDN);
  } else if (x.tail != 0 || x.r != 0) {
    mpfr_add_d(point.low(), point.low(), x.tail, MPFR_RNDN);
    Interval moved(x.r);
    mpfr_mul_d(moved.low(), moved.low(), share, MPFR_RNDN);
    mpfr_add(point.low(), point.low(), moved.low(), MPFR_RNDN);
  }
  mpfr_set(point.high(), point.low(), MPFR_RNDN);
  return point;
}

// Whether `y` tells nothing wrong of `truth`.
bool holds(const BallDD& y, const Interval& truth) {
  if (y.is_open() || truth.is_open()) return true;
  if (y.is_nan_point() || truth.is_nan_point()) return y.is_nan_point() && truth.is_nan_point();
  const bool infinite = truth.is_infinite_point();
  if (y.is_infinite_point() || infinite) return y.is_infinite_point() && infinite && truth.negative() == std::signbit(y.head);
  if (y.is_zero_point()) return truth.is_zero_point() && truth.negative() == std::signbit(y.head);
  if (is_vanished(y)) {
    return !truth.is_zero_point() && truth.sign_known() && truth.negative() == std::signbit(y.head) &&
           mpfr_cmpabs(truth.low(), Interval(0x1p-949).low()) <= 0;
  }
  Interval low(y.head), high(y.head);
  mpfr_add_d(low.low(), low.low(), y.tail, MPFR_RNDD);
  mpfr_sub_d(low.low(), low.low(), reach(y), MPFR_RNDD);
  mpfr_add_d(high.high(), high.high(), y.tail, MPFR_RNDU);
  mpfr_add_d(high.high(), high.high(), reach(y), MPFR_RNDU);
  return mpfr_lessequal_p(low.low(), truth.high()) != 0 && mpfr_greaterequal_p(high.high(), truth.low()) != 0;
}

// What every operation keeps of the form itself.
bool is_well_formed(const BallDD& x) {
  if (!(x.r >= 0) || std::isnan(x.tail)) return false;
  if (x.is_open()) return x.head == 0 && x.tail == 0;
  if (!std::isfinite(x.head)) return x.tail == 0 && x.r == 0;
  return x.head + x.tail == x.head;
}

// ---- operands ----

const std::vector<double> kSpecials = {
    0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -3.0, 1.5, -2.5, 0x1p-149, 0x1p-1074, -0x1p-1022, 0x1.fffffep127,
    0x1.fffffffffffffp1023, -0x1.fffffffffffffp1023, 1.0 + 0x1p-52, -1.0 + 0x1p-53, 0x1p-60, 1e300, -1e-300, 0x1p-950, 0x1p-899,
    -0x1p-901, 700.5, -745.25, kInfinite, -kInfinite, __builtin_nan("")};

class Operands {
 public:
  explicit Operands(uint64_t seed) : random_(seed) {}
  uint64_t below(uint64_t limit) { return random_() % limit; }
  // A double of a few or of all digits, within 2^±span.
  double number(int span) {
    uint64_t digits = random_() >> 11;
    if (below(3) == 0) digits &= ~((uint64_t{1} << (53 - 1 - below(20))) - 1) >> 1;
    const double size = std::ldexp(static_cast<double>(digits), static_cast<int>(below(2 * static_cast<uint64_t>(span) + 1)) - span - 52);
    return below(2) == 0 ? size : -size;
  }
  BallDD ball(int span) {
    const uint64_t kind = below(16);
    if (kind == 0) return kSpecials[below(kSpecials.size())];
    if (kind == 1) return ball_dd::vanished(below(2) == 0);
    double head = kind == 2 ? kSpecials[below(kSpecials.size())] : number(span);
    if (!std::isfinite(head)) return head;
    if (kind < 7) return head;
    // A tail just below the head's last digit, far below it, or half a digit exactly.
    const double ulp = std::ldexp(1.0, std::ilogb(head == 0 ? 1.0 : head) - 52);
    double tail = head == 0 || below(4) == 0 ? 0 : number(0) * ulp * 0.25;
    if (below(8) == 0) tail = std::ldexp(tail, -static_cast<int>(below(900)));
    const DoubleDouble pair = two_sum(head, tail);
    if (!std::isfinite(pair.head)) return head;
    if (below(3) == 0) return {pair, 0};
    double r = std::ldexp(std::fabs(number(0)) * ulp, -static_cast<int>(below(60)));
    if (below(6) == 0) r = std::fabs(head) * std::fabs(number(1));
    if (below(12) == 0) r = std::fabs(number(span));
    return {pair, std::isfinite(r) ? r : 0};
  }
  double share() {
    const uint64_t kind = below(4);
    return kind == 0 ? 1 : kind == 1 ? -1 : number(0) * 0.5;
  }

 private:
  std::mt19937_64 random_;
};

template <class Real>
void apply(Reading reading, const std::vector<std::vector<Real>>& in, Real* out) {
  std::vector<const void*> data;
  std::vector<size_t> counts;
  bool shared[2] = {};
  for (const auto& line : in) {
    data.push_back(line.data());
    counts.push_back(line.size());
  }
  void* results[] = {out};
  const size_t one = 1;
  reading({data.data(), counts.data(), shared, results, &one, Options{nullptr}, 1});
}

// Returns how many of `rounds` applications were decided.
size_t fuzz(const Formula& formula, size_t count, size_t rounds, int span, long bits, uint64_t seed) {
  Operands operands(seed);
  size_t closed = 0;
  for (size_t round = 0; round < rounds; ++round) {
    std::vector<std::vector<BallDD>> balls(formula.inputs);
    for (auto& line : balls) {
      for (size_t i = 0; i < count; ++i) line.push_back(operands.ball(span));
    }
    // Cancelling: the last term is nearly the first one's opposite.
    if (count > 2 && operands.below(2) == 0) balls[0][count - 1] = -balls[0][0];
    BallDD y;
    apply(formula.ball_dd, balls, &y);
    CAPTURE(std::string(formula.name));
    CAPTURE(balls[0][0].head);
    CAPTURE(balls[0][0].tail);
    CAPTURE(balls[0][0].r);
    CAPTURE(balls.back()[0].head);
    CAPTURE(balls.back()[0].tail);
    CAPTURE(balls.back()[0].r);
    CAPTURE(y.head);
    CAPTURE(y.tail);
    CAPTURE(y.r);
    CHECK(is_well_formed(y));
    if (y.is_open()) continue;
    ++closed;
    const PrecisionScope scope(bits);
    std::vector<std::vector<Interval>> points(formula.inputs);
    for (size_t k = 0; k < balls.size(); ++k) {
      for (const BallDD& x : balls[k]) points[k].push_back(member(x, operands.share()));
    }
    Interval truth;
    apply(formula.interval, points, &truth);
    CHECK(holds(y, truth));
  }
  return closed;
}

bool is_cheap(std::string_view name) {
  for (const std::string_view cheap : {"Absolute", "Negated", "Root", "Floor", "Ceiling", "Truncated", "NearestEven", "Plus", "Minus",
                                       "Times", "Over", "Remainder", "Smaller", "Larger", "Chained", "Scaled"}) {
    if (name == cheap) return true;
  }
  return false;
}

TEST_CASE("every primitive of BallDD holds the images of what its operands hold") {
  size_t seed = 100;
  for (const Primitive& primitive : primitives()) {
    const bool cheap = is_cheap(primitive.name);
    size_t closed = 0, rounds = 0;
    for (const int span : {4, 40, 1000}) {
      const size_t some = cheap ? 4000 : 250;
      // Exact results of the widest operands need all of the bits.
      closed += fuzz(*primitive.formula, 1, some, span, cheap ? 8400 : 400, ++seed);
      rounds += some;
    }
    CHECK_MESSAGE(closed * 6 > rounds, primitive.name << ": " << closed << " of " << rounds << " closed");
  }
}

TEST_CASE("sums and dots of BallDD hold the images of what their operands hold") {
  for (const int span : {4, 40, 1000}) {
    CHECK(fuzz(sum_formula(), 5, 3000, span, 8400, 7 + static_cast<uint64_t>(span)) > 300);
    CHECK(fuzz(dot_formula(), 4, 3000, span, 8400, 9 + static_cast<uint64_t>(span)) > 300);
  }
}

TEST_CASE("a radius that vanishes leaves no exact result") {
  CHECK((BallDD(1.0) / BallDD(0x1p600, 0, 0x1p60)).r > 0);  // 2^-1140
  CHECK((BallDD(0x1p-600) * BallDD(1, 0, 0x1p-600)).r > 0);
  const BallDD a[] = {0x1p-600}, b[] = {BallDD(1, 0, 0x1p-600)};
  CHECK(dot(In<BallDD>{a, 1}, In<BallDD>{b, 1}).r > 0);
  CHECK(sqrt(BallDD(0x1p800, 0, 0x1p-700)).r > 0);
  CHECK((BallDD(1.0) / BallDD(0x1p600)).r == 0);
}

// ---- the double-double functions ----

using Mpfr = int (*)(mpfr_t, const mpfr_t, mpfr_rnd_t);

// |y / f(x) - 1| as a double.
double relative_error(DoubleDouble y, long exponent, Mpfr function, DoubleDouble x) {
  mpfr_t argument, value;
  mpfr_init2(argument, 2200);
  mpfr_init2(value, 300);
  mpfr_set_d(argument, x.head, MPFR_RNDN);
  mpfr_add_d(argument, argument, x.tail, MPFR_RNDN);
  function(value, argument, MPFR_RNDN);
  mpfr_set_prec(argument, 300);
  mpfr_set_d(argument, y.head, MPFR_RNDN);
  mpfr_add_d(argument, argument, y.tail, MPFR_RNDN);
  mpfr_mul_2si(argument, argument, exponent, MPFR_RNDN);
  mpfr_div(argument, argument, value, MPFR_RNDN);
  mpfr_sub_ui(argument, argument, 1, MPFR_RNDN);
  const double error = std::fabs(mpfr_get_d(argument, MPFR_RNDN));
  mpfr_clears(argument, value, static_cast<mpfr_ptr>(nullptr));
  return error;
}

DoubleDouble with_tail(Operands& operands, double head) {
  return two_sum(head, head * 0x1p-54 * operands.number(0));
}

TEST_CASE("double-double exponentials are within their bounds") {
  Operands operands(3);
  double exp_error = 0, expm1_error = 0;
  for (int i = 0; i < 20000; ++i) {
    double head = operands.number(i % 2 == 0 ? 9 : 200);
    if (i % 5 == 0) head = static_cast<double>(operands.below(400000)) * 0x1.62e42fefa39efp-9 - 500;  // near half a table step
    if (std::fabs(head) > kMostExponent) head = std::remainder(head, kMostExponent);
    if (std::fabs(head) < 0x1p-900) head = 0x1p-900;
    const DoubleDouble x = with_tail(operands, head);
    const Scaled e = exp_scaled(x);
    exp_error = std::max(exp_error, relative_error(e.value, e.exponent, mpfr_exp, x));
    if (std::fabs(head) <= 600) expm1_error = std::max(expm1_error, relative_error(expm1_dd(x), 0, mpfr_expm1, x));
  }
  CHECK(exp_error < kExpError);
  CHECK(exp_error > kExpError * 0x1p-12);  // or the check checks nothing
  CHECK(expm1_error < kExpm1Error);
}

TEST_CASE("double-double logarithms are within their bounds") {
  Operands operands(5);
  double log_error = 0, log1p_error = 0;
  size_t missing = 0;
  for (int i = 0; i < 20000; ++i) {
    const double wide = std::fabs(operands.number(880));
    const double near = 1 + std::ldexp(operands.number(0), -static_cast<int>(operands.below(52)));
    const DoubleDouble x = with_tail(operands, i % 2 == 0 && wide > 0 ? wide : near > 0 ? near : 1.5);
    if (x.head != 1) {
      const auto y = log_dd(x);
      if (y) log_error = std::max(log_error, relative_error(*y, 0, mpfr_log, x));
      missing += y ? 0 : 1;
    }
    const double small = operands.number(i % 3 == 0 ? 880 : 2);
    const DoubleDouble z = with_tail(operands, small <= -1 ? -1 / small : small);
    if (z.head > -1 && z.head != 0) {
      const auto y = log1p_dd(z);
      if (y) log1p_error = std::max(log1p_error, relative_error(*y, 0, mpfr_log1p, z));
      missing += y ? 0 : 1;
    }
  }
  CHECK(log_error < kLogError);
  CHECK(log1p_error < kLogError);
  CHECK(missing == 0);
}

TEST_CASE("the double-double error function is within its bound") {
  Operands operands(6);
  double error = 0;
  for (int i = 0; i < 6000; ++i) {
    const double head = i % 4 == 0 ? operands.number(200) : 3 * std::remainder(operands.number(3), 2);
    if (std::fabs(head) < 0x1p-400 || std::fabs(head) > kErfReach * (1 - 0x1p-50)) continue;
    const DoubleDouble x = with_tail(operands, head);
    error = std::max(error, relative_error(erf_dd(x), 0, mpfr_erf, x));
  }
  CHECK(error < kErfError);
  CHECK(error > kErfError * 0x1p-16);
}

}  // namespace
}  // namespace onnxv
