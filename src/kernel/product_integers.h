// Products of 16-bit integers modulo 2^32.
#pragma once

#include "src/kernel/product.h"
#include "src/kernel/product_grid.h"

namespace onnxv {

// True where the instruction set has such products, the operands fit, and the output wraps at 32 bits.
bool is_integral(const ProductTask& task, const ProductOutput& out);
void multiply_integrally(const ProductTask& task, const ProductOutput& out);

}  // namespace onnxv
