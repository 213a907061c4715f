// Dot products that a formula multiplies by a scale, as Attention's scores are.
#pragma once

#include <memory>

#include "src/kernel/vectors.h"
#include "src/number/ladder.h"

namespace onnxv {

// By a number, or by 1 / sqrt(number).
struct Scale {
  double number;
  bool by_root;
};

// product_lines, or with `rows` product_rows (src/kernel/product.h): the scale is not applied. Only the tolerance knows of it: a
// backend may scale both operands, which are exact, by its root before it multiplies. `type`: what it multiplies in, unless it is
// asked for another.
std::unique_ptr<LineSource> scaled_products(const Vectors& a, const Vectors& b, bool rows, Scale scale, const Format& type);

}  // namespace onnxv
