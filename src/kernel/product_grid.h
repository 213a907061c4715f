// The walk over all products of two families: packed, blocked, tile by tile, on all threads.
#pragma once

#include <functional>

#include "src/kernel/product_tile.h"
#include "src/kernel/vectors.h"

namespace onnxv {

struct ProductTask {
  const Vectors& a;
  const Vectors& b;
  // One exact value per vector of a that its sums start from (a bias); null: none, an exact zero is +0 unless all products are -0.
  const double* start = nullptr;
  size_t run = kDepth;  // a divisor of it; see ProductTile: shorter runs take longer and have tighter bounds
  const double* start_of_b = nullptr;  // the same per vector of b; at most one of both

  bool starts() const { return start != nullptr || start_of_b != nullptr; }
  // The one more element of each vector whose product is the start.
  double more_of_a(size_t i) const { return start == nullptr ? 1.0 : start[i]; }
  double more_of_b(size_t j) const { return start_of_b == nullptr ? 1.0 : start_of_b[j]; }
};

// True where the sums of the tiles are bounded: exact products of elements of narrow types (0, or 2^-149 and more), and not too many.
bool fits_tiles(const ProductTask& task);

// Calls use(tile, row, column) for blocks of sums that cover everything, from several threads; (row, column): the first element.
using UseOfTile = std::function<void(const SumsOfTile& tile, size_t row, size_t column)>;
void for_each_tile(const ProductTask& task, const UseOfTile& use);

}  // namespace onnxv
