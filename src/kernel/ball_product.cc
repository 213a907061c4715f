#include "src/kernel/ball_product.h"

#include <cmath>

#include "src/kernel/product_grid.h"

namespace onnxv {

// |sum of (m + d) v - computed sum of m v| <= |d| |v| + the tile's bound, where m v may be inexact: each step rounds once more
// at the most, which a unit of 2^-52 |m| |v| pays for.
Balls multiply_balls(const StoredVectors& midpoints, const std::vector<double>& radius_norms, const Vectors& b) {
  const size_t columns = b.count();
  Balls product;
  product.midpoints.resize(midpoints.count() * columns);
  product.radii.resize(product.midpoints.size());
  const ProductTask task{midpoints, b, nullptr, 16};
  for_each_tile(task, [&](const SumsOfTile& tile, size_t row, size_t column) {
    const size_t at = row * columns + column;
    product_kernels().balls(with_quanta(tile), product.midpoints.data() + at, product.radii.data() + at, columns);
    for (size_t i = 0; i < tile.rows; ++i) {
      for (size_t j = 0; j < tile.columns; ++j) {
        double& radius = product.radii[at + i * columns + j];
        if (radius != 0) radius += 0x1p-52 * (tile.norms_a[i] * tile.norms_b[j]);
        radius += radius_norms[row + i] * tile.norms_b[j] * (1 + 0x1p-20);
        if (radius < HUGE_VAL) continue;
        radius = HUGE_VAL;
        product.midpoints[at + i * columns + j] = 0;
      }
    }
  });
  return product;
}

}  // namespace onnxv
