#include "src/number/exp_dd.h"

#include <mpfr.h>

#include <array>

namespace onnxv {
namespace {

constexpr int kParts = 256;
constexpr double kPartsPerUnit = 0x1.71547652b82fep+8;  // 256 / ln 2

// 2^(j/256), and ln(2)/256 in three parts: the first two of 34 bits, so that an integer below 2^19 times them is exact.
struct Table {
  std::array<DoubleDouble, kParts> power;
  double step[3];
  Table();
};

DoubleDouble nearest_pair(mpfr_t x) {
  DoubleDouble pair;
  pair.head = mpfr_get_d(x, MPFR_RNDN);
  mpfr_sub_d(x, x, pair.head, MPFR_RNDN);
  pair.tail = mpfr_get_d(x, MPFR_RNDN);
  return pair;
}

Table::Table() {
  mpfr_t x, part;
  mpfr_init2(x, 200);
  mpfr_init2(part, 34);
  for (int j = 0; j < kParts; ++j) {
    mpfr_set_si_2exp(x, j, -8, MPFR_RNDN);
    mpfr_exp2(x, x, MPFR_RNDN);
    power[static_cast<size_t>(j)] = nearest_pair(x);
  }
  mpfr_const_log2(x, MPFR_RNDN);
  mpfr_div_2ui(x, x, 8, MPFR_RNDN);
  for (int k = 0; k < 2; ++k) {
    mpfr_set(part, x, MPFR_RNDZ);
    step[k] = mpfr_get_d(part, MPFR_RNDZ);
    mpfr_sub(x, x, part, MPFR_RNDN);
  }
  step[2] = mpfr_get_d(x, MPFR_RNDN);
  mpfr_clears(x, part, static_cast<mpfr_ptr>(nullptr));
}

const Table& table() {
  static const Table kept;
  return kept;
}

// x = count · ln(2)/256 + rest, |rest| < 0.00137 < 2^-9.5, and e^rest - 1.
struct Reduced {
  int count;
  DoubleDouble rest_expm1;
};

// The rest is exact for count = 0, else within 2^-105: count < 2^19, so the two products by 34 bits are exact, the third is off by
// 2^19 · 2^-8.5 · 2^-68 · 2u = 2^-109.5 and each of the two additions of the small parts (together below 2^-53) by 2^-106. For
// count = 0 the sums add zeros only.
// The polynomial, relative to e^rest - 1: Taylor's remainder from rest^10/10! on is below 2^-107; the double that begins at 1/120 is
// off by 4 u, which rest^4/120 makes 2^-96; its product by rest 2^-97; the four products and sums of double-doubles below 30 u² · 2^-9 and
// the last sum 4 u². Together below 2^-95, and the absolute error, of e^rest, below 2^-95 · 2^-9.5 + 2^-105 < 2^-103.
Reduced reduced(DoubleDouble x) {
  const Table& kept = table();
  const double count = std::nearbyint(x.head * kPartsPerUnit);
  const DoubleDouble first = two_sum(x.head, -count * kept.step[0]);
  const DoubleDouble second = two_sum(first.head, -count * kept.step[1]);
  const DoubleDouble third = two_sum(second.head, x.tail);
  const double small = (first.tail + second.tail) + (third.tail - count * kept.step[2]);
  const DoubleDouble rest = two_sum(third.head, small);
  const double t = rest.head;
  const double higher = 1.0 / 120 + t * (1.0 / 720 + t * (1.0 / 5040 + t * (1.0 / 40320 + t * (1.0 / 362880))));
  constexpr DoubleDouble kSixth{1.0 / 6, 0x1.5555555555555p-57}, kTwentyFourth{1.0 / 24, 0x1.5555555555555p-59}, kHalf{0.5, 0};
  const DoubleDouble fourth = kTwentyFourth + DoubleDouble{t * higher, 0};
  const DoubleDouble sum = kHalf + rest * (kSixth + rest * fourth);
  return {static_cast<int>(count), rest + rest * (rest * sum)};
}

// The table's entry is within 2^-106, the product by a number below 2^-9.5 and the sum within 5 u² · 2^-9.5 + 4 u² = 2^-103.9: with the
// absolute error of e^rest below 2^-102.
Scaled exp_of(const Reduced& r) {
  const DoubleDouble power = table().power[static_cast<size_t>(r.count & (kParts - 1))];
  return {power + power * r.rest_expm1, r.count >> 8};
}

}  // namespace

Scaled exp_scaled(DoubleDouble x) { return exp_of(reduced(x)); }

// With count = 0 the polynomial's relative error, 2^-95. Else |x| > 0.00135, and subtracting 1 magnifies that of e^x by
// e^x / |e^x - 1| < 2^9.7, to below 2^-90.
DoubleDouble expm1_dd(DoubleDouble x) {
  const Reduced r = reduced(x);
  if (r.count == 0) return r.rest_expm1;
  return exp_of(r).unscaled() + DoubleDouble{-1, 0};
}

namespace {

// ln(1 + z) = z - z²/2 + …
double small_log1p(double z) { return z - 0.5 * z * z; }

// One step of Newton's from libm's double y: ln x = y + ln(x e^-y). Any y serves that makes x e^-y - 1 small, which is seen.
// x e^-y - 1 is within 2^-99, its head and the two terms of the series within 2^-40 · 3 u and 2^-120: below 2^-90 |ln x|, which is 0.69
// or more.
std::optional<DoubleDouble> log_far_from_one(DoubleDouble x) {
  const double y = std::log(x.head);
  int exponent;
  std::frexp(x.head, &exponent);
  const DoubleDouble m{std::ldexp(x.head, -exponent), std::ldexp(x.tail, -exponent)};
  const Scaled e = exp_scaled({-y, 0});
  DoubleDouble ratio = m * e.value;
  const int scale = exponent + e.exponent;
  if (scale < -2 || scale > 2) return std::nullopt;
  ratio = {std::ldexp(ratio.head, scale), std::ldexp(ratio.tail, scale)};
  const double z = (ratio + DoubleDouble{-1, 0}).head;
  if (!(std::fabs(z) <= 0x1p-40)) return std::nullopt;
  return two_sum(y, small_log1p(z));
}

// The same from ln(1 + x) = y + ln(1 + (x - E)/(1 + E)), E = e^y - 1, for -1/2 <= x <= 1: the error of E, 2^-90 relative, is one of
// E/(1 + E), at most 1.45 |ln(1 + x)|; z's own three roundings and the rest of the series are below 2^-45 · 3 u |y|.
std::optional<DoubleDouble> log1p_near_zero(DoubleDouble x) {
  const double y = std::log1p(x.head);
  const DoubleDouble e = expm1_dd({y, 0});
  const double z = (x - e).head / (1 + e.head);
  if (!(std::fabs(z) <= 0x1p-45 * std::fabs(y))) return std::nullopt;
  return two_sum(y, small_log1p(z));
}

}  // namespace

std::optional<DoubleDouble> log1p_dd(DoubleDouble x) {
  if (x.head > -0.5 && x.head < 1) return log1p_near_zero(x);
  return log_far_from_one(DoubleDouble{1, 0} + x);  // the sum's 4 u² are as many of |ln| >= 0.69
}

std::optional<DoubleDouble> log_dd(DoubleDouble x) {
  if (x.head > 0.5 && x.head < 2) return log1p_near_zero(two_sum(x.head - 1, x.tail));  // x.head - 1 is exact
  return log_far_from_one(x);
}

}  // namespace onnxv
