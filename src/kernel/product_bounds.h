// Matrix products as the Model reading sees them (src/number/model.h).
#pragma once

#include "src/kernel/product.h"
#include "src/number/model.h"

namespace onnxv {

// Within a ToleranceScope: the bounds of every element that multiply(a, b, out) writes, left beside out.tensor.
void bound_products(const Vectors& a, const Vectors& b, const ProductOutput& out);

// The products of one vector of `a` with vectors [first, first + count) of `b`, in the compute type of this thread.
// `start`: one more term for each.
void model_products(const Vectors& a, size_t row, const Vectors& b, size_t first, size_t count, ModelReal* products,
                    const double* start = nullptr);

}  // namespace onnxv
