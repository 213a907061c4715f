#include "ops/attention/weighted_rows.h"

#include "ops/attention/formulas.h"
#include "src/base/parallel.h"
#include "src/kernel/product.h"

namespace onnxv {

void WeightedRows::compute() {
  const size_t rows = queries_.count(), keys = keys_.count();
  const Balls products = precise_products(queries_, keys_);
  std::vector<double> numerators(rows * keys), radius_norms(rows);
  totals_.midpoints.resize(rows);
  totals_.radii.resize(rows);
  constexpr size_t kTogether = 16;
  parallel_for(rows, kTogether, [&](size_t begin, size_t end) {
    const size_t at = begin * keys;
    attention_numerators({Options{options_.data()}, products.midpoints.data() + at, products.radii.data() + at,
                          options_[2] == 0 ? nullptr : bias_.data() + at, {constants_[0], constants_[1]}, end - begin, keys,
                          numerators.data() + at, radius_norms.data() + begin, totals_.midpoints.data() + begin,
                          totals_.radii.data() + begin});
  });
  sums_ = multiply_balls(StoredVectors(std::move(numerators), rows, keys, false), radius_norms, values_);
}

void WeightedRows::enclose(size_t row) const {
  if (row == enclosed_row_ && PrecisionScope::bits() == enclosed_bits_) return;
  const size_t keys = keys_.count();
  std::vector<Interval> products(keys), bias;
  product_rows(queries_.part(row), keys_)->read_intervals(0, products.data());
  for (size_t j = 0; options_[2] != 0 && j < keys; ++j) bias.emplace_back(bias_[row * keys + j]);
  const Interval constants[] = {Interval(constants_[0]), Interval(constants_[1])};
  numerators_.assign(keys, Interval());
  attention_numerators(Options{options_.data()}, {products.data(), keys}, {bias.data(), bias.size()}, {constants, 2},
                       Out<Interval>{numerators_.data(), keys});
  enclosed_row_ = row;
  enclosed_bits_ = PrecisionScope::bits();
}

Interval WeightedRows::sum_of(size_t line) const {
  const std::lock_guard lock(mutex_);
  enclose(line / columns());
  std::vector<double> column(numerators_.size() + 1);
  values_.read(line % columns(), 1, 0, numerators_.size(), column.data());
  std::vector<Interval> exact;
  for (size_t j = 0; j < numerators_.size(); ++j) exact.emplace_back(column[j]);
  return dot(In<Interval>{exact.data(), exact.size()}, In<Interval>{numerators_.data(), numerators_.size()});
}

Interval WeightedRows::total_of(size_t line) const {
  const std::lock_guard lock(mutex_);
  enclose(line / columns());
  return sum(In<Interval>{numerators_.data(), numerators_.size()});
}

}  // namespace onnxv
