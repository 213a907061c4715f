// Weighted means of values, row by row, where every element is a ball: what proves the rows that panels of queries leave open
// (src/kernel/softmax_means.h), and all rows under --rigorous.
#pragma once

#include <mutex>
#include <vector>

#include "src/kernel/ball_product.h"
#include "src/kernel/vectors.h"
#include "src/number/interval.h"
#include "src/number/ladder.h"

namespace onnxv {

// One operand of the mean of values: the weighted sums of all columns, or the total of their weights. Known within radii;
// enclosures are computed anew from the row's products.
class WeightedRows {
 public:
  WeightedRows(const StoredVectors& queries, const StridedVectors& keys, const StridedVectors& values, const std::vector<double>& bias,
               std::vector<double> constants, std::vector<int64_t> options)
      : queries_(queries), keys_(keys), values_(values), bias_(bias), constants_(std::move(constants)), options_(std::move(options)) {
    compute();
  }
  size_t columns() const { return values_.count(); }
  const Balls& sums() const { return sums_; }
  const Balls& totals() const { return totals_; }
  Interval sum_of(size_t line) const;
  Interval total_of(size_t line) const;

 private:
  void compute();
  void enclose(size_t row) const;
  void find_leaders(In<Interval> products, In<Interval> bias) const;

  const StoredVectors& queries_;
  const StridedVectors& keys_;
  const StridedVectors& values_;
  const std::vector<double>& bias_;
  const std::vector<double> constants_;
  const std::vector<int64_t> options_;
  Balls sums_, totals_;
  // The last row that was enclosed: open elements come row by row.
  mutable std::mutex mutex_;
  mutable size_t enclosed_row_ = SIZE_MAX;
  mutable long enclosed_bits_ = 0;
  mutable std::vector<Interval> numerators_;
  mutable std::vector<size_t> leaders_;  // the first key of the same numerator, for each key
};

class WeightedSource : public LineSource {
 public:
  enum class Part { kSum, kTotal };
  WeightedSource(const WeightedRows& rows, Part part) : rows_(rows), part_(part) {}
  size_t count() const override { return 1; }
  bool exact() const override { return false; }
  void read(size_t first, size_t lines, double* out) const override { copy(first, lines, &Balls::midpoints, out); }
  void read_radii(size_t first, size_t lines, double* out) const override { copy(first, lines, &Balls::radii, out); }
  void read_intervals(size_t line, Interval* out) const override {
    *out = part_ == Part::kSum ? rows_.sum_of(line) : rows_.total_of(line);
  }

 private:
  void copy(size_t first, size_t lines, std::vector<double> Balls::*which, double* out) const {
    if (part_ == Part::kSum) {
      std::copy_n((rows_.sums().*which).data() + first, lines, out);
    } else {
      for (size_t i = 0; i < lines; ++i) out[i] = (rows_.totals().*which)[(first + i) / rows_.columns()];
    }
  }
  const WeightedRows& rows_;
  Part part_;
};

}  // namespace onnxv
