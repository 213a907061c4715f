// Every primitive on all singles and pairs of special values, read by lanes, by BallDD, by the proof and by the whole ladder, against
// one MPFR call in the target's own precision and exponent range.
#include <doctest/doctest.h>
#include <mpfr.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "src/number/ladder.h"
#include "src/number/testing/lanes_in_use.h"
#include "src/number/testing/primitives.h"
#include "src/number/testing/rows.h"

namespace onnxv {
namespace {

constexpr double kInfinity = __builtin_inf();

// Zeros, ones, halves, ties, subnormals, extremes of float32 and float64, infinities, NaN.
const std::vector<double> kSpecials = {
    0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.0, 1.5, -2.5, 0x1p-149, -0x1p-149, 0x1p-1074, -0x1p-1074, 0x1p-1022,
    0x1.fffffep127, -0x1.fffffep127, 0x1.fffffffffffffp1023, -0x1.fffffffffffffp1023, 1.0 + 0x1p-52, 1.0 - 0x1p-53,
    -1.0 + 0x1p-53, 0x1p-60, -0x1p-60, 1e300, -1e-300, 700.5, -745.25, 88.75, kInfinity, -kInfinity, __builtin_nan("")};

// ---- the answers: MPFR rounds correctly, subnormals included ----

struct Range {
  mpfr_prec_t bits;
  mpfr_exp_t emin, emax;
};
constexpr Range kDouble{53, -1073, 1024}, kSingle{24, -148, 128};

using One = int (*)(mpfr_t, const mpfr_t, mpfr_rnd_t);
using Two = int (*)(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);

// MPFR's own recipe: the result in the widest exponent range, then cut to the range without rounding twice.
template <class Function>
double rounded_once(Range range, Function function) {
  mpfr_t result;
  mpfr_init2(result, range.bits);
  int ternary = function(result);
  const mpfr_exp_t emin = mpfr_get_emin(), emax = mpfr_get_emax();
  mpfr_set_emin(range.emin);
  mpfr_set_emax(range.emax);
  ternary = mpfr_check_range(result, ternary, MPFR_RNDN);
  mpfr_subnormalize(result, ternary, MPFR_RNDN);
  const double value = mpfr_get_d(result, MPFR_RNDN);
  mpfr_set_emin(emin);
  mpfr_set_emax(emax);
  mpfr_clear(result);
  return value;
}

int floored(mpfr_t y, const mpfr_t x, mpfr_rnd_t) { return mpfr_rint(y, x, MPFR_RNDD); }
int ceiled(mpfr_t y, const mpfr_t x, mpfr_rnd_t) { return mpfr_rint(y, x, MPFR_RNDU); }
int truncated(mpfr_t y, const mpfr_t x, mpfr_rnd_t) { return mpfr_rint(y, x, MPFR_RNDZ); }
int nearest(mpfr_t y, const mpfr_t x, mpfr_rnd_t) { return mpfr_roundeven(y, x); }

// x + y - y and x * y / y: exactly x, but for zeros and for what is not finite, where IEEE's steps decide.
int chained(mpfr_t z, const mpfr_t x, const mpfr_t y, mpfr_rnd_t rounding) {
  mpfr_t step;
  mpfr_init2(step, 2300);
  mpfr_add(step, x, y, rounding);
  const int ternary = mpfr_sub(z, step, y, rounding);
  mpfr_clear(step);
  return ternary;
}
int scaled(mpfr_t z, const mpfr_t x, const mpfr_t y, mpfr_rnd_t rounding) {
  mpfr_t step;
  mpfr_init2(step, 200);
  mpfr_mul(step, x, y, rounding);
  const int ternary = mpfr_div(z, step, y, rounding);
  mpfr_clear(step);
  return ternary;
}
int smaller(mpfr_t z, const mpfr_t x, const mpfr_t y, mpfr_rnd_t rounding) {
  return mpfr_set(z, mpfr_less_p(x, y) != 0 ? x : y, rounding);
}
int larger(mpfr_t z, const mpfr_t x, const mpfr_t y, mpfr_rnd_t rounding) {
  return mpfr_set(z, mpfr_greater_p(x, y) != 0 ? x : y, rounding);
}

const std::map<std::string_view, One> kOnes = {
    {"Absolute", mpfr_abs}, {"Negated", mpfr_neg}, {"Root", mpfr_sqrt}, {"Exponential", mpfr_exp},
    {"LessOne", mpfr_expm1}, {"Logarithm", mpfr_log}, {"LogOnePlus", mpfr_log1p}, {"Sine", mpfr_sin},
    {"Cosine", mpfr_cos}, {"Tangent", mpfr_tan}, {"ArcSine", mpfr_asin}, {"ArcCosine", mpfr_acos},
    {"ArcTangent", mpfr_atan}, {"HyperbolicSine", mpfr_sinh}, {"HyperbolicCosine", mpfr_cosh},
    {"HyperbolicTangent", mpfr_tanh}, {"AreaSine", mpfr_asinh}, {"AreaCosine", mpfr_acosh},
    {"AreaTangent", mpfr_atanh}, {"ErrorFunction", mpfr_erf}, {"Complement", mpfr_erfc}, {"Floor", floored},
    {"Ceiling", ceiled}, {"Truncated", truncated}, {"NearestEven", nearest}};
const std::map<std::string_view, Two> kTwos = {
    {"Plus", mpfr_add}, {"Minus", mpfr_sub}, {"Times", mpfr_mul}, {"Over", mpfr_div}, {"Power", mpfr_pow},
    {"Remainder", mpfr_fmod}, {"Smaller", smaller}, {"Larger", larger}, {"Chained", chained}, {"Scaled", scaled}};

double answer(const Primitive& primitive, Range range, double a, double b) {
  mpfr_t x, y;
  mpfr_inits2(53, x, y, static_cast<mpfr_ptr>(nullptr));
  mpfr_set_d(x, a, MPFR_RNDN);
  mpfr_set_d(y, b, MPFR_RNDN);
  const double value = rounded_once(range, [&](mpfr_t z) {
    return primitive.arity == 1 ? kOnes.at(primitive.name)(z, x, MPFR_RNDN)
                                : kTwos.at(primitive.name)(z, x, y, MPFR_RNDN);
  });
  mpfr_clears(x, y, static_cast<mpfr_ptr>(nullptr));
  return value;
}

// ---- the readings ----

bool same(double a, double b) { return (a != a && b != b) || std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b); }

struct Operands {
  std::vector<double> x, y;
  size_t size() const { return x.size(); }
};
Operands all_operands(size_t arity) {
  Operands all;
  for (const double a : kSpecials) {
    for (const double b : arity == 1 ? std::vector<double>{0.0} : kSpecials) {
      all.x.push_back(a);
      all.y.push_back(b);
    }
  }
  return all;
}

// Through the ladder; `rigorous` leaves out the lanes. Values beyond what the target decides are its own affair.
std::vector<double> climbed(const Primitive& primitive, const Format& format, const Operands& all, bool rigorous) {
  const Rows x(all.x), y(all.y);
  Codes out(format, all.size());
  LadderCall call{primitive.formula, all.size(), {&x}, {&out}, {}};
  if (primitive.arity == 2) call.inputs.push_back(&y);
  set_rigorous(rigorous);
  const uint64_t unproved = climb(call);
  set_rigorous(false);
  CHECK_MESSAGE(unproved == 0, primitive.name);
  std::vector<double> values(all.size());
  for (size_t i = 0; i < values.size(); ++i) values[i] = out[i];
  return values;
}

// Lanes alone: only what they decide counts.
std::vector<double> lanes(const Primitive& primitive, const Format& format, const Operands& all,
                          std::vector<uint8_t>* open) {
  const Target target = Target::of(format);
  std::vector<uint8_t> codes(all.size() * target.width());
  open->assign(all.size(), 0);
  std::vector<double> x = all.x, y = all.y;
  x.resize(x.size() + 8);  // whole registers are read
  y.resize(y.size() + 8);
  std::vector<LaneBlock::Input> inputs = {{x.data(), nullptr, 1, false}};
  if (primitive.arity == 2) inputs.push_back({y.data(), nullptr, 1, false});
  const LaneBlock::Output output{target, 1, codes.data()};
  lanes_in_use()(LaneBlock{primitive.formula, all.size(), inputs, {&output, 1}, Options{nullptr}, open->data()});
  std::vector<double> values(all.size());
  for (size_t i = 0; i < values.size(); ++i) {
    uint64_t code = 0;
    std::memcpy(&code, codes.data() + i * target.width(), target.width());
    values[i] = decode(format, code);
  }
  return values;
}

// BallDD alone, likewise.
std::vector<double> double_doubles(const Primitive& primitive, const Format& format, const Operands& all, std::vector<uint8_t>* open) {
  const std::vector<BallDD> x(all.x.begin(), all.x.end()), y(all.y.begin(), all.y.end());
  std::vector<BallDD> z(all.size());
  const void* in[] = {x.data(), y.data()};
  void* out[] = {z.data()};
  const bool shared[] = {false, false};
  primitive.formula->ball_dd({in, nullptr, shared, out, nullptr, Options{nullptr}, all.size()});
  std::vector<double> values(all.size());
  open->assign(all.size(), 0);
  for (size_t i = 0; i < values.size(); ++i) {
    uint64_t code = 0;
    if (!settle(Target::of(format), z[i], &code)) (*open)[i] = 1;
    values[i] = decode(format, code);
  }
  return values;
}

struct OpenElements {
  size_t lanes = 0, double_doubles = 0;
};
OpenElements torture(const Primitive& primitive, const Format& format, Range range) {
  const Operands all = all_operands(primitive.arity);
  std::vector<uint8_t> open, open_dd;
  const std::vector<double> fast = lanes(primitive, format, all, &open);
  const std::vector<double> longer = double_doubles(primitive, format, all, &open_dd);
  const std::vector<double> proof = climbed(primitive, format, all, true);
  const std::vector<double> ladder = climbed(primitive, format, all, false);
  for (size_t i = 0; i < all.size(); ++i) {
    CAPTURE(primitive.name);
    CAPTURE(all.x[i]);
    CAPTURE(all.y[i]);
    const double expected = answer(primitive, range, all.x[i], all.y[i]);
    if (open[i] == 0) CHECK_MESSAGE(same(fast[i], expected), "lanes: " << fast[i] << ", not " << expected);
    if (open_dd[i] == 0) CHECK_MESSAGE(same(longer[i], expected), "BallDD: " << longer[i] << ", not " << expected);
    CHECK_MESSAGE(same(proof[i], expected), "proof: " << proof[i] << ", not " << expected);
    CHECK_MESSAGE(same(ladder[i], expected), "ladder: " << ladder[i] << ", not " << expected);
  }
  return {static_cast<size_t>(std::count(open.begin(), open.end(), 1)), static_cast<size_t>(std::count(open_dd.begin(), open_dd.end(), 1))};
}

TEST_CASE("every primitive on all pairs of special values, rounded to float64") {
  size_t open = 0, all = 0;
  for (const Primitive& primitive : primitives()) {
    open += torture(primitive, kFloat64, kDouble).double_doubles;
    all += all_operands(primitive.arity).size();
  }
  MESSAGE(open << " of " << all << " open in BallDD");
  CHECK(open < all / 5);
}

TEST_CASE("every primitive on all pairs of special values, rounded to float32") {
  size_t open = 0, open_dd = 0, all = 0;
  for (const Primitive& primitive : primitives()) {
    const OpenElements some = torture(primitive, kFloat32, kSingle);
    open += some.lanes;
    open_dd += some.double_doubles;
    all += all_operands(primitive.arity).size();
  }
  MESSAGE(open << " of " << all << " open in lanes on " << std::string_view(instruction_set()) << ", " << open_dd << " in BallDD");
  CHECK(open_dd < all / 20);
  CHECK(open < all / 5);  // lanes that decide nothing would pass every check above
}

// A number of 24 bits, and a radius that leaves both ends exact: 0, or 2^-22 to 2^-50 of it.
double draw_ball(std::mt19937_64& random, double* radius) {
  const double m = std::ldexp(static_cast<double>(static_cast<int32_t>(random()) >> 8), static_cast<int>(random() % 12) - 30);
  const int bits = 22 + static_cast<int>(random() % 28);
  *radius = random() % 3 == 0 || m == 0 ? 0 : std::ldexp(1.0, std::ilogb(m) - bits);
  return m;
}

TEST_CASE("balls with radii: what lanes decide is so at every corner") {
  constexpr size_t kBalls = 1500;
  size_t decided = 0, all = 0;
  for (const Primitive& primitive : primitives()) {
    std::mt19937_64 random(17);
    std::vector<double> m[2], r[2];
    for (size_t k = 0; k < primitive.arity; ++k) {
      m[k].resize(kBalls + 8);
      r[k].resize(kBalls + 8);
      for (size_t i = 0; i < kBalls; ++i) m[k][i] = draw_ball(random, &r[k][i]);
    }
    std::vector<LaneBlock::Input> inputs;
    for (size_t k = 0; k < primitive.arity; ++k) inputs.push_back({m[k].data(), r[k].data(), 1, false});
    std::vector<uint32_t> codes(kBalls);
    std::vector<uint8_t> open(kBalls, 0);
    const LaneBlock::Output output{Target::of(kFloat32), 1, codes.data()};
    lanes_in_use()(LaneBlock{primitive.formula, kBalls, inputs, {&output, 1}, Options{nullptr}, open.data()});
    for (size_t i = 0; i < kBalls; ++i) {
      ++all;
      if (open[i] != 0) continue;
      ++decided;
      const double code = decode(kFloat32, codes[i]);
      for (int corner = 0; corner < (primitive.arity == 1 ? 2 : 4); ++corner) {
        const double x = corner % 2 == 0 ? m[0][i] - r[0][i] : m[0][i] + r[0][i];
        const double y = primitive.arity == 1 ? 0 : corner / 2 == 0 ? m[1][i] - r[1][i] : m[1][i] + r[1][i];
        const double expected = answer(primitive, kSingle, x, y);
        if (!same(code, expected)) {
          FAIL_CHECK(primitive.name << " of " << x << ", " << y << ": " << code << ", not " << expected);
          break;
        }
      }
    }
  }
  MESSAGE(decided << " of " << all << " decided");
  CHECK(decided > all / 2);
}

// ---- sums and dots ----

// mpfr_sum and mpfr_dot round exact sums once; here they are the answer, in the ladder only Interval's ends.
double exact_sum(Range range, const double* terms, size_t count) {
  std::vector<mpfr_t> values(count);
  std::vector<mpfr_ptr> pointers;
  for (size_t i = 0; i < count; ++i) {
    mpfr_init2(values[i], 106);
    mpfr_set_d(values[i], terms[i], MPFR_RNDN);
    pointers.push_back(values[i]);
  }
  const double sum = rounded_once(range, [&](mpfr_t z) { return mpfr_sum(z, pointers.data(), count, MPFR_RNDN); });
  for (mpfr_t& value : values) mpfr_clear(value);
  return sum;
}

TEST_CASE("sums of special and of ill-conditioned terms") {
  constexpr size_t kTerms = 5, kLines = 4000;
  std::mt19937_64 random(7);
  std::vector<double> terms(kTerms * kLines);
  for (size_t line = 0; line < kLines; ++line) {
    double* row = terms.data() + line * kTerms;
    for (size_t k = 0; k < kTerms; ++k) {
      const uint64_t draw = random();
      const double wide = std::ldexp(static_cast<double>(static_cast<int64_t>(draw) >> 11), static_cast<int>(draw % 90) - 70);
      row[k] = draw % 8 == 0 ? kSpecials[draw / 8 % kSpecials.size()] : wide;
    }
    if (line % 3 == 0) row[4] = -row[0];  // cancels
  }
  const Rows x(terms, kTerms);
  for (const auto& [format, range] : {std::pair{&kFloat64, kDouble}, std::pair{&kFloat32, kSingle}}) {
    for (const bool rigorous : {false, true}) {
      Codes out(*format, kLines);
      set_rigorous(rigorous);
      const uint64_t unproved = climb({&sum_formula(), kLines, {&x}, {&out}, {}});
      set_rigorous(false);
      CHECK(unproved == 0);
      for (size_t line = 0; line < kLines; ++line) {
        CAPTURE(line);
        CAPTURE(rigorous);
        CHECK(same(out[line], exact_sum(range, terms.data() + line * kTerms, kTerms)));
      }
    }
  }
}

TEST_CASE("dots of float32 factors, cancelling") {
  constexpr size_t kTerms = 4, kLines = 3000;
  std::mt19937_64 random(11);
  std::vector<double> a(kTerms * kLines), b(kTerms * kLines), products;
  for (size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<float>(std::ldexp(static_cast<double>(random() >> 40), static_cast<int>(random() % 60) - 50));
    b[i] = static_cast<float>(std::ldexp(-static_cast<double>(random() >> 40), static_cast<int>(random() % 60) - 50));
  }
  for (size_t line = 0; line < kLines; line += 2) {  // a·b - a·b + rest
    a[line * kTerms + 1] = -a[line * kTerms];
    b[line * kTerms + 1] = b[line * kTerms];
  }
  for (size_t i = 0; i < a.size(); ++i) products.push_back(a[i] * b[i]);  // exact: 24 bits times 24 bits
  const Rows x(a, kTerms), w(b, kTerms);
  for (const auto& [format, range] : {std::pair{&kFloat64, kDouble}, std::pair{&kFloat32, kSingle}}) {
    Codes out(*format, kLines);
    CHECK(climb({&dot_formula(), kLines, {&x, &w}, {&out}, {}}) == 0);
    for (size_t line = 0; line < kLines; ++line) {
      CAPTURE(line);
      CHECK(same(out[line], exact_sum(range, products.data() + line * kTerms, kTerms)));
    }
  }
}

}  // namespace
}  // namespace onnxv
