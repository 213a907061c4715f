// From sums to the codes of an output.
#pragma once

#include <vector>

#include "src/kernel/product.h"
#include "src/kernel/product_grid.h"

namespace onnxv {

// One element by the exact rungs; the vectors of a row are read once.
class ExactElements {
 public:
  ExactElements(const ProductTask& task, const Target& target) : task_(task), target_(target), length_(task.a.length()) {}
  uint64_t code(size_t row, size_t column) {
    const size_t terms = length_ + (task_.starts() ? 1 : 0);
    x_.resize(terms + 1);
    y_.resize(terms + 1);
    if (row != row_) {
      task_.a.read(row, 1, 0, length_, x_.data());
      row_ = row;
      if (task_.starts()) x_[length_] = task_.more_of_a(row);
    }
    task_.b.read(column, 1, 0, length_, y_.data());
    if (task_.starts()) y_[length_] = task_.more_of_b(column);
    return exact_dot(target_, x_.data(), y_.data(), terms);
  }

 private:
  const ProductTask& task_;
  const Target& target_;
  const size_t length_;
  size_t row_ = SIZE_MAX;
  std::vector<double> x_, y_;
};

// The kernels that round to a target; null where there are none.
NarrowKernels narrow_kernels(const Target& target);

// Rounds tiles of sums into an output; what stays open goes through the exact rungs.
class Rounder {
 public:
  Rounder(const ProductTask& task, const ProductOutput& out);
  // (row, column): the tile's first element.
  void operator()(const SumsOfTile& tile, size_t row, size_t column) const;

 private:
  std::byte* place(size_t row, size_t column) const {
    return base_ + (out_.offset + static_cast<int64_t>(row) * out_.row_stride + static_cast<int64_t>(column) * out_.column_stride) *
                       static_cast<int64_t>(width_);
  }
  void round_in_place(const SumsOfTile& tile, size_t row, size_t column) const;
  template <class Code>
  void round_by_target(const SumsOfTile& tile, size_t row, size_t column) const;
  void settle(const SumsOfTile& tile, size_t row, size_t column, const uint32_t* open, size_t count) const;

  const ProductTask& task_;
  const ProductOutput& out_;
  std::byte* base_;
  size_t width_;
  RoundTile kernel_;  // rounds into the output itself; null: through intervals
};

}  // namespace onnxv
