// ModelReal: the Tolerance reading. What an honest backend may make of a formula in arithmetic of limited
// precision (numerics.md, section 3).
//
//   m            the exact value, as a double
//   [low, high]  every value that an honest evaluation can reach: each operation may be off by the unit roundoff of the
//                compute type and by its subnormal floor, each library function by its allowance in ulp, a sum by the
//                bound of any order of its additions
//   deviation    what is to be expected: the same errors added in quadrature
// Point: a number that any honest backend has exactly (low == high == m; infinities and NaN too).
//
// Not modelled, so that it is not excused: an intermediate that overflows, or vanishes altogether, while the result is an ordinary number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "src/number/bound.h"
#include "src/number/operands.h"

namespace onnxv {

struct Target;

// The type that a backend is taken to compute in: the assumptions' own, else the narrowest of the outputs' types that anyone
// computes in, else the node's.
ComputeType compute_type_of(const ToleranceModel& tolerance, std::span<const Target> targets);

// The rounding of the compute type of this thread, for as long as it lives.
class ArithmeticScope {
 public:
  ArithmeticScope(const ToleranceModel& model, ComputeType type);
  ~ArithmeticScope();
  ArithmeticScope(const ArithmeticScope&) = delete;
  ArithmeticScope& operator=(const ArithmeticScope&) = delete;

  double unit;      // relative error of one operation, and of what evaluating the model in double adds
  double expected_unit;
  double floor;     // absolute error of one operation: underflow
  double smallest_normal;
  ComputeType type;
  const ToleranceModel& model;
  static const ArithmeticScope& current();

 private:
  const ArithmeticScope* outer_;
};

class ModelReal {
 public:
  ModelReal() = default;  // +0
  ModelReal(double exact) : m(exact), low(exact), high(exact) {}  // NOLINT: constants of a formula
  // A number that a backend must first bring into its compute type.
  static ModelReal operand(double exact);
  static ModelReal between(double m, double low, double high, double deviation);
  static ModelReal open(double m);  // anything

  double m = 0, low = 0, high = 0, deviation = 0;
  double to_step = std::numeric_limits<double>::infinity();
  bool point = true;
  bool whole = false;  // not a point, and every value of the hull is an integer: a step's

  bool is_nan_point() const { return point && m != m; }
  bool is_open() const { return !point && !(low > -std::numeric_limits<double>::infinity()) &&
                                !(high < std::numeric_limits<double>::infinity()); }
  double magnitude() const;  // the largest of the hull
};

template <>
inline constexpr bool reads_every_form<ModelReal> = true;

struct ModelDecision {
  bool yes, open;
};

ModelReal operator-(const ModelReal& x);
ModelReal operator+(const ModelReal& a, const ModelReal& b);
ModelReal operator-(const ModelReal& a, const ModelReal& b);
ModelReal operator*(const ModelReal& a, const ModelReal& b);
ModelReal operator/(const ModelReal& a, const ModelReal& b);
inline ModelReal& operator+=(ModelReal& a, const ModelReal& b) { return a = a + b; }
inline ModelReal& operator-=(ModelReal& a, const ModelReal& b) { return a = a - b; }
inline ModelReal& operator*=(ModelReal& a, const ModelReal& b) { return a = a * b; }

ModelReal abs(const ModelReal& x);
ModelReal min(const ModelReal& a, const ModelReal& b);
ModelReal max(const ModelReal& a, const ModelReal& b);
ModelDecision operator<(const ModelReal& a, const ModelReal& b);
ModelDecision operator<=(const ModelReal& a, const ModelReal& b);
inline ModelDecision operator>(const ModelReal& a, const ModelReal& b) { return b < a; }
inline ModelDecision operator>=(const ModelReal& a, const ModelReal& b) { return b <= a; }
ModelDecision operator==(const ModelReal& a, const ModelReal& b);
ModelDecision is_nan(const ModelReal& x);
ModelDecision operator&&(ModelDecision a, ModelDecision b);
ModelDecision operator||(ModelDecision a, ModelDecision b);
inline ModelDecision operator!(ModelDecision a) { return {!a.yes && !a.open, a.open}; }
// a, b, or the hull of both where it is open.
ModelReal select(ModelDecision yes, const ModelReal& a, const ModelReal& b);
// Another way to the same real: the hull of both. A way that overflows is no way.
void join(ModelReal* x, const ModelReal& other);

ModelReal sqrt(const ModelReal& x);
ModelReal exp(const ModelReal& x);
ModelReal expm1(const ModelReal& x);
ModelReal log(const ModelReal& x);
ModelReal log1p(const ModelReal& x);
ModelReal sin(const ModelReal& x);
ModelReal cos(const ModelReal& x);
ModelReal tan(const ModelReal& x);
ModelReal asin(const ModelReal& x);
ModelReal acos(const ModelReal& x);
ModelReal atan(const ModelReal& x);
ModelReal sinh(const ModelReal& x);
ModelReal cosh(const ModelReal& x);
ModelReal tanh(const ModelReal& x);
ModelReal asinh(const ModelReal& x);
ModelReal acosh(const ModelReal& x);
ModelReal atanh(const ModelReal& x);
ModelReal erf(const ModelReal& x);
ModelReal erfc(const ModelReal& x);
ModelReal erfinv(const ModelReal& x);
ModelReal pow(const ModelReal& x, const ModelReal& y);
ModelReal pi(const ModelReal&);
void turn(int64_t k, int64_t n, ModelReal& cosine, ModelReal& sine);

// Steps: the hull of the values that a backend may step to.
ModelReal floor(const ModelReal& x);
ModelReal ceil(const ModelReal& x);
ModelReal trunc(const ModelReal& x);
ModelReal nearest_even(const ModelReal& x);
ModelReal fmod(const ModelReal& x, const ModelReal& y);
// The named type's rounding; a backend that keeps more digits is honest too.
ModelReal round_to(int64_t format, const ModelReal& x);

// In any order of the additions.
ModelReal sum(In<ModelReal> terms);
ModelReal dot(In<ModelReal> a, In<ModelReal> b);
void prefix_sums(In<ModelReal> terms, Out<ModelReal> sums);
inline ModelReal sum(Out<ModelReal> terms) { return sum(In<ModelReal>(terms)); }
inline ModelReal dot(Out<ModelReal> a, Out<ModelReal> b) { return dot(In<ModelReal>(a), In<ModelReal>(b)); }
ModelReal shift_of(In<ModelReal> line);
inline ModelReal shift_of(Out<ModelReal> line) { return shift_of(In<ModelReal>(line)); }

// What a sum, or a dot product of exact operands, is made of, gathered by whoever adds it up.
struct Addends {
  double total = 0, low = 0, high = 0;  // sums of the terms' midpoints and ends
  double magnitudes = 0;   // of the largest magnitude of each term
  double squares = 0;      // of the terms' midpoints
  double variance = 0;     // of the terms' deviations
  double quantum = std::numeric_limits<double>::infinity();  // every term is a multiple of it
  size_t count = 0;        // terms that are not exactly zero
  bool points = true, products = false;
};
ModelReal model_of(const Addends& addends);

// A number that was computed before in the same node, as a backend may have it.
ModelReal model_of(double value, const Bound& bound);

// What becomes of a result where it is written: its ends as numbers of the target.
Bound written(const Target& target, const ModelReal& x);

}  // namespace onnxv
