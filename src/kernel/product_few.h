// Few vectors against many: nothing is packed, the many are read once and where they lie.
#pragma once

#include "src/kernel/product_grid.h"

namespace onnxv {

// fits_tiles(task) must be true.
bool is_few(const ProductTask& task);
void for_each_tile_of_few(const ProductTask& task, const UseOfTile& use);

}  // namespace onnxv
