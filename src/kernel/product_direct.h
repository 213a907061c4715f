// Few vectors against windows of an image, as in a depthwise convolution: nothing is packed.
#pragma once

#include "src/kernel/product.h"
#include "src/kernel/product_grid.h"

namespace onnxv {

// fits_tiles(task) must be true.
bool is_direct(const ProductTask& task);
void multiply_directly(const ProductTask& task, const ProductOutput& out);

}  // namespace onnxv
