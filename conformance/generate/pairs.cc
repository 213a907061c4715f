#include "conformance/generate/pairs.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace onnxv::generate {
namespace {

constexpr size_t kOpen = SIZE_MAX;

// All levels of all factors in one numbering, and which two of them may meet.
class Table {
 public:
  explicit Table(const Factors& factors) : factors_(factors) {
    for (const size_t count : factors.levels) {
      first_.push_back(size_);
      size_ += count;
    }
    allowed_.assign(size_ * size_, 1);
    for (size_t f = 0; f < count(); ++f) {
      for (size_t g = f + 1; g < count(); ++g) fill(f, g);
    }
  }

  size_t count() const { return factors_.levels.size(); }
  size_t levels(size_t factor) const { return factors_.levels[factor]; }
  size_t size() const { return size_; }
  size_t id(size_t factor, size_t level) const { return first_[factor] + level; }
  bool allowed(size_t a, size_t b) const { return allowed_[a * size_ + b] != 0; }
  bool usable(size_t factor, size_t level) const {
    if (factors_.usable.empty()) return true;
    const auto& list = factors_.usable[factor];
    return std::find(list.begin(), list.end(), level) != list.end();
  }
  bool fits(const Row& row, size_t factor, size_t level) const {
    for (size_t f = 0; f < count(); ++f) {
      if (row[f] != kOpen && f != factor && !allowed(id(f, row[f]), id(factor, level)))
        return false;
    }
    return true;
  }

 private:
  void fill(size_t f, size_t g) {
    for (size_t a = 0; a < levels(f); ++a) {
      for (size_t b = 0; b < levels(g); ++b) {
        const bool may =
            usable(f, a) && usable(g, b) && (!factors_.allowed || factors_.allowed(f, a, g, b));
        allowed_[id(f, a) * size_ + id(g, b)] = allowed_[id(g, b) * size_ + id(f, a)] = may;
      }
    }
  }

  const Factors& factors_;
  std::vector<size_t> first_;
  size_t size_ = 0;
  std::vector<unsigned char> allowed_;
};

// Fills rows greedily: each open factor takes the level that adds most, the rarest of equals.
class Filler {
 public:
  explicit Filler(const Table& table)
      : table_(table), missing_(table.size() * table.size(), 0), used_(table.size(), 0) {}

  void want(size_t a, size_t b) {
    missing_[a * table_.size() + b] = missing_[b * table_.size() + a] = 1;
  }
  void forget(size_t a, size_t b) {
    missing_[a * table_.size() + b] = missing_[b * table_.size() + a] = 0;
  }
  bool wants(size_t a, size_t b) const { return missing_[a * table_.size() + b] != 0; }

  // False when no row holds the levels that are set.
  bool complete(Row& row) {
    const auto open = std::find(row.begin(), row.end(), kOpen);
    if (open == row.end()) return true;
    const auto factor = static_cast<size_t>(open - row.begin());
    for (const size_t level : ranked(row, factor)) {
      row[factor] = level;
      if (complete(row)) return true;
    }
    row[factor] = kOpen;
    return false;
  }

  void take(const Row& row) {
    for (size_t f = 0; f < row.size(); ++f) {
      ++used_[table_.id(f, row[f])];
      for (size_t g = f + 1; g < row.size(); ++g)
        forget(table_.id(f, row[f]), table_.id(g, row[g]));
    }
  }

 private:
  std::vector<size_t> ranked(const Row& row, size_t factor) const {
    std::vector<size_t> levels, gains(table_.levels(factor), 0);
    for (size_t level = 0; level < gains.size(); ++level) {
      if (!table_.usable(factor, level) || !table_.fits(row, factor, level)) continue;
      levels.push_back(level);
      for (size_t f = 0; f < row.size(); ++f) {
        if (row[f] != kOpen && wants(table_.id(f, row[f]), table_.id(factor, level)))
          ++gains[level];
      }
    }
    std::stable_sort(levels.begin(), levels.end(), [&](size_t a, size_t b) {
      if (gains[a] != gains[b]) return gains[a] > gains[b];
      return used_[table_.id(factor, a)] < used_[table_.id(factor, b)];
    });
    return levels;
  }

  const Table& table_;
  std::vector<unsigned char> missing_;
  std::vector<size_t> used_;
};

// A row through the given levels, if there is one.
bool add_row(const Table& table, Filler& filler, std::vector<std::pair<size_t, size_t>> through,
             std::vector<Row>& rows) {
  Row row(table.count(), kOpen);
  for (const auto& [factor, level] : through) row[factor] = level;
  if (!filler.complete(row)) return false;
  filler.take(row);
  rows.push_back(std::move(row));
  return true;
}

}  // namespace

std::vector<Row> pairwise_rows(const Factors& factors) {
  if (factors.levels.size() < 2) return single_rows(factors);
  const Table table(factors);
  Filler filler(table);
  const auto each_pair = [&](auto work) {
    for (size_t f = 0; f < table.count(); ++f) {
      for (size_t g = f + 1; g < table.count(); ++g) {
        for (size_t a = 0; a < table.levels(f); ++a) {
          for (size_t b = 0; b < table.levels(g); ++b) work(f, a, g, b);
        }
      }
    }
  };
  each_pair([&](size_t f, size_t a, size_t g, size_t b) {
    if (table.allowed(table.id(f, a), table.id(g, b))) filler.want(table.id(f, a), table.id(g, b));
  });
  std::vector<Row> rows;
  each_pair([&](size_t f, size_t a, size_t g, size_t b) {
    if (!filler.wants(table.id(f, a), table.id(g, b))) return;
    if (!add_row(table, filler, {{f, a}, {g, b}}, rows))
      filler.forget(table.id(f, a), table.id(g, b));
  });
  return rows;
}

std::vector<Row> single_rows(const Factors& factors) {
  const Table table(factors);
  Filler filler(table);
  std::vector<std::vector<bool>> seen;
  for (const size_t levels : factors.levels) seen.emplace_back(levels, false);
  // The largest factor first: the others' levels then come by as they are the rarest.
  std::vector<size_t> order(table.count());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t f, size_t g) { return table.levels(f) > table.levels(g); });
  std::vector<Row> rows;
  for (const size_t factor : order) {
    for (size_t level = 0; level < table.levels(factor); ++level) {
      if (seen[factor][level] || !table.usable(factor, level)) continue;
      if (!add_row(table, filler, {{factor, level}}, rows)) continue;
      for (size_t f = 0; f < table.count(); ++f) seen[f][rows.back()[f]] = true;
    }
  }
  return rows;
}

}  // namespace onnxv::generate
