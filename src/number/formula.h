// A formula: a generic function over the arithmetic it is read in, written once, read several ways.
//
//   constexpr auto relu = []<class Real>(Real x) -> Real { return max(x, Real(0.0)); };
//   ELEMENTWISE_FORMULA(kRelu, relu, 1)
//
//   constexpr auto softmax = []<class Real>(In<Real> x, Out<Real> y) { … };
//   LINE_FORMULA(kSoftmax, softmax, 1, 1)
//
// Two kinds of ELEMENTWISE_FORMULA need no bound, and are read as Machine too (src/number/machine.h):
//   EXACT_FORMULA   its value is a double wherever its operands are: choices, signs, steps
//   IEEE_FORMULA    one operation (+ - * / sqrt), and choices between such: rounded once to float64 it is right, and, for operands of
//                   no more digits than the target has, rounded to the target after that (Figueroa: 53 >= 2p + 2)
//
// Behind the arity may stand other ways to write the same reals, each a lambda of the same kind: the text's own form where ours is
// a rewrite, the function body's where it differs. Only the Model reading takes them: an honest backend may follow any.
//
// A formula file is compiled once for the proof (BallDD, Interval) and the tolerance (Model), and once more per instruction set for
// lanes (Ball). Everything that is not a formula stands behind
//   #ifndef ONNXV_LANES
// in the same file, so that it is compiled once. An attribute is one more input of the formula (an exact constant); a switch
// (a count, a mode) is an entry of Options. A formula never branches on a Real.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/number/operands.h"

namespace onnxv {

struct FormulaCall {
  // Arrays of Real, in_count[k] elements (elementwise: `repeat` or, where shared, one). Elementwise on lanes: LaneOperands and
  // one LaneResult.
  const void* const* in;
  const size_t* in_count;
  const bool* in_shared;    // elementwise: the operand is one element for all
  void* const* out;
  const size_t* out_count;
  Options options;
  size_t repeat;            // elementwise: how many elements; for lanes a multiple of their number
};

// What makes a bound superfluous; see above.
enum class Single : uint8_t { kNo, kExact, kOperation };

using Reading = void (*)(const FormulaCall&);

struct Formula {
  const char* name;
  size_t inputs, outputs;
  bool elementwise;
  Reading lanes_none, lanes_avx2, lanes_avx512;  // null: that set is not compiled in
  Reading ball_dd;   // null where machine readings decide: single is not kNo
  Reading interval;
  Reading model;  // the hull of all ways to write it
  Single single;
  Reading machine_none, machine_avx2, machine_avx512;  // where single is not kNo
};

inline Reading lanes_of_none(const Formula& formula) { return formula.lanes_none; }
inline Reading lanes_of_avx2(const Formula& formula) { return formula.lanes_avx2; }
inline Reading lanes_of_avx512(const Formula& formula) { return formula.lanes_avx512; }
inline Reading machine_of_none(const Formula& formula) { return formula.machine_none; }
inline Reading machine_of_avx2(const Formula& formula) { return formula.machine_avx2; }
inline Reading machine_of_avx512(const Formula& formula) { return formula.machine_avx512; }

}  // namespace onnxv

#ifdef ONNXV_LANES
#include "src/number/ball.h"
#include "src/number/machine.h"
#endif

namespace onnxv {
namespace formula_detail {

template <size_t... k>
struct Indices {};
template <size_t n, size_t... k>
struct Counting : Counting<n - 1, n - 1, k...> {};
template <size_t... k>
struct Counting<0, k...> {
  using type = Indices<k...>;
};

template <class Real, auto formula, size_t... k>
void apply_elementwise(const FormulaCall& call, Indices<k...>) {
  const Real* in[sizeof...(k) + 1] = {static_cast<const Real*>(call.in[k])...};
  Real* out = static_cast<Real*>(call.out[0]);
  for (size_t i = 0; i < call.repeat; ++i) {
    if constexpr (requires { formula(call.options, in[k][0]...); }) {
      out[i] = formula(call.options, in[k][call.in_shared[k] ? 0 : i]...);
    } else {
      out[i] = formula(in[k][call.in_shared[k] ? 0 : i]...);
    }
  }
}

#ifdef ONNXV_LANES
// Lanes of Real: a Ball, or a Machine, whose radius is nobody's.
template <class Real, auto formula, size_t... k>
void apply_on_lanes(const FormulaCall& call, Indices<k...>) {
  const LaneOperand in[] = {*static_cast<const LaneOperand*>(call.in[k])...};
  const LaneResult out = *static_cast<const LaneResult*>(call.out[0]);
  for (size_t i = 0; i < call.repeat; i += kLanes) {
    Real y;
    if constexpr (requires { formula(call.options, Real::at(in[k], i)...); }) {
      y = formula(call.options, Real::at(in[k], i)...);
    } else {
      y = formula(Real::at(in[k], i)...);
    }
    y.put(out, i);
  }
}
#endif

template <class Real, auto formula, size_t... k, size_t... o>
void apply_line(const FormulaCall& call, Indices<k...>, Indices<o...>) {
  if constexpr (requires {
                  formula(call.options, In<Real>{static_cast<const Real*>(call.in[k]), 0}...,
                          Out<Real>{static_cast<Real*>(call.out[o]), 0}...);
                }) {
    formula(call.options, In<Real>{static_cast<const Real*>(call.in[k]), call.in_count[k]}...,
            Out<Real>{static_cast<Real*>(call.out[o]), call.out_count[o]}...);
  } else {
    formula(In<Real>{static_cast<const Real*>(call.in[k]), call.in_count[k]}...,
            Out<Real>{static_cast<Real*>(call.out[o]), call.out_count[o]}...);
  }
}

}  // namespace formula_detail
}  // namespace onnxv

#define ONNXV_JOIN_(a, b) a##b
#define ONNXV_JOIN(a, b) ONNXV_JOIN_(a, b)

#ifdef ONNXV_LANES

#define ONNXV_ON_LANES(object, Real, formula, arity)                                                 \
  void ONNXV_JOIN(object, ONNXV_LANES)(const FormulaCall& call);                                     \
  void ONNXV_JOIN(object, ONNXV_LANES)(const FormulaCall& call) {                                    \
    formula_detail::apply_on_lanes<Real, formula>(call, formula_detail::Counting<arity>::type());    \
  }
#define ELEMENTWISE_FORMULA(object, formula, arity, ...) ONNXV_ON_LANES(object##_lanes_, Ball, formula, arity)
#define IEEE_FORMULA(object, formula, arity, ...)                  \
  ONNXV_ON_LANES(object##_lanes_, Ball, formula, arity)       \
  ONNXV_ON_LANES(object##_machine_, Machine, formula, arity)
#define EXACT_FORMULA(object, formula, arity, ...) IEEE_FORMULA(object, formula, arity)
#define LINE_FORMULA(object, formula, inputs, outputs, ...)                                \
  void ONNXV_JOIN(object##_lanes_, ONNXV_LANES)(const FormulaCall& call);                  \
  void ONNXV_JOIN(object##_lanes_, ONNXV_LANES)(const FormulaCall& call) {                 \
    formula_detail::apply_line<Ball, formula>(call, formula_detail::Counting<inputs>::type(), \
                                              formula_detail::Counting<outputs>::type());  \
  }

#else

#include "src/number/ball_dd.h"
#include "src/number/interval.h"
#include "src/number/model.h"

// The build names the sets that are compiled in: ONNXV_SET_none, ONNXV_SET_avx2, ONNXV_SET_avx512.
#ifdef ONNXV_SET_none
#define ONNXV_IF_NONE(reading) reading
#else
#define ONNXV_IF_NONE(reading) nullptr
#endif
#ifdef ONNXV_SET_avx2
#define ONNXV_IF_AVX2(reading) reading
#else
#define ONNXV_IF_AVX2(reading) nullptr
#endif
#ifdef ONNXV_SET_avx512
#define ONNXV_IF_AVX512(reading) reading
#else
#define ONNXV_IF_AVX512(reading) nullptr
#endif
#define ONNXV_READINGS(reading) \
  ONNXV_IF_NONE(reading##none), ONNXV_IF_AVX2(reading##avx2), ONNXV_IF_AVX512(reading##avx512)
#define ONNXV_DECLARE_READINGS(reading)    \
  void reading##none(const FormulaCall&);  \
  void reading##avx2(const FormulaCall&);  \
  void reading##avx512(const FormulaCall&);

namespace onnxv::formula_detail {

template <auto formula, auto... others, size_t... k>
void model_elementwise(const FormulaCall& call, Indices<k...> arity) {
  apply_elementwise<ModelReal, formula>(call, arity);
  [[maybe_unused]] const auto join_with = [&]<auto other>() {
    std::vector<ModelReal> results(call.repeat);
    void* out[1] = {results.data()};
    FormulaCall again = call;
    again.out = out;
    apply_elementwise<ModelReal, other>(again, arity);
    for (size_t i = 0; i < call.repeat; ++i) join(static_cast<ModelReal*>(call.out[0]) + i, results[i]);
  };
  (join_with.template operator()<others>(), ...);
}

template <auto formula, auto... others, size_t... k, size_t... o>
void model_line(const FormulaCall& call, Indices<k...> inputs, Indices<o...> outputs) {
  apply_line<ModelReal, formula>(call, inputs, outputs);
  [[maybe_unused]] const auto join_with = [&]<auto other>() {
    std::vector<ModelReal> results[sizeof...(o)] = {std::vector<ModelReal>(call.out_count[o])...};
    void* out[sizeof...(o)] = {results[o].data()...};
    FormulaCall again = call;
    again.out = out;
    apply_line<ModelReal, other>(again, inputs, outputs);
    for (size_t k_out = 0; k_out < sizeof...(o); ++k_out) {
      for (size_t i = 0; i < results[k_out].size(); ++i) join(static_cast<ModelReal*>(call.out[k_out]) + i, results[k_out][i]);
    }
  };
  (join_with.template operator()<others>(), ...);
}

}  // namespace onnxv::formula_detail

#define ONNXV_FORMULA_OBJECT(object, inputs, outputs, elementwise, ball_dd, ...)                   \
  ONNXV_DECLARE_READINGS(object##_lanes_)                                                          \
  extern const Formula object;                                                                     \
  const Formula object{#object, inputs, outputs, elementwise, ONNXV_READINGS(object##_lanes_),     \
                       ball_dd, object##_interval, object##_model, __VA_ARGS__};
// BallDD where bounds are needed.
#define ONNXV_ELEMENTWISE_BALL_DD(object, formula, arity)                                          \
  static void object##_ball_dd(const FormulaCall& call) {                                          \
    formula_detail::apply_elementwise<BallDD, formula>(call, formula_detail::Counting<arity>::type()); \
  }
// Interval and Model; behind the arity the other ways to write the formula.
#define ONNXV_ELEMENTWISE_PROOF(object, formula, arity, ...)                                       \
  static void object##_interval(const FormulaCall& call) {                                         \
    formula_detail::apply_elementwise<Interval, formula>(call, formula_detail::Counting<arity>::type()); \
  }                                                                                                \
  static void object##_model(const FormulaCall& call) {                                            \
    formula_detail::model_elementwise<formula __VA_OPT__(,) __VA_ARGS__>(                          \
        call, formula_detail::Counting<arity>::type());                                            \
  }
#define ONNXV_SINGLE_FORMULA(object, formula, arity, single, ...)                                  \
  ONNXV_ELEMENTWISE_PROOF(object, formula, arity __VA_OPT__(,) __VA_ARGS__)                        \
  ONNXV_DECLARE_READINGS(object##_machine_)                                                        \
  ONNXV_FORMULA_OBJECT(object, arity, 1, true, nullptr, single, ONNXV_READINGS(object##_machine_))

#define ELEMENTWISE_FORMULA(object, formula, arity, ...)                                           \
  ONNXV_ELEMENTWISE_PROOF(object, formula, arity __VA_OPT__(,) __VA_ARGS__)                        \
  ONNXV_ELEMENTWISE_BALL_DD(object, formula, arity)                                                \
  ONNXV_FORMULA_OBJECT(object, arity, 1, true, object##_ball_dd, Single::kNo, nullptr, nullptr, nullptr)
#define IEEE_FORMULA(object, formula, arity, ...) \
  ONNXV_SINGLE_FORMULA(object, formula, arity, Single::kOperation __VA_OPT__(,) __VA_ARGS__)
#define EXACT_FORMULA(object, formula, arity, ...) \
  ONNXV_SINGLE_FORMULA(object, formula, arity, Single::kExact __VA_OPT__(,) __VA_ARGS__)
#define LINE_FORMULA(object, formula, inputs, outputs, ...)                                        \
  static void object##_ball_dd(const FormulaCall& call) {                                          \
    formula_detail::apply_line<BallDD, formula>(call, formula_detail::Counting<inputs>::type(),    \
                                                formula_detail::Counting<outputs>::type());        \
  }                                                                                                \
  static void object##_interval(const FormulaCall& call) {                                         \
    formula_detail::apply_line<Interval, formula>(call, formula_detail::Counting<inputs>::type(),  \
                                                  formula_detail::Counting<outputs>::type());      \
  }                                                                                                \
  static void object##_model(const FormulaCall& call) {                                            \
    formula_detail::model_line<formula __VA_OPT__(,) __VA_ARGS__>(                                 \
        call, formula_detail::Counting<inputs>::type(), formula_detail::Counting<outputs>::type()); \
  }                                                                                                \
  ONNXV_FORMULA_OBJECT(object, inputs, outputs, false, object##_ball_dd, Single::kNo, nullptr, nullptr, nullptr)

#endif
