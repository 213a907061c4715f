// In front of every formula file in the build of one test (ops/written_forms_test.cc): there a registration notes the Interval
// reading of each way to write the formula, where src/number/formula.h lets only the tolerance read the others.
#ifndef ONNXV_OPS_PCH_WRITTEN_FORMS_H  // precompiled: `#pragma once` is refused in a file that is compiled by itself
#define ONNXV_OPS_PCH_WRITTEN_FORMS_H

#include <string>
#include <vector>

#include "src/number/formula.h"
#include "src/number/root.h"

// formula.h and root.h are in without their lanes. From here on, what is no formula stays out, and lanes in its place are those of
// a set that is compiled in.
#define ONNXV_LANES ONNXV_WRITTEN_FORMS
#include "src/number/ball.h"

namespace onnxv {

struct WrittenFormula {
  std::string name;
  size_t inputs, outputs;
  bool elementwise;
  std::vector<Reading> forms;  // the formula itself first
};
// All that were registered.
std::vector<WrittenFormula>& written_formulas();

// Formulas that join two ways in their midst do so here too.
template <>
inline constexpr bool reads_every_form<Interval> = true;
void join(Interval* x, const Interval& other);

namespace formula_detail {

template <auto formula, class Inputs>
void read_elements(const FormulaCall& call) {
  apply_elementwise<Interval, formula>(call, Inputs());
}
template <auto formula, class Inputs, class Outputs>
void read_line(const FormulaCall& call) {
  apply_line<Interval, formula>(call, Inputs(), Outputs());
}

template <size_t inputs, auto... forms>
bool note_elementwise(const char* name) {
  written_formulas().push_back({name, inputs, 1, true, {read_elements<forms, typename Counting<inputs>::type>...}});
  return true;
}
template <size_t inputs, size_t outputs, auto... forms>
bool note_line(const char* name) {
  written_formulas().push_back(
      {name, inputs, outputs, false, {read_line<forms, typename Counting<inputs>::type, typename Counting<outputs>::type>...}});
  return true;
}

}  // namespace formula_detail
}  // namespace onnxv

#undef ELEMENTWISE_FORMULA
#undef IEEE_FORMULA
#undef EXACT_FORMULA
#undef LINE_FORMULA
#define ELEMENTWISE_FORMULA(object, formula, arity, ...) \
  [[maybe_unused]] static const bool object##_noted =    \
      formula_detail::note_elementwise<arity, formula __VA_OPT__(,) __VA_ARGS__>(#object);
#define IEEE_FORMULA ELEMENTWISE_FORMULA
#define EXACT_FORMULA ELEMENTWISE_FORMULA
#define LINE_FORMULA(object, formula, inputs, outputs, ...) \
  [[maybe_unused]] static const bool object##_noted =       \
      formula_detail::note_line<inputs, outputs, formula __VA_OPT__(,) __VA_ARGS__>(#object);

#endif
