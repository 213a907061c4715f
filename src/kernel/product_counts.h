// How many elements of products needed which rung: for --verbose and the benchmarks.
#pragma once

#include <cstdint>

namespace onnxv {

struct ProductCounts {
  uint64_t elements = 0;     // computed in all
  uint64_t compensated = 0;  // left open by the tile, settled by a compensated sum
  uint64_t exact = 0;        // settled by an exact sum
};
// Totals of this process.
ProductCounts product_counts();
void reset_product_counts();
void count_products(const ProductCounts& more);

}  // namespace onnxv
