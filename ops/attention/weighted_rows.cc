#include "ops/attention/weighted_rows.h"

#include <algorithm>
#include <map>

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
  find_leaders({products.data(), keys}, {bias.data(), bias.size()});
  enclosed_row_ = row;
  enclosed_bits_ = PrecisionScope::bits();
}

// Keys of one product and one bias have the same numerator, which no enclosure tells: e^-1 - e^-1 would stay open for ever.
// What is exact needs no such care.
void WeightedRows::find_leaders(In<Interval> products, In<Interval> bias) const {
  const auto compared = [&](size_t a, size_t b) {
    const int by_product = mpfr_cmp(products[a].low(), products[b].low());
    return by_product != 0 || bias.size() == 0 ? by_product : mpfr_cmp(bias[a].low(), bias[b].low());
  };
  std::vector<size_t> alike;
  leaders_.resize(numerators_.size());
  for (size_t j = 0; j < leaders_.size(); ++j) {
    leaders_[j] = j;
    if (products[j].is_point() && !numerators_[j].is_point() && !numerators_[j].is_open()) alike.push_back(j);
  }
  std::stable_sort(alike.begin(), alike.end(), [&](size_t a, size_t b) { return compared(a, b) < 0; });
  for (size_t k = 1; k < alike.size(); ++k) {
    if (compared(alike[k - 1], alike[k]) == 0) leaders_[alike[k]] = leaders_[alike[k - 1]];
  }
}

Interval WeightedRows::sum_of(size_t line) const {
  const std::lock_guard lock(mutex_);
  enclose(line / columns());
  std::vector<double> column(numerators_.size() + 1);
  values_.read(line % columns(), 1, 0, numerators_.size(), column.data());
  std::map<size_t, std::vector<Interval>> values_of;
  for (size_t j = 0; j < numerators_.size(); ++j) values_of[leaders_[j]].emplace_back(column[j]);
  std::vector<Interval> factors, numerators;
  for (const auto& [leader, values] : values_of) {
    factors.push_back(sum(In<Interval>{values.data(), values.size()}));
    numerators.push_back(numerators_[leader]);
  }
  return dot(In<Interval>{factors.data(), factors.size()}, In<Interval>{numerators.data(), numerators.size()});
}

Interval WeightedRows::total_of(size_t line) const {
  const std::lock_guard lock(mutex_);
  enclose(line / columns());
  return sum(In<Interval>{numerators_.data(), numerators_.size()});
}

}  // namespace onnxv
