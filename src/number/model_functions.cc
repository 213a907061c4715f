// Library functions of the Model reading: the ends through the C library's, which is far nearer than any allowance, and the allowance.
#include <algorithm>
#include <cmath>

#include "src/number/interval.h"
#include "src/number/model_rounding.h"

namespace onnxv {
namespace {

constexpr double kLibraryError = 0x1p-50;  // of the C library's own functions, relative
constexpr double kPi = 3.141592653589793;

// Distance between neighbours at |x| in the compute type.
double ulp_at(double x) {
  const ArithmeticScope& arithmetic = ArithmeticScope::current();
  const double size = std::max(std::fabs(x), arithmetic.smallest_normal);
  return std::isfinite(size) ? std::ldexp(1.0, std::ilogb(size) - arithmetic.type.bits + 1) : 0;
}

// x with the error of a library function. Exact zeros stay: an allowance in ulp of 0 is nothing.
ModelReal allowed(LibraryFunction function, ModelReal x) {
  const ArithmeticScope& arithmetic = ArithmeticScope::current();
  if (x.low != x.low || x.high != x.high || x.m != x.m) return ModelReal::open(x.m);
  if (x.low == 0 && x.high == 0) return x;
  const double ulps = std::max(arithmetic.model.library[static_cast<size_t>(function)], arithmetic.model.fast_math);
  x.low -= ulps * ulp_at(x.low) + kLibraryError * std::fabs(x.low);
  x.high += ulps * ulp_at(x.high) + kLibraryError * std::fabs(x.high);
  x.deviation = std::hypot(x.deviation, ulps * ulp_at(x.m));
  if (arithmetic.model.flush_to_zero) {
    if (std::fabs(x.low) < arithmetic.smallest_normal) x.low = std::min(x.low, 0.0);
    if (std::fabs(x.high) < arithmetic.smallest_normal) x.high = std::max(x.high, 0.0);
  }
  x.point = false;
  return x;
}

using Real = double (*)(double);

// How far f may move when its argument moves by the deviation.
double carried(Real f, const ModelReal& x) {
  if (x.deviation == 0) return 0;
  const double at = f(x.m);
  const double up = std::fabs(f(x.m + x.deviation) - at), down = std::fabs(f(x.m - x.deviation) - at);
  if (up != up && down != down) return HUGE_VAL;
  return up != up ? down : down != down ? up : std::max(up, down);
}

// f within [least, most] is monotone; values beyond f's range are no values.
ModelReal monotone(LibraryFunction function, const ModelReal& x, Real f, bool rising, double least, double most) {
  const double m = f(x.m);
  if (x.point && (!std::isfinite(x.m) || !std::isfinite(m))) return ModelReal(m);
  double low = f(rising ? x.low : x.high), high = f(rising ? x.high : x.low);
  // An end outside the domain: the backend may have NaN there.
  if (low != low || high != high) return ModelReal::open(m);
  ModelReal y = allowed(function, ModelReal::between(m, low, high, carried(f, x)));
  y.low = std::max(y.low, least);
  y.high = std::min(y.high, most);
  return y;
}
ModelReal monotone(LibraryFunction function, const ModelReal& x, Real f) { return monotone(function, x, f, true, -HUGE_VAL, HUGE_VAL); }

// |f'| <= 1.
ModelReal wave(LibraryFunction function, const ModelReal& x, Real f) {
  const double m = f(x.m);
  if (x.point && !std::isfinite(x.m)) return ModelReal(m);
  const double reach = std::max(x.high - x.m, x.m - x.low);
  ModelReal y = allowed(function, ModelReal::between(m, m - reach, m + reach, std::min(x.deviation, 2.0)));
  // A wave's own allowance overshoots 1 by as much.
  const double over = 1 + ulp_at(1.0) * ArithmeticScope::current().model.library[static_cast<size_t>(function)];
  y.low = std::max(y.low, -over);
  y.high = std::min(y.high, over);
  return y;
}

}  // namespace

// The root is an IEEE operation, not a library's.
ModelReal sqrt(const ModelReal& x) {
  const double m = std::sqrt(x.m);
  if (x.point) return rounded_point(m, std::fma(-m, m, x.m) == 0);
  if (x.low < 0) return x.high < 0 ? ModelReal(m) : ModelReal::open(m);
  ModelReal y = ModelReal::between(m, std::sqrt(x.low), std::sqrt(x.high), carried([](double v) { return std::sqrt(v); }, x));
  return rounded(y);
}

ModelReal exp(const ModelReal& x) { return monotone(LibraryFunction::kExp, x, std::exp, true, 0, HUGE_VAL); }
ModelReal expm1(const ModelReal& x) { return monotone(LibraryFunction::kExpm1, x, std::expm1, true, -1, HUGE_VAL); }
ModelReal log(const ModelReal& x) { return monotone(LibraryFunction::kLog, x, std::log); }
ModelReal log1p(const ModelReal& x) { return monotone(LibraryFunction::kLog1p, x, std::log1p); }
ModelReal sin(const ModelReal& x) { return wave(LibraryFunction::kSin, x, std::sin); }
ModelReal cos(const ModelReal& x) { return wave(LibraryFunction::kCos, x, std::cos); }
ModelReal tan(const ModelReal& x) {
  if (!x.point && (x.high - x.low > 1 || std::tan(x.low) > std::tan(x.high))) return ModelReal::open(std::tan(x.m));
  return monotone(LibraryFunction::kTan, x, std::tan);
}
ModelReal asin(const ModelReal& x) { return monotone(LibraryFunction::kAsin, x, std::asin); }
ModelReal acos(const ModelReal& x) { return monotone(LibraryFunction::kAcos, x, std::acos, false, -HUGE_VAL, HUGE_VAL); }
ModelReal atan(const ModelReal& x) { return monotone(LibraryFunction::kAtan, x, std::atan); }
ModelReal sinh(const ModelReal& x) { return monotone(LibraryFunction::kSinh, x, std::sinh); }
ModelReal cosh(const ModelReal& x) { return monotone(LibraryFunction::kCosh, abs(x), std::cosh); }
ModelReal tanh(const ModelReal& x) { return monotone(LibraryFunction::kTanh, x, std::tanh); }
ModelReal asinh(const ModelReal& x) { return monotone(LibraryFunction::kAsinh, x, std::asinh); }
ModelReal acosh(const ModelReal& x) { return monotone(LibraryFunction::kAcosh, x, std::acosh); }
ModelReal atanh(const ModelReal& x) { return monotone(LibraryFunction::kAtanh, x, std::atanh); }
ModelReal erf(const ModelReal& x) { return monotone(LibraryFunction::kErf, x, std::erf); }
ModelReal erfc(const ModelReal& x) { return monotone(LibraryFunction::kErfc, x, std::erfc, false, 0, HUGE_VAL); }

ModelReal erfinv(const ModelReal& x) {
  const auto inverse = [](double v) {
    const PrecisionScope scope(64);
    const Interval y = erfinv(Interval(v));
    return y.is_open() ? std::nan("") : mpfr_get_d(y.low(), MPFR_RNDN);
  };
  return monotone(LibraryFunction::kErfinv, x, inverse);
}

ModelReal pow(const ModelReal& x, const ModelReal& y) {
  const double m = std::pow(x.m, y.m);
  if (x.point && y.point) {
    if (!std::isfinite(m) || !std::isfinite(x.m) || !std::isfinite(y.m) || m == 0) return ModelReal(m);
    if (y.m == 0 || x.m == 1 || y.m == 1) return ModelReal(m);
    return allowed(LibraryFunction::kPow, ModelReal(m));
  }
  const bool whole = y.point && y.m == std::trunc(y.m);
  if (x.low < 0 && !(whole && x.high <= 0)) return ModelReal::open(m);
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (const double p : {x.low, x.high}) {
    for (const double q : {y.low, y.high}) {
      const double corner = std::pow(p, q);
      if (corner != corner) return ModelReal::open(m);
      low = std::min(low, corner);
      high = std::max(high, corner);
    }
  }
  const double by_base = std::fabs(x.m) > 0 ? std::fabs(m * y.m / x.m) * x.deviation : x.deviation;
  const double by_power = x.m > 0 ? std::fabs(m * std::log(x.m)) * y.deviation : 0;
  return allowed(LibraryFunction::kPow, ModelReal::between(m, low, high, std::hypot(by_base, by_power)));
}

ModelReal pi(const ModelReal&) { return rounded_point(kPi, false); }

// By the library's cosine of 2 pi k / n, a product and a quotient, as backends have it.
void turn(int64_t k, int64_t n, ModelReal& cosine, ModelReal& sine) {
  const int64_t folded = ((k % n) + n) % n;
  const ModelReal angle = ModelReal(2.0) * pi(ModelReal()) * ModelReal(static_cast<double>(folded)) / ModelReal(static_cast<double>(n));
  cosine = cos(angle);
  sine = sin(angle);
}

}  // namespace onnxv
