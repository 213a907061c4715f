// One formula per primitive of the arithmetic, for torture_test.cc; and libmvec's functions bare, for their measured error.
#include "src/number/testing/primitives.h"

#include "src/number/formula.h"

#ifdef ONNXV_LANES
#include "src/number/vector_exp.h"
#endif

namespace onnxv {

// name, expression of x (and y)
#define ONNXV_UNARY(F)                                                                                \
  F(Absolute, abs(x)) F(Negated, -x) F(Root, sqrt(x)) F(Exponential, exp(x)) F(LessOne, expm1(x))     \
  F(Logarithm, log(x)) F(LogOnePlus, log1p(x)) F(Sine, sin(x)) F(Cosine, cos(x)) F(Tangent, tan(x))   \
  F(ArcSine, asin(x)) F(ArcCosine, acos(x)) F(ArcTangent, atan(x)) F(HyperbolicSine, sinh(x))         \
  F(HyperbolicCosine, cosh(x)) F(HyperbolicTangent, tanh(x)) F(AreaSine, asinh(x))                    \
  F(AreaCosine, acosh(x)) F(AreaTangent, atanh(x)) F(ErrorFunction, erf(x)) F(Complement, erfc(x))    \
  F(Floor, floor(x)) F(Ceiling, ceil(x)) F(Truncated, trunc(x)) F(NearestEven, nearest_even(x))
#define ONNXV_BINARY(F)                                                                      \
  F(Plus, x + y) F(Minus, x - y) F(Times, x * y) F(Over, x / y) F(Power, pow(x, y))          \
  F(Remainder, fmod(x, y)) F(Smaller, select(x < y, x, y)) F(Larger, select(x > y, x, y))    \
  F(Chained, (x + y) - y) F(Scaled, (x * y) / y)

#define ONNXV_ONE(name, expression)                                                       \
  static constexpr auto torture_##name = []<class Real>(Real x) -> Real { return expression; }; \
  ELEMENTWISE_FORMULA(kTorture##name, torture_##name, 1)
#define ONNXV_TWO(name, expression)                                                               \
  static constexpr auto torture_##name = []<class Real>(Real x, Real y) -> Real { return expression; }; \
  ELEMENTWISE_FORMULA(kTorture##name, torture_##name, 2)
ONNXV_UNARY(ONNXV_ONE)
ONNXV_BINARY(ONNXV_TWO)

static constexpr auto torture_sum = []<class Real>(In<Real> x, Out<Real> y) { y[0] = sum(x); };
LINE_FORMULA(kTortureSum, torture_sum, 1, 1)
static constexpr auto torture_dot = []<class Real>(In<Real> x, In<Real> w, Out<Real> y) { y[0] = dot(x, w); };
LINE_FORMULA(kTortureDot, torture_dot, 2, 1)

// The sum of c e^x: where the exponentials vanish the greatest of them decides its sign.
static constexpr auto torture_exponentials = []<class Real>(In<Real> c, In<Real> x, Out<Real> y) {
  std::vector<Real> powers(x.size());
  for (size_t i = 0; i < x.size(); ++i) powers[i] = exp(x[i]);
  y[0] = dot(c, In<Real>{powers.data(), powers.size()});
};
LINE_FORMULA(kTortureExponentials, torture_exponentials, 2, 1)

// (1 + e^x) y and (1 + e^x) / z: where the exponential vanishes, what is left of it is the radius alone.
static constexpr auto torture_beside_one = []<class Real>(In<Real> x, In<Real> y, In<Real> z, Out<Real> product, Out<Real> quotient) {
  const Real near_one = 1.0 + exp(x[0]);
  product[0] = near_one * y[0];
  quotient[0] = near_one / z[0];
};
LINE_FORMULA(kTortureBesideOne, torture_beside_one, 3, 2)

#ifdef ONNXV_LANES

#define ONNXV_MEASURE_AS(name, function)                                                           \
  void ONNXV_JOIN(ONNXV_JOIN(measured_##name, _), ONNXV_LANES)(const double* x, double* y) {       \
    for (size_t i = 0; i < 8; i += kLanes) store(y + i, function(load(x + i)));                    \
  }
#define ONNXV_MEASURE(name) ONNXV_MEASURE_AS(name, vector_##name)
#define ONNXV_MEASURE_OWN(name) ONNXV_MEASURE_AS(name, name)
#define ONNXV_DECLARE_MEASURE(name) \
  void ONNXV_JOIN(ONNXV_JOIN(measured_##name, _), ONNXV_LANES)(const double* x, double* y);
ONNXV_LIBRARY_FUNCTIONS(ONNXV_DECLARE_MEASURE)
ONNXV_OWN_FUNCTIONS(ONNXV_DECLARE_MEASURE)
ONNXV_LIBRARY_FUNCTIONS(ONNXV_MEASURE)
ONNXV_OWN_FUNCTIONS(ONNXV_MEASURE_OWN)

void ONNXV_JOIN(measured_pow_, ONNXV_LANES)(const double* x, const double* y, double* z);
void ONNXV_JOIN(measured_pow_, ONNXV_LANES)(const double* x, const double* y, double* z) {
  for (size_t i = 0; i < 8; i += kLanes) store(z + i, vector_pow(load(x + i), load(y + i)));
}

#else

#define ONNXV_ROW1(name, expression) {#name, &kTorture##name, 1},
#define ONNXV_ROW2(name, expression) {#name, &kTorture##name, 2},
std::vector<Primitive> primitives() { return {ONNXV_UNARY(ONNXV_ROW1) ONNXV_BINARY(ONNXV_ROW2)}; }
const Formula& sum_formula() { return kTortureSum; }
const Formula& dot_formula() { return kTortureDot; }
const Formula& exponentials_formula() { return kTortureExponentials; }
const Formula& beside_one_formula() { return kTortureBesideOne; }

#endif

}  // namespace onnxv
