// A formula: a generic function over the arithmetic it is read in, written once, read several ways.
//
//   constexpr auto relu = []<class Real>(Real x) -> Real { return max(x, Real(0.0)); };
//   ELEMENTWISE_FORMULA(kRelu, relu, 1)
//
//   constexpr auto softmax = []<class Real>(In<Real> x, Out<Real> y) { … };
//   LINE_FORMULA(kSoftmax, softmax, 1, 1)
//
// IEEE_FORMULA is an ELEMENTWISE_FORMULA that is one IEEE operation (+ - * / sqrt): in plain float64 it is right too.
//
// A formula file is compiled once for the proof (Interval) and once more per instruction set for
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
  const void* const* in;    // arrays of Real, in_count[k] elements (elementwise: `repeat` or, where shared, one)
  const size_t* in_count;
  const bool* in_shared;    // elementwise: the operand is one element for all
  void* const* out;
  const size_t* out_count;
  Options options;
  size_t repeat;            // elementwise: how many elements
};
using Reading = void (*)(const FormulaCall&);

struct Formula {
  const char* name;
  size_t inputs, outputs;
  bool elementwise;
  Reading lanes_none, lanes_avx2, lanes_avx512;  // null: that set is not compiled in
  Reading interval;
  Reading plain;  // a single IEEE operation: right in plain float64 too; else null
};

inline Reading lanes_of_none(const Formula& formula) { return formula.lanes_none; }
inline Reading lanes_of_avx2(const Formula& formula) { return formula.lanes_avx2; }
inline Reading lanes_of_avx512(const Formula& formula) { return formula.lanes_avx512; }

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

#include "src/number/ball.h"

#define ELEMENTWISE_FORMULA(object, formula, arity)                                        \
  void ONNXV_JOIN(object##_lanes_, ONNXV_LANES)(const FormulaCall& call);                  \
  void ONNXV_JOIN(object##_lanes_, ONNXV_LANES)(const FormulaCall& call) {                 \
    formula_detail::apply_elementwise<Ball, formula>(                                      \
        call, formula_detail::Counting<arity>::type());                                    \
  }
#define IEEE_FORMULA(object, formula, arity) ELEMENTWISE_FORMULA(object, formula, arity)
#define LINE_FORMULA(object, formula, inputs, outputs)                                     \
  void ONNXV_JOIN(object##_lanes_, ONNXV_LANES)(const FormulaCall& call);                  \
  void ONNXV_JOIN(object##_lanes_, ONNXV_LANES)(const FormulaCall& call) {                 \
    formula_detail::apply_line<Ball, formula>(call, formula_detail::Counting<inputs>::type(), \
                                              formula_detail::Counting<outputs>::type());  \
  }

#else

#include "src/number/interval.h"

// The build names the sets that are compiled in: ONNXV_SET_none, ONNXV_SET_avx2, ONNXV_SET_avx512.
#ifdef ONNXV_SET_none
#define ONNXV_LANES_NONE(object) object##_lanes_none
#else
#define ONNXV_LANES_NONE(object) nullptr
#endif
#ifdef ONNXV_SET_avx2
#define ONNXV_LANES_AVX2(object) object##_lanes_avx2
#else
#define ONNXV_LANES_AVX2(object) nullptr
#endif
#ifdef ONNXV_SET_avx512
#define ONNXV_LANES_AVX512(object) object##_lanes_avx512
#else
#define ONNXV_LANES_AVX512(object) nullptr
#endif

#define ONNXV_FORMULA_OBJECT(object, inputs, outputs, elementwise, plain)                         \
  void object##_lanes_none(const FormulaCall&);                                            \
  void object##_lanes_avx2(const FormulaCall&);                                            \
  void object##_lanes_avx512(const FormulaCall&);                                          \
  extern const Formula object;                                                             \
  const Formula object{#object,                                                            \
                       inputs,                                                             \
                       outputs,                                                            \
                       elementwise,                                                        \
                       ONNXV_LANES_NONE(object),                                           \
                       ONNXV_LANES_AVX2(object),                                           \
                       ONNXV_LANES_AVX512(object),                                         \
                       object##_interval,                                                  \
                       plain};
#define ELEMENTWISE_FORMULA(object, formula, arity)                                        \
  static void object##_interval(const FormulaCall& call) {                                 \
    formula_detail::apply_elementwise<Interval, formula>(                                  \
        call, formula_detail::Counting<arity>::type());                                    \
  }                                                                                        \
  ONNXV_FORMULA_OBJECT(object, arity, 1, true, nullptr)
#define LINE_FORMULA(object, formula, inputs, outputs)                                     \
  static void object##_interval(const FormulaCall& call) {                                 \
    formula_detail::apply_line<Interval, formula>(call, formula_detail::Counting<inputs>::type(), \
                                                  formula_detail::Counting<outputs>::type()); \
  }                                                                                        \
  ONNXV_FORMULA_OBJECT(object, inputs, outputs, false, nullptr)
#define IEEE_FORMULA(object, formula, arity)                                               \
  static void object##_interval(const FormulaCall& call) {                                 \
    formula_detail::apply_elementwise<Interval, formula>(                                  \
        call, formula_detail::Counting<arity>::type());                                    \
  }                                                                                        \
  static void object##_plain(const FormulaCall& call) {                                    \
    formula_detail::apply_elementwise<double, formula>(                                    \
        call, formula_detail::Counting<arity>::type());                                    \
  }                                                                                        \
  ONNXV_FORMULA_OBJECT(object, arity, 1, true, object##_plain)

#endif
