// Covering arrays: few rows in which every two levels of any two factors stand together once.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace onnxv::generate {

// A level per factor.
using Row = std::vector<size_t>;

struct Factors {
  std::vector<size_t> levels;  // how many each factor has, at least 1
  // Whether two levels may stand in one row; asked with the smaller factor first.
  std::function<bool(size_t factor, size_t level, size_t other_factor, size_t other_level)> allowed;
  // Levels of a factor that may be used at all; empty: all of every factor.
  std::vector<std::vector<size_t>> usable = {};
};

// Every pair that can stand in some row of allowed pairs stands in one of these. A single factor:
// each of its levels once. The same factors give the same rows.
std::vector<Row> pairwise_rows(const Factors& factors);

// Every level that can stand in some row stands in one of these, the levels of small factors in
// turn.
std::vector<Row> single_rows(const Factors& factors);

}  // namespace onnxv::generate
