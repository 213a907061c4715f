// The primitives of the arithmetic as formulas, for the torture tests.
#pragma once

#include <string_view>
#include <vector>

#include "src/number/formula.h"

namespace onnxv {

struct Primitive {
  std::string_view name;
  const Formula* formula;
  size_t arity;
};
std::vector<Primitive> primitives();
const Formula& sum_formula();
const Formula& dot_formula();
const Formula& exponentials_formula();
const Formula& beside_one_formula();

// The functions of glibc that Ball calls on vectors; measured_NAME_SET(x, y) computes eight of them.
#define ONNXV_LIBRARY_FUNCTIONS(F)                                                             \
  F(exp) F(expm1) F(log) F(log1p) F(sin) F(cos) F(tan) F(asin) F(acos) F(atan) F(sinh) F(cosh) \
  F(tanh) F(asinh) F(acosh) F(atanh) F(erf) F(erfc)
// Ours, of src/number/vector_exp.h.
#define ONNXV_OWN_FUNCTIONS(F) F(near_exp) F(near_sigmoid) F(near_tanh)

}  // namespace onnxv
