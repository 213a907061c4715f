// From sums to the codes of an output.
#pragma once

#include <vector>

#include "src/kernel/product.h"
#include "src/kernel/product_grid.h"

namespace onnxv {

// One element by the exact rungs. The last row's vector is kept, and those of the last columns: what stays open in a tile is
// often whole rows or columns of it.
class ExactElements {
 public:
  ExactElements(const ProductTask& task, const Target& target)
      : task_(task), target_(target), length_(task.a.length()), columns_(length_ <= kShort ? kColumns : 1) {}
  uint64_t code(size_t row, size_t column) {
    const size_t terms = length_ + (task_.starts() ? 1 : 0);
    Kept& y = columns_[column % columns_.size()];
    if (row != row_.vector) read(task_.a, row, task_.starts() ? task_.more_of_a(row) : 0, &row_);
    if (column != y.vector) read(task_.b, column, task_.starts() ? task_.more_of_b(column) : 0, &y);
    return exact_dot(target_, row_.elements.data(), y.elements.data(), terms);
  }

 private:
  static constexpr size_t kShort = size_t{1} << 12, kColumns = 16;
  struct Kept {
    size_t vector = SIZE_MAX;
    std::vector<double> elements;  // and one more
  };
  void read(const Vectors& vectors, size_t vector, double more, Kept* kept) const {
    kept->vector = vector;
    kept->elements.resize(length_ + 1);
    vectors.read(vector, 1, 0, length_, kept->elements.data());
    kept->elements[length_] = more;
  }
  const ProductTask& task_;
  const Target& target_;
  const size_t length_;
  Kept row_;
  std::vector<Kept> columns_;
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
