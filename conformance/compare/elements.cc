#include "conformance/compare/elements.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "src/number/format.h"
#include "src/number/rational.h"

namespace onnxv {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// What is known of one pair.
struct Verdict {
  bool ok = true;
  double abs = 0, rel = 0;
  uint64_t ulp = 0;
  double expected = 0;
};

// What the elements of one tensor pair share.
struct Rule {
  Tolerance::Kind kind = Tolerance::Kind::kOfficial;
  double rtol = 0, atol = 0;  // allowed: atol + rtol |e|
  uint64_t ulps = 0;
  NanPolicy nan = NanPolicy::kAny;
  InfinityPolicy inf = InfinityPolicy::kEqual;
  ZeroPolicy zero = ZeroPolicy::kEqual;
  bool steps = false;  // kDerived: integers may be a step away
};

// An element without a bound has that of the bits alone.
constexpr Bound kNoBound;

bool holds(const Bound& bound, double expected, double actual) {
  if (!bound.known()) return actual == expected;
  return actual >= std::min(bound.low, expected) && actual <= std::max(bound.high, expected);
}

// A backend may have anything there, NaN included.
bool holds_anything(const Bound& bound) { return bound.low == -kInfinity && bound.high == kInfinity; }

bool is_open(const CompareRequest& request, size_t element) {
  return request.all_unspecified ||
         (element < request.unspecified.size() && request.unspecified[element] != 0);
}

// Codes of any width up to 64 bits, by position.
class Codes {
 public:
  explicit Codes(const Tensor& tensor) : tensor_(tensor), bits_(dtype_bits(tensor.dtype())) {}
  uint64_t operator[](size_t element) const {
    const std::byte* data = tensor_.bytes().data();
    switch (bits_) {
      case 8: return load<uint8_t>(data, element);
      case 16: return load<uint16_t>(data, element);
      case 32: return load<uint32_t>(data, element);
      case 64: return load<uint64_t>(data, element);
      default: return tensor_.code(element);
    }
  }

 private:
  template <class Word>
  static uint64_t load(const std::byte* data, size_t element) {
    Word word;
    std::memcpy(&word, data + element * sizeof(Word), sizeof(Word));
    return word;
  }
  const Tensor& tensor_;
  int bits_;
};

double relative(double difference, double expected) {
  if (difference == 0) return 0;
  return expected == 0 ? 0 : difference / std::fabs(expected);
}

class FloatPair {
 public:
  FloatPair(const Format& format, const Rule& rule) : format_(format), rule_(rule) {}

  Verdict operator()(uint64_t expected, uint64_t actual, const Bound& bound) const {
    if (expected == actual) return {};
    const double e = decode(format_, expected), a = decode(format_, actual);
    Verdict verdict;
    if (std::isnan(e) || std::isnan(a)) {
      verdict.ok = std::isnan(e) && std::isnan(a) && rule_.nan == NanPolicy::kAny;
      if (std::isnan(a) && !std::isnan(e)) verdict.ok = rule_.kind == Tolerance::Kind::kDerived && holds_anything(bound);
      return verdict;
    }
    verdict.ulp = ulp_distance(format_, expected, actual);
    verdict.expected = e;
    if (e == 0 && a == 0) {
      verdict.ok = rule_.zero == ZeroPolicy::kEqual;
      return verdict;
    }
    verdict.abs = std::fabs(a - e);
    verdict.rel = std::isinf(e) ? 0 : relative(verdict.abs, e);
    if (rule_.kind == Tolerance::Kind::kDerived) {
      verdict.ok = holds(bound, e, a) || infinity_allowed(e, actual);
    } else {
      verdict.ok = std::isinf(e) || std::isinf(a) ? infinity_allowed(e, actual) : number_allowed(verdict, e);
    }
    return verdict;
  }

 private:
  bool infinity_allowed(double e, uint64_t actual) const {
    return rule_.inf == InfinityPolicy::kFiniteMax && std::isinf(e) &&
           actual == largest_finite(format_, std::signbit(e));
  }
  bool number_allowed(const Verdict& verdict, double e) const {
    switch (rule_.kind) {
      case Tolerance::Kind::kExact: return false;
      case Tolerance::Kind::kUlp: return verdict.ulp <= rule_.ulps;
      default: return verdict.abs <= rule_.atol + rule_.rtol * std::fabs(e);
    }
  }

  const Format& format_;
  const Rule& rule_;
};

// Integers, and bool as 0 and 1.
class IntegerPair {
 public:
  IntegerPair(DType dtype, const Rule& rule)
      : format_{dtype_bits(dtype), is_signed_integer(dtype)},
        is_bool_(dtype == DType::kBool),
        rule_(rule) {}

  Verdict operator()(uint64_t expected, uint64_t actual, const Bound& bound) const {
    if (expected == actual) return {};
    Verdict verdict;
    if (is_bool_) {
      verdict.expected = expected != 0 ? 1 : 0;
      verdict.ok = rule_.kind != Tolerance::Kind::kExact && (expected != 0) == (actual != 0);
      verdict.abs = (expected != 0) == (actual != 0) ? 0 : 1;
      verdict.rel = expected != 0 ? verdict.abs : 0;
      verdict.ulp = static_cast<uint64_t>(verdict.abs);
      return verdict;
    }
    const auto e = decode_integer(format_, expected), a = decode_integer(format_, actual);
    const auto distance = a > e ? a - e : e - a;
    const auto ed = static_cast<double>(e);
    verdict.expected = ed;
    verdict.abs = static_cast<double>(distance);
    verdict.rel = relative(verdict.abs, ed);
    verdict.ulp = static_cast<uint64_t>(distance);  // below 2^64: both come from 64 bits
    verdict.ok = rule_.kind == Tolerance::Kind::kDerived ? rule_.steps && holds(bound, ed, static_cast<double>(a))
                                                         : number_allowed(verdict, ed);
    return verdict;
  }

 private:
  bool number_allowed(const Verdict& verdict, double e) const {
    switch (rule_.kind) {
      case Tolerance::Kind::kOfficial:
      case Tolerance::Kind::kScaled: return verdict.abs <= rule_.atol + rule_.rtol * std::fabs(e);
      default: return false;
    }
  }

  IntegerFormat format_;
  bool is_bool_;
  const Rule& rule_;
};

double largest_magnitude(const Tensor& expected, const CompareRequest& request) {
  double largest = 0;
  const Codes codes(expected);
  const bool floating = is_float(expected.dtype());
  const IntegerFormat integer{dtype_bits(expected.dtype()), is_signed_integer(expected.dtype())};
  for (size_t i = 0; i < expected.size(); ++i) {
    if (is_open(request, i)) continue;
    const double value = floating ? decode(float_format(expected.dtype()), codes[i])
                                  : static_cast<double>(decode_integer(integer, codes[i]));
    if (std::isfinite(value)) largest = std::max(largest, std::fabs(value));
  }
  return largest;
}

double largest_complex(const Tensor& expected, const CompareRequest& request);

double largest_of(const Tensor& expected, const CompareRequest& request) {
  if (expected.dtype() == DType::kBool) return 0;
  return is_complex(expected.dtype()) ? largest_complex(expected, request)
                                      : largest_magnitude(expected, request);
}

// `largest`: the expected output's largest magnitude.
Rule rule_for(const Tensor& expected, const CompareRequest& request, double largest) {
  const Tolerance& tolerance = request.tolerance;
  Rule rule;
  rule.kind = tolerance.kind;
  rule.ulps = tolerance.ulps;
  rule.steps = tolerance.steps;
  const bool exact = tolerance.kind == Tolerance::Kind::kExact;
  rule.nan = request.policies.nan.value_or(NanPolicy::kAny);
  rule.inf = request.policies.inf.value_or(InfinityPolicy::kEqual);
  rule.zero = request.policies.zero.value_or(exact ? ZeroPolicy::kBits : ZeroPolicy::kEqual);
  const DType dtype = expected.dtype();
  // The official runner gives bfloat16 two of its units.
  const double rtol = dtype == DType::kBfloat16 ? std::max(tolerance.rtol, 0x1p-6) : tolerance.rtol;
  switch (tolerance.kind) {
    case Tolerance::Kind::kNode:
      rule.rtol = rtol;
      rule.atol = std::max(1e-4 * largest, 1e-7);
      break;
    case Tolerance::Kind::kScaled: rule.atol = tolerance.scale * largest + tolerance.atol; break;
    default: rule.rtol = rtol; rule.atol = tolerance.atol;
  }
  return rule;
}

double value_of(const Tensor& tensor, size_t element) {
  const uint64_t code = tensor.code(element);
  if (is_float(tensor.dtype())) return decode(float_format(tensor.dtype()), code);
  return static_cast<double>(decode_integer({dtype_bits(tensor.dtype()), is_signed_integer(tensor.dtype())}, code));
}

// Elements whose bound says little.
uint64_t count_loose(const Tensor& expected, const CompareRequest& request) {
  if (expected.bounds() == nullptr || !is_float(expected.dtype())) return 0;
  const double little = 0x1p-8 * largest_magnitude(expected, request);
  uint64_t count = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    const Bound& bound = (*expected.bounds())[i];
    if (!bound.known()) continue;
    const double e = value_of(expected, i);
    count += std::max(bound.high - e, e - bound.low) > little ? 1 : 0;
  }
  return count;
}

// Gathers verdicts into a Comparison.
class Tally {
 public:
  Tally(const Tensor& expected, const Tensor& actual, const CompareRequest& request,
        std::span<const int64_t> prefix, Comparison& comparison)
      : expected_(expected),
        actual_(actual),
        request_(request),
        prefix_(prefix),
        comparison_(comparison) {}

  void add(size_t element, const Verdict& verdict) {
    const bool open = is_open(request_, element);
    if (open && !request_.policies.strict) return;
    comparison_.max_abs = std::max(comparison_.max_abs, verdict.abs);
    comparison_.max_rel = std::max(comparison_.max_rel, verdict.rel);
    comparison_.max_ulp = std::max(comparison_.max_ulp, verdict.ulp);
    comparison_.profile.add(verdict.expected, verdict.ulp, verdict.ok || verdict.ulp > 0);
    if (expected_.bounds() != nullptr && verdict.abs > 0 && !is_complex(expected_.dtype())) {
      add_ratios((*expected_.bounds())[element], value_of(expected_, element), value_of(actual_, element), verdict.ok);
    }
    if (verdict.ok) return;
    comparison_.matches = false;
    ++comparison_.mismatched;
    if (comparison_.first_mismatch) return;
    Mismatch mismatch;
    mismatch.index.assign(prefix_.begin(), prefix_.end());
    for (const int64_t i : index_at(expected_.shape(), element)) mismatch.index.push_back(i);
    mismatch.expected = element_text(expected_, element);
    mismatch.actual = element_text(actual_, element);
    comparison_.first_mismatch = std::move(mismatch);
  }

  // Of a number that differs. Where an end of the bound is infinite, or the element may be anything, no error is too large.
  void add_ratios(const Bound& bound, double e, double a, bool ok) {
    if (a != a || e != e || a == e) return;
    const double error = std::fabs(a - e), side = !bound.known() ? 0 : a > e ? bound.high - e : e - bound.low;
    raise(comparison_.bound_ratio, side == kInfinity ? 0 : side > 0 ? error / side : kInfinity);
    const double deviation = bound.known() ? bound.deviation : 0;
    raise(comparison_.expected_ratio, deviation == kInfinity ? 0 : deviation > 0 ? error / deviation : kInfinity);
    if (ok && bound.to_step < kInfinity) raise(comparison_.step_distance, bound.to_step);
  }

 private:
  static void raise(std::optional<double>& most, double value) { most = std::max(most.value_or(0), value); }

  const Tensor &expected_, &actual_;
  const CompareRequest& request_;
  std::span<const int64_t> prefix_;
  Comparison& comparison_;
};

const Bound& bound_of(const Tensor& expected, size_t element) {
  return expected.bounds() != nullptr ? (*expected.bounds())[element] : kNoBound;
}

template <class Pair>
void compare_codes(const Tensor& expected, const Tensor& actual, const Pair& pair, Tally& tally) {
  const Codes e(expected), a(actual);
  for (size_t i = 0; i < expected.size(); ++i) {
    if (e[i] == a[i]) continue;
    tally.add(i, pair(e[i], a[i], bound_of(expected, i)));
  }
}

void compare_strings(const Tensor& expected, const Tensor& actual, Tally& tally) {
  for (size_t i = 0; i < expected.size(); ++i) {
    Verdict verdict;
    verdict.ok = expected.strings()[i] == actual.strings()[i];
    if (!verdict.ok) tally.add(i, verdict);
  }
}

// Parts of complex numbers by position: real at 2i, imaginary at 2i + 1.
struct Parts {
  explicit Parts(const Tensor& tensor)
      : wide(tensor.dtype() == DType::kComplex128), data(tensor.bytes().data()) {}
  const Format& format() const { return wide ? kFloat64 : kFloat32; }
  uint64_t operator[](size_t part) const {
    uint64_t code = 0;
    const size_t width = wide ? 8 : 4;
    std::memcpy(&code, data + part * width, width);
    return code;
  }
  bool wide;
  const std::byte* data;
};

double largest_complex(const Tensor& expected, const CompareRequest& request) {
  const Parts parts(expected);
  double largest = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    if (is_open(request, i)) continue;
    const double size =
        std::hypot(decode(parts.format(), parts[2 * i]), decode(parts.format(), parts[2 * i + 1]));
    if (std::isfinite(size)) largest = std::max(largest, size);
  }
  return largest;
}

// NumPy's sense: a NaN or infinity in either part decides by parts, else |a - e| against |e|.
Verdict complex_verdict(const Format& format, const Rule& rule, const uint64_t (&e)[2],
                        const uint64_t (&a)[2], const Bound (&bounds)[2]) {
  const FloatPair pair(format, rule);
  const Verdict real = pair(e[0], a[0], bounds[0]), imaginary = pair(e[1], a[1], bounds[1]);
  const double er = decode(format, e[0]), ei = decode(format, e[1]);
  const double ar = decode(format, a[0]), ai = decode(format, a[1]);
  Verdict verdict;
  verdict.ulp = std::max(real.ulp, imaginary.ulp);
  verdict.expected = std::max(std::fabs(er), std::fabs(ei));
  const bool by_parts = rule.kind == Tolerance::Kind::kExact || rule.kind == Tolerance::Kind::kUlp ||
                        rule.kind == Tolerance::Kind::kDerived;
  const bool finite =
      std::isfinite(er) && std::isfinite(ei) && std::isfinite(ar) && std::isfinite(ai);
  verdict.abs = finite ? std::hypot(ar - er, ai - ei) : std::max(real.abs, imaginary.abs);
  verdict.rel = finite ? relative(verdict.abs, std::hypot(er, ei)) : 0;
  verdict.ok = real.ok && imaginary.ok;
  if (by_parts || !finite) return verdict;
  const bool zeros_ok = rule.zero == ZeroPolicy::kEqual || verdict.abs > 0 || verdict.ok;
  const double allowed = rule.atol + rule.rtol * std::hypot(er, ei);
  verdict.ok = zeros_ok && verdict.abs <= allowed;
  return verdict;
}

void compare_complex(const Tensor& expected, const Tensor& actual, const Rule& rule, Tally& tally) {
  const Parts e(expected), a(actual);
  for (size_t i = 0; i < expected.size(); ++i) {
    const uint64_t ec[2] = {e[2 * i], e[2 * i + 1]}, ac[2] = {a[2 * i], a[2 * i + 1]};
    if (ec[0] == ac[0] && ec[1] == ac[1]) continue;
    const Bound bounds[2] = {bound_of(expected, 2 * i), bound_of(expected, 2 * i + 1)};
    const Verdict verdict = complex_verdict(e.format(), rule, ec, ac, bounds);
    tally.add(i, verdict);
    for (size_t part = 0; part < 2 && expected.bounds() != nullptr; ++part) {
      tally.add_ratios(bounds[part], decode(e.format(), ec[part]), decode(e.format(), ac[part]), verdict.ok);
    }
  }
}

void count_open(const Tensor& expected, const CompareRequest& request, Comparison& comparison) {
  if (request.all_unspecified) {
    comparison.unspecified += expected.size();
  } else {
    for (const uint8_t mark : request.unspecified) comparison.unspecified += mark != 0 ? 1 : 0;
  }
}

}  // namespace

std::vector<int64_t> index_at(const Shape& shape, size_t position) {
  std::vector<int64_t> index(shape.size());
  for (int64_t axis = shape.rank() - 1; axis >= 0; --axis) {
    const auto dim = static_cast<size_t>(std::max<int64_t>(shape[axis], 1));
    index[static_cast<size_t>(axis)] = static_cast<int64_t>(position % dim);
    position /= dim;
  }
  return index;
}

void compare_elements(const Tensor& expected, const Tensor& actual, const CompareRequest& request,
                      std::span<const int64_t> prefix, Comparison& comparison) {
  comparison.elements += expected.size();
  count_open(expected, request, comparison);
  if (expected.bounds() != nullptr && !expected.is_string()) {
    comparison.loose += count_loose(expected, request);
    comparison.bound_ratio = comparison.bound_ratio.value_or(0);
    comparison.expected_ratio = comparison.expected_ratio.value_or(0);
  }
  Tally tally(expected, actual, request, prefix, comparison);
  if (expected.is_string()) return compare_strings(expected, actual, tally);
  const auto e = expected.bytes(), a = actual.bytes();
  if (e.size() == a.size() && (e.empty() || std::memcmp(e.data(), a.data(), e.size()) == 0)) return;
  const double largest = largest_of(expected, request);
  comparison.profile.magnitude = std::max(comparison.profile.magnitude, largest);
  const Rule rule = rule_for(expected, request, largest);
  if (is_complex(expected.dtype())) {
    compare_complex(expected, actual, rule, tally);
  } else if (is_float(expected.dtype())) {
    compare_codes(expected, actual, FloatPair(float_format(expected.dtype()), rule), tally);
  } else {
    compare_codes(expected, actual, IntegerPair(expected.dtype(), rule), tally);
  }
}

}  // namespace onnxv
