// Integers scaled and rounded to integers of 8 bits: the part that is compiled once per instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

namespace onnxv {

struct ScaledTile {
  const int32_t* values;
  size_t count;
  double factor;              // at most u off
  bool exact;                 // it is not off, and short enough for its products to be exact
  double zero, least, most;   // added to what was rounded; the ends of the type
  uint8_t* codes;
  uint32_t* open;             // positions of the elements whose rounding is not known
};
// Returns how many are open.
size_t scaled_tile_none(const ScaledTile& tile);
size_t scaled_tile_avx2(const ScaledTile& tile);
size_t scaled_tile_avx512(const ScaledTile& tile);

}  // namespace onnxv
