#include "src/kernel/scaled_integers.h"

#include <cmath>

#include "src/kernel/scaled_tile.h"
#include "src/number/instruction_sets.h"
#include "src/number/ladder.h"

namespace onnxv {
namespace {

size_t scaled_tile(const ScaledTile& tile) {
  static const auto function = ONNXV_OF_SET(scaled_tile);
  return function(tile);
}

// At most 22 significant bits: times 31 more they fit a double.
bool is_short(double factor) {
  int exponent;
  const double digits = std::ldexp(std::frexp(factor, &exponent), 22);
  return digits == std::trunc(digits);
}

}  // namespace

// a · b has at most 48 bits and is exact; powers of three floats are far from both ends of double.
std::vector<uint32_t> scale_integers(const int32_t* values, size_t count, const IntegerScale& by, IntegerFormat type, uint8_t* codes) {
  const double product = by.a * by.b, factor = product / by.y;
  const bool exact = std::fma(factor, by.y, -product) == 0 && is_short(factor);
  std::vector<uint32_t> open(count);
  open.resize(scaled_tile({values, count, factor, exact, static_cast<double>(by.zero), static_cast<double>(smallest_integer(type)),
                           static_cast<double>(largest_integer(type)), codes, open.data()}));
  return open;
}

}  // namespace onnxv
