// Positions as an honest backend may find them, and the whole numbers that it may round them to (src/number/model.h).
#pragma once

#include <algorithm>
#include <cstdint>

#include "src/number/model_rounding.h"
#include "src/number/rational.h"

namespace onnxv {

// A number as the text's formula takes it: itself, or rounded where the compute type does not have it.
template <class Number>
Number as(const Rational& exact);
template <>
inline Rational as<Rational>(const Rational& exact) {
  return exact;
}
template <>
inline ModelReal as<ModelReal>(const Rational& exact) {
  const double value = exact.to_double();
  return Rational::from_double(value) == exact ? ModelReal::operand(value) : rounded(ModelReal(value));
}

// The outcomes of a step.
struct Steps {
  int64_t low, high;
  double to_step;
  bool likely;  // that a typical backend takes another than the exact one
};
// Of floor, ceil or nearest_even; ends beyond [least, most] count as these.
inline Steps steps_of(const ModelReal& stepped, int64_t least, int64_t most) {
  const auto whole = [&](double end) {
    return static_cast<int64_t>(std::clamp(end, static_cast<double>(least), static_cast<double>(most)));
  };
  return {whole(stepped.low), whole(stepped.high), stepped.to_step, stepped.deviation > 0};
}

}  // namespace onnxv
