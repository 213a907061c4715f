// The part of the product that is compiled once per instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

namespace onnxv {

inline constexpr size_t kPanelRows = 4;      // vectors of a in a panel: [length][4]
inline constexpr size_t kPanelColumns = 24;  // vectors of b in a panel: [length][24]
inline constexpr size_t kDepth = 128;        // elements that one run of the inner kernel adds

// sums[i * kPanelColumns + j] = the float64 sum for `panels` panels of a against one panel of b. Starts at -0.0, so that an exact zero
// is +0 unless every product is -0.
struct ProductTile {
  const double* a;  // panels after one another, each [length][kPanelRows]
  const double* b;  // [length][kPanelColumns]
  size_t panels, length;
  double* sums;     // [panels * kPanelRows][kPanelColumns]
};
void product_tile_none(const ProductTile& tile);
void product_tile_avx2(const ProductTile& tile);
void product_tile_avx512(const ProductTile& tile);

// Rounds a row of sums to float32 codes; open[j] = 1 where sum ± bound does not round alike.
struct ProductCheck {
  const double* sums;
  const double* bounds;
  size_t count;
  float* codes;
  uint8_t* open;
};
void product_check_none(const ProductCheck& check);
void product_check_avx2(const ProductCheck& check);
void product_check_avx512(const ProductCheck& check);

}  // namespace onnxv
