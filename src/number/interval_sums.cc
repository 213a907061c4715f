// Steps, sums and roundings of intervals.
#include "src/number/interval.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "src/number/interval_ends.h"
#include "src/number/ladder.h"

namespace onnxv {

// ---- steps ----

namespace {

Interval stepped(const Interval& x, int (*step)(mpfr_t, const mpfr_t)) {
  if (x.is_open() || x.is_nan_point()) return x;
  Interval y;
  step(y.low(), x.low());
  step(y.high(), x.high());
  return y;
}

}  // namespace

Interval floor(const Interval& x) { return stepped(x, [](mpfr_t y, const mpfr_t v) { return mpfr_floor(y, v); }); }
Interval ceil(const Interval& x) { return stepped(x, [](mpfr_t y, const mpfr_t v) { return mpfr_ceil(y, v); }); }
Interval trunc(const Interval& x) { return stepped(x, [](mpfr_t y, const mpfr_t v) { return mpfr_trunc(y, v); }); }
Interval nearest_even(const Interval& x) {
  return stepped(x, [](mpfr_t y, const mpfr_t v) { return mpfr_rint(y, v, MPFR_RNDN); });
}

Interval fmod(const Interval& x, const Interval& y) {
  if (x.is_nan_point() || y.is_nan_point()) return Interval::nan();
  if (!x.is_point() || !y.is_point()) return Interval::open();
  Interval z;
  // Exact: the remainder has no more digits than the shorter-grained operand.
  mpfr_set_prec(z.low(), std::max(mpfr_get_prec(x.low()), mpfr_get_prec(y.low())));
  mpfr_set_prec(z.high(), mpfr_get_prec(z.low()));
  mpfr_fmod(z.low(), x.low(), y.low(), MPFR_RNDD);
  mpfr_fmod(z.high(), x.low(), y.low(), MPFR_RNDU);
  return z;
}

// ---- sums ----

namespace {

// One end of a sum: exact, rounded in `direction`.
void sum_end(mpfr_t y, const std::vector<mpfr_srcptr>& terms, mpfr_rnd_t direction) {
  std::vector<mpfr_ptr> pointers(terms.size());
  for (size_t i = 0; i < terms.size(); ++i) pointers[i] = const_cast<mpfr_ptr>(terms[i]);
  mpfr_sum(y, pointers.data(), pointers.size(), direction);
  if (mpfr_zero_p(y) != 0) {
    const bool all_minus = std::all_of(terms.begin(), terms.end(), [](mpfr_srcptr t) {
      return mpfr_zero_p(t) != 0 && mpfr_signbit(t) != 0;
    });
    mpfr_set_zero(y, all_minus ? -1 : 1);
  }
}

}  // namespace

namespace {

Interval sum_of_ends(In<Interval> terms) {
  std::vector<mpfr_srcptr> lows(terms.size()), highs(terms.size());
  for (size_t i = 0; i < terms.size(); ++i) {
    lows[i] = terms[i].low();
    highs[i] = terms[i].high();
  }
  Interval y;
  sum_end(y.low(), lows, MPFR_RNDD);
  sum_end(y.high(), highs, MPFR_RNDU);
  return y;
}

// What is no zero, the exact terms apart if they cancel: a sum of them and of others has no say in the sign of those.
std::vector<Interval> that_count(In<Interval> terms) {
  std::vector<Interval> points, others;
  for (const Interval& term : terms) {
    const bool zero = mpfr_zero_p(term.low()) != 0 && mpfr_zero_p(term.high()) != 0;
    if (!zero) (term.is_point() ? points : others).push_back(term);
  }
  const Interval total = sum_of_ends(In<Interval>{points.data(), points.size()});
  if (!total.is_zero_point()) others.insert(others.end(), points.begin(), points.end());
  return others;
}

// Finite terms, some of them beyond MPFR's range: in units of the greatest size, where the logarithms of all are known.
Interval sum_beyond_range(In<Interval> terms) {
  const std::vector<Interval> counting = that_count(terms);
  if (counting.empty()) return Interval(0.0);
  if (counting.size() == 1) return counting[0];
  const Interval plain = sum_of_ends(In<Interval>{counting.data(), counting.size()});
  if (plain.sign_known() && !is_beyond_range(plain)) return plain;
  std::vector<Interval> logs;
  for (const Interval& term : counting) logs.push_back(log_of_size(term));
  const Interval* greatest = &logs[0];
  for (const Interval& log : logs) {
    if (log.is_open()) return plain;
    if (mpfr_greater_p(log.high(), greatest->high()) != 0) greatest = &log;
  }
  if (mpfr_number_p(greatest->high()) == 0) return plain;
  Interval unit(0.0);
  mpfr_set_prec(unit.low(), mpfr_get_prec(greatest->high()));
  mpfr_set(unit.low(), greatest->high(), MPFR_RNDN);
  mpfr_set_prec(unit.high(), mpfr_get_prec(greatest->high()));
  mpfr_set(unit.high(), greatest->high(), MPFR_RNDN);
  std::vector<Interval> scaled;
  for (size_t i = 0; i < logs.size(); ++i) scaled.push_back(of_log_size(counting[i].negative(), logs[i] - unit));
  const In<Interval> units{scaled.data(), scaled.size()};
  // Where the greatest cancel exactly the rest has a greatest of its own.
  const bool fewer = that_count(units).size() < counting.size();
  const Interval ratio = fewer ? sum_beyond_range(units) : sum_of_ends(units);
  if (ratio.is_zero_point()) return ratio;
  return ratio.sign_known() ? of_log_size(ratio.negative(), log_of_size(ratio) + unit) : plain;
}

}  // namespace

Interval sum(In<Interval> terms) {
  if (terms.size() == 0) return Interval(0.0);
  bool nan = false, open = false, plus = false, minus = false, beyond = false;
  for (const Interval& term : terms) {
    nan = nan || term.is_nan_point();
    open = open || term.is_open();
    beyond = beyond || is_beyond_range(term);
    if (term.is_infinite_point()) (term.negative() ? minus : plus) = true;
  }
  if (nan) return Interval::nan();
  if (open) return Interval::open();
  if (plus && minus) return Interval::nan();
  if (plus || minus) {
    Interval y;
    set_point_infinity(y, minus);
    return y;
  }
  return beyond ? sum_beyond_range(terms) : sum_of_ends(terms);
}

Interval dot(In<Interval> a, In<Interval> b) {
  std::vector<Interval> products(a.size());
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i].is_point() && b[i].is_point() && !a[i].is_nan_point() && !b[i].is_nan_point() &&
        !a[i].is_infinite_point() && !b[i].is_infinite_point()) {
      // Exact product: as many bits as both factors have.
      Interval& product = products[i];
      const mpfr_prec_t bits = std::max<mpfr_prec_t>(mpfr_min_prec(a[i].low()) + mpfr_min_prec(b[i].low()), 2);
      mpfr_set_prec(product.low(), bits);
      mpfr_set_prec(product.high(), bits);
      mpfr_mul(product.low(), a[i].low(), b[i].low(), MPFR_RNDN);
      mpfr_set(product.high(), product.low(), MPFR_RNDN);
    } else {
      products[i] = a[i] * b[i];
    }
  }
  return sum(In<Interval>{products.data(), products.size()});
}

// Added one by one: exact as soon as the precision holds the sum, and linear in the length of the line.
void prefix_sums(In<Interval> terms, Out<Interval> sums) {
  for (size_t i = 0; i < terms.size(); ++i) sums[i] = i == 0 ? terms[0] : sums[i - 1] + terms[i];
}

Interval shift_of(In<Interval> line) {
  const Interval* best = nullptr;
  for (const Interval& x : line) {
    if (x.is_open() || mpfr_number_p(x.low()) == 0) continue;
    if (best == nullptr || mpfr_greater_p(x.low(), best->low()) != 0) best = &x;
  }
  Interval shift(0.0);
  if (best == nullptr) return shift;
  mpfr_set(shift.low(), best->low(), MPFR_RNDD);
  mpfr_set(shift.high(), shift.low(), MPFR_RNDU);
  return shift;
}

Interval round_to(int64_t format_number, const Interval& x) {
  if (x.is_open()) return x;
  const Target target = Target::of(format_by_number(format_number));
  if (x.is_nan_point()) return x;
  const double low = decode(*target.format, encode_mpfr(target, x.low()));
  const double high = decode(*target.format, encode_mpfr(target, x.high()));
  if (x.is_infinite_point() || mpfr_zero_p(x.low()) != 0 || low == high) {
    Interval y = Interval::between(low, high);
    return y;
  }
  // An end that rounds to infinity makes the value open, not "unbounded finite".
  if (std::isinf(low) || std::isinf(high)) return Interval::open();
  return Interval::between(low, high);
}

}  // namespace onnxv
