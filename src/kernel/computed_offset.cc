#include "src/kernel/computed_offset.h"

#include <cmath>

namespace onnxv {

ModelReal computed_offset(double offset, int64_t cell, int64_t start, int64_t distance) {
  const auto number = [](int64_t n) { return ModelReal(static_cast<double>(n)); };
  const ModelReal position = ModelReal::operand(offset) + number(distance) + number(start);
  if (position.point) return ModelReal::operand(offset);
  const int64_t integers = int64_t{1} << ArithmeticScope::current().type.bits, lower = start + distance + cell;
  if (lower < -integers || lower >= integers) return ModelReal::open(offset);
  // The end above belongs to the next cell, and gives what the number before it gives.
  const double below_next = std::nextafter(static_cast<double>(cell + 1), static_cast<double>(cell));
  const ModelReal within = min(max(position - number(start + distance), number(cell)), ModelReal(below_next));
  return ModelReal::between(offset, within.low, within.high, within.deviation);
}

}  // namespace onnxv
