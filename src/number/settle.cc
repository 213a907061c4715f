// Rounding by a target: of doubles, of pairs of ends, and of MPFR numbers.
#include <cmath>
#include <cstring>

#include "src/base/error.h"
#include "src/base/int128.h"
#include "src/number/interval.h"
#include "src/number/ladder.h"

namespace onnxv {

size_t Target::width() const {
  const int bits = boolean ? 8 : format != nullptr ? format->bits : integer.bits;
  return bits <= 8 ? 1 : static_cast<size_t>(bits) / 8;
}

int64_t format_number(const Format& format) {
  const auto formats = all_formats();
  for (size_t i = 0; i < formats.size(); ++i) {
    if (formats[i] == &format) return static_cast<int64_t>(i);
  }
  fail_internal("format", "a format is not in the table");
}
const Format& format_by_number(int64_t number) { return *all_formats()[static_cast<size_t>(number)]; }

namespace {

// Nearest integer by the rule, of a double: exact.
double integral(double value, Rounding rounding) {
  switch (rounding) {
    case Rounding::kNearestEven: return std::nearbyint(value);
    case Rounding::kTowardZero: return std::trunc(value);
    case Rounding::kUp: return std::ceil(value);
    case Rounding::kDown: return std::floor(value);
    case Rounding::kNearestTiesUp: return std::floor(value) + (value - std::floor(value) >= 0.5 ? 1.0 : 0.0);
  }
  return value;
}

// An integral double modulo 2^64 as an int128 (beyond 2^117 the low bits are all zero).
uint64_t integer_code(const Target& target, double integral_value) {
  const bool saturates = target.overflow == Overflow::kSaturate;
  if (std::isnan(integral_value)) return saturates ? wrap_integer(target.integer, smallest_integer(target.integer)) : 0;
  if (std::fabs(integral_value) >= 0x1p100) {
    if (!saturates) return 0;
    return wrap_integer(target.integer, integral_value > 0 ? largest_integer(target.integer)
                                                           : smallest_integer(target.integer));
  }
  const int128 value = static_cast<int128>(integral_value);
  return saturates ? saturate_integer(target.integer, value) : wrap_integer(target.integer, value);
}

}  // namespace

uint64_t settle_exact(const Target& target, double value) {
  if (target.boolean) return value != 0 ? 1 : 0;
  if (target.format != nullptr) return encode(*target.format, {value, 0}, target.rounding, target.overflow);
  return integer_code(target, integral(value, target.rounding));
}

bool settle(const Target& target, double low, double high, bool exact, uint64_t* code) {
  if (exact) {
    *code = settle_exact(target, low);
    return true;
  }
  // A double can hold neither end of a float64 decision: only exact midpoints are.
  if (target.format == &kFloat64) return false;
  if (target.boolean && low <= 0 && high >= 0) return false;
  *code = settle_exact(target, low);
  return *code == settle_exact(target, high);
}

RoundedEnds rounded_ends(int64_t number, double low, double high, bool exact) {
  const Format& format = format_by_number(number);
  const Target target = Target::of(format);
  if (!exact && &format == &kFloat64) return {low, high, false};
  const uint64_t a = settle_exact(target, low), b = exact ? a : settle_exact(target, high);
  return {decode(format, a), decode(format, b), a == b};
}

uint64_t encode_mpfr(const Target& target, const mpfr_t value) {
  if (target.boolean) return mpfr_zero_p(value) == 0 ? 1 : 0;
  if (target.format == &kFloat64) {
    // mpfr_get_d rounds once, subnormals included; the value itself carries more bits than any double.
    const double rounded = mpfr_get_d(value, MPFR_RNDN);
    if (std::isnan(rounded)) return kFloat64.canonical_nan;
    uint64_t code;
    std::memcpy(&code, &rounded, sizeof code);
    return code;
  }
  if (target.format != nullptr) {
    const double head = mpfr_get_d(value, MPFR_RNDZ);
    const int rest = std::isnan(head) ? 0 : mpfr_cmp_d(value, head);
    // A value beyond every double, or below every one: the head is the last double on its way, the rest says that more follows.
    return encode(*target.format, {head, rest < 0 ? -1 : rest > 0 ? 1 : 0}, target.rounding, target.overflow);
  }
  if (mpfr_number_p(value) == 0) return integer_code(target, mpfr_get_d(value, MPFR_RNDZ));
  mpfr_t whole;
  mpfr_init2(whole, mpfr_get_prec(value));
  switch (target.rounding) {
    case Rounding::kNearestEven: mpfr_rint(whole, value, MPFR_RNDN); break;
    case Rounding::kTowardZero: mpfr_trunc(whole, value); break;
    case Rounding::kUp: mpfr_ceil(whole, value); break;
    case Rounding::kDown: mpfr_floor(whole, value); break;
    case Rounding::kNearestTiesUp: mpfr_round(whole, value); break;
  }
  uint64_t code;
  if (target.overflow == Overflow::kSaturate || mpfr_cmpabs_ui(whole, 1UL << 50) < 0) {
    // Beyond 2^100 the sign alone counts; below, an int128 in two exact halves.
    if (mpfr_zero_p(whole) == 0 && mpfr_get_exp(whole) > 100) {
      code = integer_code(target, mpfr_sgn(whole) > 0 ? 0x1p101 : -0x1p101);
    } else {
      mpz_t integer;
      mpz_init(integer);
      mpfr_get_z(integer, whole, MPFR_RNDN);
      const bool minus = mpz_sgn(integer) < 0;
      mpz_abs(integer, integer);
      uint128 magnitude = 0;
      for (size_t limb = mpz_size(integer); limb-- > 0;) magnitude = (magnitude << 64) | mpz_getlimbn(integer, static_cast<mp_size_t>(limb));
      mpz_clear(integer);
      const int128 exact = minus ? -static_cast<int128>(magnitude) : static_cast<int128>(magnitude);
      code = target.overflow == Overflow::kSaturate ? saturate_integer(target.integer, exact)
                                                    : wrap_integer(target.integer, exact);
    }
  } else {
    // Wrapping: the low 64 bits of the two's complement, whatever the size.
    mpz_t integer, low;
    mpz_init(integer);
    mpz_init(low);
    if (mpfr_zero_p(whole) != 0 || mpfr_get_exp(whole) <= 4096) {
      mpfr_get_z(integer, whole, MPFR_RNDN);
      mpz_fdiv_r_2exp(low, integer, 64);
    }
    code = wrap_integer(target.integer, static_cast<int128>(mpz_get_ui(low)));
    mpz_clear(integer);
    mpz_clear(low);
  }
  mpfr_clear(whole);
  return code;
}

}  // namespace onnxv
