// Matrix products of doubles, correctly rounded (src/kernel/anchored_tile.h).
#pragma once

#include "src/kernel/product.h"
#include "src/kernel/product_grid.h"

namespace onnxv {

// float64 outputs to nearest, and vectors that are not longer than the bound holds for.
bool is_anchored(const ProductTask& task, const ProductOutput& out);
void multiply_anchored(const ProductTask& task, const ProductOutput& out);

}  // namespace onnxv
