// AffineGrid: theta times the homogeneous coordinates of every pixel's centre.
//   since 20
#include "src/number/formula.h"

namespace onnxv {
namespace {

// The coordinates are numerators over one denominator.
constexpr auto affine = []<class Real>(In<Real> theta, In<Real> coordinates, In<Real> denominator,
                                       Out<Real> y) {
  y[0] = dot(theta, coordinates) / denominator[0];
};

}  // namespace
LINE_FORMULA(kAffineGridFormula, affine, 3, 1)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include <algorithm>

#include "ops/operator.h"
#include "src/kernel/remaining_bounds.h"
#include "src/number/exact_operands.h"
#include "src/tensor/index.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

// The coordinate of pixel i of n as numerator and denominator, over [-1, 1] from edge to edge or
// from centre to centre.
struct Coordinate {
  int64_t numerator, denominator;
};
Coordinate coordinate(int64_t i, int64_t n, bool align_corners) {
  if (!align_corners) return {2 * i + 1 - n, n};
  // Choice: a single centre stands where the first one would.
  return n == 1 ? Coordinate{-1, 1} : Coordinate{2 * i - (n - 1), n - 1};
}

Tensor affine_grid_20(const OpCall& call) {
  const Tensor& theta = call.tensor("theta");
  const std::vector<int64_t> size = int64_values(call.tensor("size"));
  const int64_t axes = static_cast<int64_t>(size.size()) - 2;
  if (axes != 2 && axes != 3)
    fail_schema("shape-mismatch", "size has " + std::to_string(size.size()) + " elements",
                "must have 4 or 5");
  for (const int64_t dim : size) {
    if (dim < 0) fail_undefined("size", "a size is " + std::to_string(dim), "must not be negative");
  }
  if (!(theta.shape() == Shape{size[0], axes, axes + 1})) {
    fail_undefined("size", "theta is " + theta.shape().text(),
                   "size asks for " + Shape{size[0], axes, axes + 1}.text());
  }
  const int64_t corners = call.integer("align_corners");
  if (corners != 0 && corners != 1)
    fail_schema("attribute-value", "align_corners is " + std::to_string(corners), "must be 0 or 1");
  Shape shape{size[0]};
  for (int64_t axis = 0; axis < axes; ++axis) shape.push_back(size[static_cast<size_t>(axis) + 2]);
  shape.push_back(axes);
  Tensor grid(theta.dtype(), shape);
  if (grid.size() == 0) return grid;
  if (corners == 1 && std::find(size.begin() + 2, size.end(), 1) != size.end()) call.mark_unspecified(0, "affine-grid-single");
  const int64_t points = shape.elements(1, axes + 1), columns = axes + 1;
  LineJob job(kAffineGridFormula, grid.size());
  job.gathered(theta, static_cast<size_t>(columns), [=](size_t line, int64_t* at) {
    const int64_t row = static_cast<int64_t>(line) % axes,
                  image = static_cast<int64_t>(line) / axes / points;
    for (int64_t k = 0; k < columns; ++k) at[k] = (image * axes + row) * columns + k;
  });
  // x, y (and z), 1: the innermost axis first, all over the product of the denominators.
  const auto coordinates = [=](size_t line, BigInt* numerators, BigInt* denominator) {
    std::vector<Coordinate> each;
    int64_t rest = static_cast<int64_t>(line) / axes % points;
    *denominator = BigInt(1);
    for (int64_t axis = axes; axis > 0; rest /= shape[axis], --axis) {
      each.push_back(coordinate(rest % shape[axis], shape[axis], corners == 1));
      *denominator *= BigInt(each.back().denominator);
    }
    if (numerators == nullptr) return;
    for (const Coordinate& c : each)
      *numerators++ = *denominator / BigInt(c.denominator) * BigInt(c.numerator);
    *numerators = *denominator;
  };
  job.source(big_integer_source(static_cast<size_t>(columns), [=](size_t line, BigInt* out) {
    BigInt denominator;
    coordinates(line, out, &denominator);
  }));
  job.source(
      big_integer_source(1, [=](size_t line, BigInt* out) { coordinates(line, nullptr, out); }));
  job.lines_to(&grid, LineLayout::elements(grid.size())).run();
  bound_coordinates(&grid, theta, static_cast<size_t>(columns));
  return grid;
}

}  // namespace

extern const Operator kAffineGrid;
const Operator kAffineGrid{"ai.onnx", "AffineGrid", {{.since = 20, .run = affine_grid_20}}};

}  // namespace onnxv
#endif
