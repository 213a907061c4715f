#include "src/number/model.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "src/number/ladder.h"

namespace onnxv {
namespace {

constexpr double kUnit = 0x1p-24;  // of float32

const ToleranceModel kUsual;

Bound to_float32(const ModelReal& x) { return written(Target::of(kFloat32), x); }
Bound exactly(double x) { return to_float32(ModelReal(x)); }

// The floats next to x.
double below(float x) { return std::nextafter(x, -HUGE_VALF); }
double above(float x) { return std::nextafter(x, HUGE_VALF); }

TEST_CASE("a number that arithmetic has exactly is a point") {
  const ArithmeticScope float32(kUsual, compute_type(kFloat32));
  CHECK((ModelReal(1.5) + ModelReal(0.25)).point);
  CHECK((ModelReal(3.0) * ModelReal(0.5)).point);
  CHECK((ModelReal(6.0) / ModelReal(3.0)).point);
  CHECK(sqrt(ModelReal(9.0)).point);
  CHECK_FALSE((ModelReal(1.0) + ModelReal(0x1p-24)).point);
  CHECK_FALSE((ModelReal(1.0) / ModelReal(3.0)).point);
  CHECK_FALSE(exp(ModelReal(1.0)).point);
  CHECK(tanh(ModelReal(0.0)).point == false);  // a point within an allowance of 0 ulp: the value itself
  CHECK(tanh(ModelReal(0.0)).low == 0);
  CHECK(exactly(0.1F).low == 0.1F);
  CHECK(exactly(0.1F).high == 0.1F);
  // What a backend must first round to its type is no point.
  CHECK(ModelReal::operand(0.1F).point);
  CHECK_FALSE(ModelReal::operand(0.1).point);
}

TEST_CASE("one operation: half an ulp to either side of the exact value, as numbers of the output's type") {
  const ArithmeticScope float32(kUsual, compute_type(kFloat32));
  // 1 + 2^-24 is a tie: 1 and 1 + 2^-23 are both within one rounding, their other neighbours are not.
  const Bound tie = to_float32(ModelReal(1.0) + ModelReal(0x1p-24));
  CHECK(tie.low == 1.0);
  CHECK(tie.high == above(1.0F));
  // 1/3 lies a third of an ulp above 0x3eaaaaab - 1 ulp … only one float is nearer than u / 3.
  const Bound third = to_float32(ModelReal(1.0) / ModelReal(3.0));
  CHECK(third.low == below(1.0F / 3.0F));
  CHECK(third.high == static_cast<double>(1.0F / 3.0F));
}

TEST_CASE("a sum in any order: (n - 1) u times the sizes; exact where a quantum divides everything") {
  const ArithmeticScope float32(kUsual, compute_type(kFloat32));
  const std::vector<ModelReal> whole{ModelReal(1e6), ModelReal(3.0), ModelReal(-1e6)};
  CHECK(sum(In<ModelReal>{whole.data(), 3}).point);
  const std::vector<ModelReal> mixed{ModelReal(1e8), ModelReal(0.1F), ModelReal(-1e8)};
  const ModelReal total = sum(In<ModelReal>{mixed.data(), 3});
  const double reach = 2 * kUnit * 2e8;  // 23.8
  CHECK(total.low > -1.02 * reach);
  CHECK(total.low < -0.99 * reach);
  CHECK(total.high > 0.99 * reach);
  // 2 sqrt(3) u sqrt(S^2 + sum of squares), S = 0.1: 2 * 1.732 * 5.96e-8 * 1.414e8 = 29.2
  CHECK(total.deviation == doctest::Approx(29.2).epsilon(0.01));
  // Zeros are no terms.
  const std::vector<ModelReal> one{ModelReal(0.0), ModelReal(0.1F), ModelReal(0.0)};
  CHECK(sum(In<ModelReal>{one.data(), 3}).low == static_cast<double>(0.1F));
}

TEST_CASE("a dot product: n u times the sizes of the products") {
  const ArithmeticScope float32(kUsual, compute_type(kFloat32));
  const std::vector<ModelReal> a{ModelReal(0.1F), ModelReal(0.2F)}, b{ModelReal(0.3F), ModelReal(-0.7F)};
  const ModelReal product = dot(In<ModelReal>{a.data(), 2}, In<ModelReal>{b.data(), 2});
  CHECK(product.m == doctest::Approx(0.03 - 0.14));
  CHECK(product.high - product.m == doctest::Approx(2 * kUnit * 0.17).epsilon(0.02));
  CHECK(product.m - product.low == doctest::Approx(2 * kUnit * 0.17).epsilon(0.02));
}

TEST_CASE("library functions have their allowance in ulp, and it can be said otherwise") {
  const double e = std::exp(1.0), ulp = 0x1p-22;  // of float32 in [2, 4)
  {
    const ArithmeticScope float32(kUsual, compute_type(kFloat32));
    CHECK(exp(ModelReal(1.0)).high == doctest::Approx(e + 4 * ulp).epsilon(1e-12));
  }
  ToleranceModel precise;
  precise.library.fill(0.5);
  const ArithmeticScope float32(precise, compute_type(kFloat32));
  CHECK(exp(ModelReal(1.0)).high == doctest::Approx(e + ulp / 2).epsilon(1e-12));
  // A result cannot leave the function's range.
  CHECK(exp(ModelReal(-1000.0)).low >= 0);
}

TEST_CASE("steps give the hull of what a backend may step to, and say how far the jump is") {
  const ArithmeticScope float32(kUsual, compute_type(kFloat32));
  const ModelReal near = ModelReal::between(2.4999999, 2.4999998, 2.5000001, 1e-7);
  const ModelReal stepped = nearest_even(near) + ModelReal(10.0);
  CHECK(stepped.low == 12);
  CHECK(stepped.high == 13);
  CHECK(stepped.to_step == doctest::Approx(1e-7).epsilon(0.01));
  const ModelReal far = nearest_even(ModelReal::between(2.25, 2.24, 2.26, 1e-7));
  CHECK(far.point);
  CHECK(far.m == 2);
}

TEST_CASE("an open choice is the hull of both; a division by what may be zero is anything") {
  const ArithmeticScope float32(kUsual, compute_type(kFloat32));
  const ModelReal x = ModelReal::between(1e-9, -1e-9, 2e-9, 1e-9);
  const ModelReal chosen = select(x < ModelReal(0.0), ModelReal(3.0), ModelReal(5.0));
  CHECK(chosen.low == 3);
  CHECK(chosen.high == 5);
  CHECK((ModelReal(1.0) / x).is_open());
  CHECK((x * x).low <= 0);
  CHECK((x * x).low > -1e-40);  // a square is not negative, but for the rounding
}

TEST_CASE("IEEE's specials are points") {
  const ArithmeticScope float32(kUsual, compute_type(kFloat32));
  CHECK((ModelReal(HUGE_VAL) + ModelReal(1.0)).point);
  CHECK((ModelReal(HUGE_VAL) - ModelReal(HUGE_VAL)).is_nan_point());
  CHECK(exp(ModelReal(-HUGE_VAL)).point);
  CHECK(exp(ModelReal(-HUGE_VAL)).m == 0);
  CHECK(max(ModelReal(std::nan("")), ModelReal(1.0)).is_nan_point());
}

TEST_CASE("another way to the same real joins; a way that overflows is none") {
  const ArithmeticScope float32(kUsual, compute_type(kFloat32));
  ModelReal x = ModelReal::between(1, 0.9, 1.1, 0.05);
  join(&x, ModelReal::between(1, 0.5, 1.05, 0.2));
  CHECK(x.low == 0.5);
  CHECK(x.high == 1.1);
  CHECK(x.deviation == 0.2);
  join(&x, ModelReal(HUGE_VAL));
  CHECK(x.high == 1.1);
}

TEST_CASE("flush to zero, fast mathematics and other compute types widen") {
  ToleranceModel flushing;
  flushing.flush_to_zero = true;
  {
    const ArithmeticScope float32(flushing, compute_type(kFloat32));
    CHECK(to_float32(ModelReal(0x1p-100) * ModelReal(0x1p-40)).low <= 0);
    CHECK(ModelReal::operand(0x1p-140).low <= 0);
  }
  ToleranceModel fast;
  fast.fast_math = 2;
  {
    const ArithmeticScope float32(fast, compute_type(kFloat32));
    CHECK((ModelReal(1.0) / ModelReal(3.0)).high - 1.0 / 3 == doctest::Approx(4 * kUnit / 3).epsilon(0.02));
  }
  const ArithmeticScope tf32(kUsual, *compute_type("tf32"));
  CHECK((ModelReal(1.0) / ModelReal(3.0)).high - 1.0 / 3 == doctest::Approx(0x1p-11 / 3).epsilon(0.02));
  CHECK_FALSE(ModelReal::operand(1.0 + 0x1p-12).point);
}

TEST_CASE("an output narrower than the compute type is rounded once more, by itself") {
  const ArithmeticScope float32(kUsual, compute_type(kFloat32));
  // 1 + 2^-11 is the tie of float16 between 1 and 1 + 2^-10: float32's third of a millionth decides nothing.
  const Bound tie = written(Target::of(kFloat16), ModelReal(3.0) / ModelReal(3.0 / (1 + 0x1p-11)));
  CHECK(tie.low == 1);
  CHECK(tie.high == 1 + 0x1p-10);
  const Bound clear = written(Target::of(kFloat16), ModelReal(1.0) / ModelReal(3.0));
  CHECK(clear.low == clear.high);
}

}  // namespace
}  // namespace onnxv
