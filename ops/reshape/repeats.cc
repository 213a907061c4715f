// Expand: broadcasts the input and `shape` with each other; a 1 in `shape` keeps the input's
// dimension. Tile: repeats the whole input along its axes.
//   since 1   `tiles` copies along one `axis`, both given as floats.
//   since 6   a number of copies for every axis.
#include <algorithm>

#include "ops/reshape/family.h"
#include "ops/reshape/numbers.h"
#include "src/base/checked.h"
#include "src/tensor/index.h"

namespace onnxv {
namespace {

Shape expanded(const Shape& input, const Numbers& sizes) {
  const Shape wanted = shape_of(sizes);
  const int64_t rank = std::max(input.rank(), wanted.rank());
  Shape shape;
  for (int64_t axis = 0; axis < rank; ++axis) {
    const int64_t in_input = axis - (rank - input.rank()),
                  in_wanted = axis - (rank - wanted.rank());
    const int64_t a = in_input < 0 ? 1 : input[in_input], b = in_wanted < 0 ? 1 : wanted[in_wanted];
    if (a != b && a != 1 && b != 1)
      fail_numbers(sizes, "must broadcast with an input of shape " + input.text());
    shape.push_back(a == 1 ? b : a);
  }
  return shape;
}

Tensor expand_8(const OpCall& call) {
  const Tensor& input = call.tensor("input");
  return broadcast_to(input, expanded(input.shape(), input_numbers(call, "shape")));
}

// Each axis becomes two: the copy, which does not move in the data, and the position inside the
// copy.
Tensor tiled(const Tensor& input, std::span<const int64_t> repeats) {
  const std::vector<int64_t> steps = strides_of(input.shape());
  Shape shape, pairs;
  std::vector<int64_t> strides;
  for (int64_t axis = 0; axis < input.rank(); ++axis) {
    const int64_t copies = repeats[static_cast<size_t>(axis)], dim = input.shape()[axis];
    shape.push_back(checked_multiply(copies, dim));
    pairs.push_back(copies);
    pairs.push_back(dim);
    strides.push_back(0);
    strides.push_back(steps[static_cast<size_t>(axis)]);
  }
  return strided_copy(input, std::move(pairs), 0, strides).reshaped(std::move(shape));
}

int64_t whole_input(const OpCall& call, std::string_view port) {
  return whole_number(double_value(call.tensor(port), port), port);
}

Tensor tile_1(const OpCall& call) {
  const Tensor& input = call.tensor("input");
  const Numbers tiles{"tiles", {whole_input(call, "tiles")}, Numbers::Origin::kInput};
  const Numbers axis{"axis", {whole_input(call, "axis")}, Numbers::Origin::kInput};
  if (tiles[0] < 0) fail_numbers(tiles, "must not be negative");
  if (axis[0] < 0 || axis[0] >= input.rank()) {
    fail_numbers(axis, "must name an axis of shape " + input.shape().text());
  }
  std::vector<int64_t> repeats(input.shape().size(), 1);
  repeats[static_cast<size_t>(axis[0])] = tiles[0];
  return tiled(input, repeats);
}

Tensor tile_6(const OpCall& call) {
  const Tensor& input = call.tensor("input");
  const Numbers repeats = input_numbers(call, "repeats");
  if (repeats.size() != input.shape().size()) {
    fail_schema("shape-mismatch", "repeats has " + std::to_string(repeats.size()) + " elements",
                "must have one for each axis of shape " + input.shape().text());
  }
  shape_of(repeats);
  return tiled(input, repeats.values);
}

}  // namespace

const Operator kExpand{"ai.onnx", "Expand", {
    {.since = 8, .run = expand_8},
}};

const Operator kTile{"ai.onnx", "Tile", {
    {.since = 1, .run = tile_1},
    {.since = 6, .run = tile_6},
}};

}  // namespace onnxv
