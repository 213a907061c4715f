// Operands that no double holds exactly: integers of any size and rationals.
#pragma once

#include <functional>
#include <memory>

#include "src/number/ladder.h"
#include "src/number/rational.h"

namespace onnxv {

class Interval;
// A point as soon as the precision holds it, if any does.
Interval interval_of(const Rational& value);

// `count` integers per line. Lanes get the nearest double and its distance; the proof gets the integer itself, a
// point as soon as the precision holds it.
std::unique_ptr<LineSource> big_integer_source(size_t count, std::function<void(size_t line, BigInt* out)> values);
// `count` rationals per line, numerator over denominator.
std::unique_ptr<LineSource> rational_source(size_t count, std::function<void(size_t line, Rational* out)> values);

}  // namespace onnxv
