// Bounds of what no formula computes (src/number/model.h). All do nothing outside of a ToleranceScope.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "src/tensor/tensor.h"

namespace onnxv {

// y interpolates x at positions that a backend finds by a handful of operations, each off by a part of the axis' length: the
// bounds of y move apart by as much as x may change over that.
void bound_positions(Tensor* y, const Tensor& x);

// The same for y = theta times coordinates in [-1, 1], `terms` products each.
void bound_coordinates(Tensor* y, const Tensor& theta, size_t terms);

// Every element of y is off by `units` roundings of its own size.
void bound_roundings(Tensor* y, double units);

// Element `at` of y is the determinant of the n x n matrix, row-major: elimination moves it by roundings of the product of
// the rows' sizes, which no expansion exceeds.
void bound_determinant(Tensor* y, size_t at, const double* matrix, size_t n);

// Element `at` of a complex y is the sum, or the product, of complex operands in any order: real and imaginary part of each in turn.
void bound_complex(Tensor* y, size_t at, const std::vector<double>& operands, bool product);

// What an honest backend may pick for an element: positions in x, -1 for the fill.
struct Choices {
  std::vector<int64_t> positions;
  double to_step = std::numeric_limits<double>::infinity();  // how far the exact position is from the jump
  bool likely = false;  // a typical backend may land on the other side
};

// Elements of y that are picked from x: where there is a choice, the hull of what may be picked.
void bound_choices(Tensor* y, const Tensor& x, double fill, const std::function<void(size_t element, Choices*)>& choices_of);

}  // namespace onnxv
