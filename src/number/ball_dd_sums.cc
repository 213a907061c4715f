// Steps, sums and the final rounding of double-double balls.
#include "src/number/ball_dd_parts.h"
#include "src/number/ladder.h"

namespace onnxv {

using namespace ball_dd;

// ---- steps ----

namespace {

// The head decides: where it is no integer, the integers on both sides are doubles, so head + tail lies between the same two.
DoubleDouble floor_of(DoubleDouble x) {
  const double whole = std::floor(x.head);
  return whole == x.head && x.tail != 0 ? two_sum(whole, std::floor(x.tail)) : DoubleDouble{whole, 0};
}
DoubleDouble ceil_of(DoubleDouble x) { return -floor_of(-x); }
DoubleDouble trunc_of(DoubleDouble x) { return std::signbit(x.head) ? ceil_of(x) : floor_of(x); }

// The nearest integer; a NaN where a tail would have to be asked for more than its sign.
DoubleDouble nearest_of(DoubleDouble x) {
  const double whole = std::nearbyint(x.head), rest = x.head - whole;
  if (x.tail == 0) return {whole, 0};
  if (rest == 0) return {std::fabs(x.tail) < 0.5 ? whole : __builtin_nan(""), 0};
  if (std::fabs(rest) != 0.5) return {whole, 0};  // a half is a double: no tail leads across
  return {std::copysign(x.tail > 0 ? std::ceil(x.head) : std::floor(x.head), x.head), 0};
}

template <class Step>
BallDD stepped(const BallDD& x, Step step) {
  if (x.is_open() || !std::isfinite(x.head) || x.is_zero_point()) return x;
  const Ends both = ends(x);
  const DoubleDouble low = step(both.low), high = step(both.high);
  const bool same = low.head == high.head && low.tail == high.tail && std::signbit(low.head) == std::signbit(high.head);
  return same && std::isfinite(low.head) ? BallDD(low.head, low.tail, 0) : BallDD::open();
}

}  // namespace

BallDD floor(const BallDD& x) { return stepped(x, floor_of); }
BallDD ceil(const BallDD& x) { return stepped(x, ceil_of); }
BallDD trunc(const BallDD& x) { return stepped(x, trunc_of); }
BallDD nearest_even(const BallDD& x) { return stepped(x, nearest_of); }

BallDD fmod(const BallDD& x, const BallDD& y) {
  return is_plain(x) && is_plain(y) ? BallDD(std::fmod(x.head, y.head)) : BallDD::open();
}

// ---- roundings ----

namespace {

int sign_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

// To nearest even, the rounding of the machine's own sum, which is monotone: where both ends of the tail leave the head what it
// is, so does everything between.
bool settle_float64(const Target& target, const BallDD& x, uint64_t* code) {
  if (target.rounding != Rounding::kNearestEven || target.overflow != Overflow::kInfinity) return false;
  const bool decided = x.is_exact() || (x.head + downward(x.tail - reach(x)) == x.head &&
                                        x.head + upward(x.tail + reach(x)) == x.head);
  if (decided) *code = settle_exact(target, x.head);
  return decided;
}

uint64_t encode_end(const Target& target, DoubleDouble end) {
  return encode(*target.format, {end.head, sign_of(end.tail)}, target.rounding, target.overflow);
}

bool settle_integer(const Target& target, const BallDD& x, uint64_t* code) {
  BallDD whole = BallDD::open();
  switch (target.rounding) {
    case Rounding::kNearestEven: whole = nearest_even(x); break;
    case Rounding::kTowardZero: whole = trunc(x); break;
    case Rounding::kUp: whole = ceil(x); break;
    case Rounding::kDown: whole = floor(x); break;
    case Rounding::kNearestTiesUp: break;
  }
  if (!is_plain(whole)) return false;
  *code = settle_exact(target, whole.head);
  return true;
}

}  // namespace

bool settle(const Target& target, const BallDD& x, uint64_t* code) {
  if (x.is_open()) return false;
  if (is_plain(x)) {
    *code = settle_exact(target, x.head);
    return true;
  }
  if (target.boolean) {
    *code = 1;
    return x.is_exact() || sign_known(x);
  }
  if (target.format == nullptr) return settle_integer(target, x, code);
  if (target.format == &kFloat64) return settle_float64(target, x, code);
  const Ends both = ends(x);
  *code = encode_end(target, both.low);
  return x.is_exact() || *code == encode_end(target, both.high);
}

BallDD round_to(int64_t format, const BallDD& x) {
  const Target target = Target::of(format_by_number(format));
  uint64_t code = 0;
  if (!settle(target, x, &code)) return BallDD::open();
  return decode(*target.format, code);
}

// ---- sums ----

namespace {

// head + middle + low: each takes what the one before leaves over; the low one is summed plainly, off by at most (number of
// terms) · u · their sum of magnitudes.
class Sum {
 public:
  void add(const BallDD& x) {
    add_head(x.head);
    if (x.tail != 0) add_middle(x.tail);
    radius_ += x.r;
  }
  void add_product(const BallDD& a, const BallDD& b) {
    const DoubleDouble heads = two_product(a.head, b.head);
    add_head(heads.head);
    add_middle(heads.tail);
    radius_ += std::fabs(a.head) * b.r + (std::fabs(b.head) + b.r) * a.r;
    bool lost = !(std::fabs(heads.head) >= kRegular) && a.head != 0 && b.head != 0;
    if (b.tail != 0) lost = add_crossed(a.head, b.tail) || lost;
    if (a.tail != 0) lost = add_crossed(b.head, a.tail) || lost;
    if (a.tail != 0 && b.tail != 0) {
      const double tails = a.tail * b.tail;  // rounded: no worse than one addition more
      add_low(tails);
      lost = lost || !(std::fabs(tails) >= kExactProduct);
    }
    // What vanished, of the radii too.
    if (lost || a.r + b.r > 0) radius_ += 2 * kEta;
  }
  BallDD value() const {
    // Adding rests of +0 would turn a total of -0 into +0.
    if (middle_ == 0 && low_ == 0 && mass_ == 0) return {head_, 0, radius_};
    const DoubleDouble upper = two_sum(head_, middle_), lower = two_sum(upper.tail, low_);
    const double error = mass_ * ((terms_ + 1) * 0x1p-52) + std::fabs(lower.tail);
    const DoubleDouble sum = two_sum(upper.head, lower.head);
    return {sum, radius_ + error};
  }

 private:
  void add_head(double x) {
    const DoubleDouble sum = two_sum(head_, x);
    head_ = sum.head;
    add_middle(sum.tail);
  }
  void add_middle(double x) {
    const DoubleDouble sum = two_sum(middle_, x);
    middle_ = sum.head;
    add_low(sum.tail);
  }
  void add_low(double x) {
    low_ += x;
    mass_ += std::fabs(x);
    terms_ += 1;
  }
  // True where its remainder may have vanished.
  bool add_crossed(double head, double tail) {
    const DoubleDouble product = two_product(head, tail);
    add_middle(product.head);
    add_low(product.tail);
    return !(std::fabs(product.head) >= kExactProduct) && head != 0;
  }
  double head_ = -0.0, middle_ = 0, low_ = 0, mass_ = 0, radius_ = 0, terms_ = 0;
};

bool is_finite(const BallDD& x) { return std::fabs(x.head) + std::fabs(x.tail) + x.r < kInfinite; }

// The sum of terms among which there is something infinite, open or NaN.
class PlainSum {
 public:
  void add(const BallDD& x) {
    nan_ = nan_ || x.is_nan_point();
    open_ = open_ || x.is_open();
    if (x.is_infinite_point()) (x.head > 0 ? plus_ : minus_) = true;
  }
  BallDD value() const {
    if (nan_) return __builtin_nan("");
    if (open_) return BallDD::open();
    if (plus_ && minus_) return __builtin_nan("");
    if (plus_ || minus_) return plus_ ? kInfinite : -kInfinite;
    return BallDD::open();  // an overflow on the way
  }

 private:
  bool nan_ = false, open_ = false, plus_ = false, minus_ = false;
};

}  // namespace

BallDD sum(In<BallDD> terms) {
  if (terms.size() == 0) return 0.0;
  Sum running;
  for (const BallDD& term : terms) running.add(term);
  const BallDD total = running.value();
  if (is_finite(total)) return total;
  PlainSum plain;
  for (const BallDD& term : terms) plain.add(term);
  return plain.value();
}

BallDD dot(In<BallDD> a, In<BallDD> b) {
  if (a.size() == 0) return 0.0;
  Sum running;
  for (size_t i = 0; i < a.size(); ++i) running.add_product(a[i], b[i]);
  const BallDD total = running.value();
  if (is_finite(total)) return total;
  PlainSum plain;
  for (size_t i = 0; i < a.size(); ++i) plain.add(a[i] * b[i]);
  return plain.value();
}

void prefix_sums(In<BallDD> terms, Out<BallDD> sums) {
  Sum running;
  PlainSum plain;
  for (size_t i = 0; i < terms.size(); ++i) {
    running.add(terms[i]);
    plain.add(terms[i]);
    sums[i] = running.value();
    if (!is_finite(sums[i])) sums[i] = plain.value();
  }
}

}  // namespace onnxv
