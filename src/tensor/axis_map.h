// Data movement that works on each axis by itself: cropping, padding, repeating, selecting.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "src/tensor/tensor.h"

namespace onnxv {

// Along one axis: the number of output positions, and for each of them the position of the data
// that it takes.
struct AxisMap {
  int64_t length = 0;
  // In [-1, dim - 1]; -1 takes the fill. Null: position i takes i.
  std::function<int64_t(int64_t)> source;
  // Positions [to, to + count) that take [from, from + count): `source` is not asked for them.
  struct Straight {
    int64_t to = 0, from = 0, count = 0;
  };
  Straight straight = {};
};

// out[i0, i1, …] = data[m0(i0), m1(i1), …], one map for each axis of `data`; `fill` (one element of
// data's type; null: zero bits or "") where any map says -1. The output's size is checked before
// anything is allocated.
Tensor map_axes(const Tensor& data, std::span<const AxisMap> maps, const Tensor* fill = nullptr);

// One element repeated over a shape.
Tensor filled(const Tensor& element, Shape shape);

}  // namespace onnxv
