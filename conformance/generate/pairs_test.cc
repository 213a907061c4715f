#include "conformance/generate/pairs.h"

#include <doctest/doctest.h>

#include <set>

namespace onnxv::generate {
namespace {

// Every pair of levels that two rows' factors hold.
size_t pairs_in(const std::vector<Row>& rows) {
  std::set<std::vector<size_t>> pairs;
  for (const Row& row : rows) {
    for (size_t f = 0; f < row.size(); ++f) {
      for (size_t g = f + 1; g < row.size(); ++g) pairs.insert({f, row[f], g, row[g]});
    }
  }
  return pairs.size();
}

}  // namespace

TEST_CASE(
    "three factors of three levels: all 27 pairs in far fewer rows than the 27 of the product") {
  const std::vector<Row> rows = pairwise_rows({.levels = {3, 3, 3}, .allowed = nullptr});
  CHECK(pairs_in(rows) == 27);
  CHECK(rows.size() >= 9);
  CHECK(rows.size() <= 12);
}

TEST_CASE("many unequal factors: 2*3*... pairs are all there") {
  const Factors factors{.levels = {2, 3, 26, 8, 2, 1}, .allowed = nullptr};
  const std::vector<Row> rows = pairwise_rows(factors);
  // Sum over pairs of factors of the product of their levels.
  CHECK(pairs_in(rows) == 6 + 52 + 16 + 4 + 2 + 78 + 24 + 6 + 3 + 208 + 52 + 26 + 16 + 8 + 2);
  CHECK(rows.size() >= 208);
  CHECK(rows.size() <= 250);
  CHECK(pairwise_rows(factors) == rows);
}

TEST_CASE("forbidden pairs never meet, all others do") {
  // Level 0 of the first factor goes with level 0 of the second alone.
  const auto allowed = [](size_t f, size_t a, size_t g, size_t b) {
    return !(f == 0 && g == 1 && a == 0 && b != 0);
  };
  const std::vector<Row> rows = pairwise_rows({.levels = {2, 3, 4}, .allowed = allowed});
  for (const Row& row : rows) CHECK_FALSE((row[0] == 0 && row[1] != 0));
  CHECK(pairs_in(rows) == 6 - 2 + 8 + 12);
}

TEST_CASE("a pair that no row can hold is given up") {
  // 0 and 0 are allowed to meet, but the third factor goes with neither.
  const auto allowed = [](size_t f, size_t a, size_t g, size_t b) {
    if (f == 0 && g == 2) return a != 0 || b == 0;
    if (f == 1 && g == 2) return a != 0 || b == 1;
    return true;
  };
  const std::vector<Row> rows = pairwise_rows({.levels = {2, 2, 2}, .allowed = allowed});
  for (const Row& row : rows) CHECK_FALSE((row[0] == 0 && row[1] == 0));
}

TEST_CASE("usable levels alone") {
  const Factors factors{.levels = {3, 3}, .allowed = nullptr, .usable = {{1}, {0, 2}}};
  CHECK(pairwise_rows(factors) == std::vector<Row>{{1, 0}, {1, 2}});
}

TEST_CASE("single rows: each level once, as many rows as the largest factor has levels") {
  const std::vector<Row> rows = single_rows({.levels = {2, 5, 3}, .allowed = nullptr});
  CHECK(rows.size() == 5);
  std::vector<std::set<size_t>> seen(3);
  for (const Row& row : rows) {
    for (size_t f = 0; f < 3; ++f) seen[f].insert(row[f]);
  }
  CHECK(seen[0].size() == 2);
  CHECK(seen[1].size() == 5);
  CHECK(seen[2].size() == 3);
}

}  // namespace onnxv::generate
