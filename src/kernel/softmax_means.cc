#include "src/kernel/softmax_means.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <mutex>
#include <string>

#include "src/base/parallel.h"
#include "src/kernel/product_counts.h"
#include "src/kernel/product_tile.h"
#include "src/number/instruction_sets.h"
#include "src/number/settled_lines.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

constexpr double kUnit = 0x1p-53;
constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr size_t kMostKeys = size_t{1} << 17, kMostPacked = size_t{1} << 22;
constexpr size_t kScoreRun = 32, kMeanRun = 64;  // elements that a tile adds before they join a sum

size_t rounded_up(size_t count, size_t by) { return (count + by - 1) / by * by; }

// (depth + 8) u of a tile's sums.
double tile_factor(size_t length, size_t run) {
  return static_cast<double>(std::min(length, run) + (length + run - 1) / run + 8) * kUnit;
}

}  // namespace

const SoftmaxKernels& softmax_kernels() {
  static const SoftmaxKernels& kernels = ONNXV_OF_SET(softmax_kernels)();
  return kernels;
}

bool SoftmaxMeans::takes(const Vectors& keys, const Vectors& values) {
  return keys.narrow() && values.narrow() && keys.length() != 0 && keys.count() != 0 && values.count() != 0 &&
         keys.count() <= kMostKeys && keys.length() <= kMostKeys && keys.count() * (keys.length() + values.count()) <= kMostPacked;
}

SoftmaxMeans::SoftmaxMeans(const Vectors& keys, const Vectors& values, const LogitForm& form)
    : keys_(keys.count()), components_(values.count()), length_(keys.length()), form_(form) {
  key_panels_ = pack(keys, 0, keys_, product_kernels().rows, key_memory_);
  value_panels_ = pack(values, 0, components_, product_kernels().rows, value_memory_);
  largest_key_ = 0;
  for (size_t j = 0; j < keys_; ++j) {
    const double norm = key_panels_.norms[j];
    largest_key_ = norm < kInfinite ? std::max(largest_key_, norm) : kInfinite;
    if (largest_key_ == kInfinite) break;
  }
  start_.assign(rounded_up(std::max(keys_, components_), product_kernels().rows), -0.0);
  scale_ = form.scale;
  scale_rest_ = 0;
  if (form.scale_given) return;
  // 1/sqrt(n) = h (1 - e)^(-1/2) with e = 1 - n h², of which the first term is enough: e² is below 2^-102.
  const double n = static_cast<double>(length_);
  scale_ = 1 / std::sqrt(n);
  const double square = scale_ * scale_, square_rest = std::fma(scale_, scale_, -square);
  const double left = std::fma(-n, square, 1.0) - n * square_rest;
  scale_rest_ = scale_ * left / 2;
}

// Some queries side by side.
class SoftmaxPanel {
 public:
  SoftmaxPanel(const SoftmaxMeans& means, const Vectors& queries, size_t first, size_t count)
      : means_(means), first_(first), count_(count), width_(product_kernels().columns), used_(means.keys_) {
    query_panel_ = pack(queries, first, count, width_, memory().queries);
  }
  void read_biases(const SoftmaxMeans::BiasOf& bias_of);
  void compute();
  void write(Tensor* out, size_t first, std::vector<size_t>* open);

 private:
  struct Memory {
    Scratch queries, products, sums, biases, ends, rows;
  };
  static Memory& memory() {
    static thread_local Memory memory;
    return memory;
  }
  double size_of_products(size_t column) const { return std::fabs(means_.scale_) * query_panel_.norms[column] * means_.largest_key_; }
  void bound();
  size_t round_to_float32(float* out, uint32_t* open) const;
  size_t round_by_format(const Format& format, std::byte* out, uint32_t* open) const;
  bool settle_precisely(size_t column, const Format& format, std::byte* row, const uint32_t* open, size_t count) const;
  void precise_numerators(size_t column, double* heads, double* rests) const;
  MeanColumns mean_columns() const {
    return {sums_, means_.components_, means_.value_panels_.norms, inverses_.data(), by_norm_.data(), by_mean_.data()};
  }

  const SoftmaxMeans& means_;
  const size_t first_, count_, width_;
  size_t used_;  // keys up to the last one that some query allows
  Packed query_panel_;
  double *biases_ = nullptr, *products_ = nullptr, *sums_ = nullptr;
  std::vector<bool> dead_;
  std::vector<double> shifts_, totals_, norms_, inverses_, by_norm_, by_mean_;
};

// What all queries disallow at the end weighs nothing. It could only tell the sign of a sum of zeros, which the rounding leaves open.
void SoftmaxPanel::read_biases(const SoftmaxMeans::BiasOf& bias_of) {
  dead_.assign(count_, false);
  if (!bias_of) return;
  const size_t keys = means_.keys_;
  biases_ = memory().biases.take(keys * width_);
  std::vector<double> row(keys + 1);
  used_ = 1;
  for (size_t column = 0; column < width_; ++column) {
    if (column >= count_ || !bias_of(first_ + column, row.data())) {
      if (column < count_) dead_[column] = true;
      std::fill(row.begin(), row.end(), 0.0);
    } else {
      size_t last = keys;
      while (last > used_ && row[last - 1] == -kInfinite) --last;
      used_ = last;
    }
    for (size_t key = 0; key < keys; ++key) biases_[key * width_ + column] = row[key];
  }
}

void SoftmaxPanel::compute() {
  const size_t rows = product_kernels().rows, keys = means_.keys_;
  products_ = memory().products.take(rounded_up(keys, rows) * width_);
  sums_ = memory().sums.take(rounded_up(means_.components_, rows) * width_);
  for (std::vector<double>* values : {&shifts_, &totals_, &norms_, &inverses_, &by_norm_, &by_mean_}) values->resize(width_);
  product_kernels().tile({means_.key_panels_.panels, query_panel_.panels, rounded_up(used_, rows) / rows, means_.length_, width_, kScoreRun,
                          means_.start_.data(), products_});
  softmax_kernels().softmax({products_, biases_, used_, means_.scale_, means_.form_.softcap, shifts_.data(), totals_.data(), norms_.data()});
  const size_t panels = rounded_up(means_.components_, rows) / rows;
  if (used_ == keys) {
    product_kernels().tile({means_.value_panels_.panels, products_, panels, keys, width_, kMeanRun, means_.start_.data(), sums_});
  } else {
    for (size_t panel = 0; panel < panels; ++panel) {
      product_kernels().tile({means_.value_panels_.panels + panel * keys * rows, products_, 1, used_, width_, kMeanRun, means_.start_.data(),
                              sums_ + panel * rows * width_});
    }
  }
  bound();
}

// In units of u = 2^-53, with N = |scale| |q| max |k|, c the shift, x = logit - c <= 0 and p = e^x:
//   the product is off by its tile's bound; scale, product and, capped, quotient, tanh and product round by N each, tanh by 16 N:
//   N (factor + 1), capped N (factor + 20);
//   the logit's last rounding by |logit| <= |c| + |x|, the difference by |x|;
//   lane_exp by kNumeratorError.
// So p is off by p (e + 2 u |x|), e = N (…) + u |c| + kNumeratorError, to first order, of which a factor 1 + 2^-8 takes care where
// e < 2^-9. In the Euclidean norm |x| counts as 16 + 2^-9: below x = -16 the terms p |x| are less than 2^-19, together less than 2^-9
// of the norm, which is at least 1, for up to 2^20 keys; in the sum as 18. What is below e^-700 vanishes beside a unit.
// Means: with rho = e + 36 u the sum of p v is off by (rho + its tile's factor + 2 u, where p v rounds) |p| |v|, by Cauchy and
// Schwarz, the total by (rho + depth u) total; division, product and end round by 4 u.
void SoftmaxPanel::bound() {
  const double factor = tile_factor(means_.length_, kScoreRun) + (means_.form_.softcap != 0 ? 20 : 1) * kUnit;
  const double sum_factor = tile_factor(used_, kMeanRun) + 6 * kUnit, total_factor = static_cast<double>(total_depth(used_) + 8) * kUnit;
  constexpr double kSlack = 1 + 0x1p-8;
  for (size_t j = 0; j < width_; ++j) {
    const double e = size_of_products(j) * factor + kUnit * std::fabs(shifts_[j]) + kNumeratorError;
    const double rho = e < 0x1p-9 && totals_[j] < kInfinite ? e + 36 * kUnit : kInfinite;
    inverses_[j] = 1 / totals_[j];
    by_norm_[j] = kSlack * (rho + sum_factor) * norms_[j] * inverses_[j];
    by_mean_[j] = kSlack * (rho + total_factor);
  }
}

size_t SoftmaxPanel::round_to_float32(float* out, uint32_t* open) const {
  return softmax_kernels().round_to_float32(mean_columns(), count_, out, means_.components_, open);
}

size_t SoftmaxPanel::round_by_format(const Format& format, std::byte* out, uint32_t* open) const {
  const size_t elements = means_.components_ * width_, bytes = static_cast<size_t>(format.bits) / 8;
  double* low = memory().ends.take(2 * elements);
  double* high = low + elements;
  softmax_kernels().ends(mean_columns(), low, high);
  std::vector<std::byte> codes(2 * elements * bytes);
  encode_exact_many(format, low, 2 * elements, codes.data(), Rounding::kNearestEven, Overflow::kInfinity);
  size_t count = 0;
  for (size_t i = 0; i < elements; ++i) {
    const size_t column = i % width_, row = i / width_;
    if (column >= count_) continue;
    const std::byte *code = codes.data() + i * bytes, *other = code + elements * bytes;
    std::memcpy(out + (column * means_.components_ + row) * bytes, code, bytes);
    if (low[i] != low[i] || std::memcmp(code, other, bytes) != 0) open[count++] = static_cast<uint32_t>(i);
  }
  return count;
}

void SoftmaxPanel::precise_numerators(size_t column, double* heads, double* rests) const {
  std::vector<double> query(means_.length_), bias(biases_ == nullptr ? 0 : used_);
  for (size_t k = 0; k < query.size(); ++k) query[k] = query_panel_.panels[k * width_ + column];
  for (size_t key = 0; key < bias.size(); ++key) bias[key] = biases_[key * width_ + column];
  softmax_kernels().precise_row({query.data(), means_.key_panels_.panels, means_.length_, used_, means_.scale_, means_.scale_rest_,
                                 means_.form_.softcap, bias.empty() ? nullptr : bias.data(), shifts_[column], heads, rests});
}

// In units of u² = 2^-106, N and c as above: the compensated product is off by 1.01 length² N, its scaling by 16 N, its cap by 32 N
// and 2^-90 softcap, bias and shift, whose sum is a logit of at least c - 700, by 8 (|c| + 700 + N); precise_exp by less than kPreciseNumeratorError. Compensated sums of n numerators with
// a rest of their own are off by 3 n² + 8 n of the terms' sizes, their quotient by twice that and 32 of itself. What vanished on the
// way is below 2^-850. The value is head + rest with |rest| < ulp(head) where the bound is less than half of u |head|.
bool SoftmaxPanel::settle_precisely(size_t column, const Format& format, std::byte* row, const uint32_t* open, size_t count) const {
  if (!(by_norm_[column] < kInfinite)) return false;
  const size_t rows = product_kernels().rows, bytes = static_cast<size_t>(format.bits) / 8, padded = rounded_up(used_, rows);
  double* heads = memory().rows.take(2 * padded + 6 * rows);
  double *rests = heads + padded, *sums = rests + padded, *totals = sums + 3 * rows;
  precise_numerators(column, heads, rests);
  const auto add_up = [&](const double* values, double* to) {
    softmax_kernels().precise_sums({heads, rests, used_, values, to, to + rows, to + 2 * rows});
  };
  add_up(nullptr, totals);
  const double n = static_cast<double>(used_), length = static_cast<double>(means_.length_), size = size_of_products(column);
  const double logit = (1.01 * length * length + 56) * size + 8 * (std::fabs(shifts_[column]) + 700);
  const double numerator = logit * 0x1p-106 + means_.form_.softcap * 0x1p-90 + kPreciseNumeratorError, sum = (3 * n * n + 8 * n + 16) * 0x1p-106;
  size_t panel = SIZE_MAX;
  for (size_t k = 0; k < count; ++k) {
    const size_t component = open[k] / width_;
    // Values that are not finite count where their weight is 0, too.
    if (!(means_.value_panels_.norms[component] < kInfinite)) return false;
    if (component / rows != panel) {
      panel = component / rows;
      add_up(means_.value_panels_.panels + panel * means_.keys_ * rows, sums);
    }
    const size_t lane = component % rows;
    const PreciseMean mean = softmax_kernels().precise_mean(sums[lane], sums[rows + lane], totals[0], totals[rows]);
    const double bound = 1.125 * ((numerator + sum) * (sums[2 * rows + lane] / totals[0]) +
                                  std::fabs(mean.head) * (numerator + 2 * sum + 32 * 0x1p-106)) + 0x1p-850;
    if (!(bound < std::fabs(mean.head) * 0x1p-54)) return false;
    const auto code_at = [&](double rest) {
      return encode(format, {mean.head, rest < 0 ? -1 : rest > 0 ? 1 : 0}, Rounding::kNearestEven, Overflow::kInfinity);
    };
    const uint64_t code = code_at(mean.rest - bound);
    if (code != code_at(mean.rest + bound)) return false;
    std::memcpy(row + component * bytes, &code, bytes);
  }
  return true;
}

void SoftmaxPanel::write(Tensor* out, size_t first, std::vector<size_t>* not_proved) {
  const Format& format = *target_of(out->dtype()).format;
  const size_t bytes = static_cast<size_t>(format.bits) / 8, row_bytes = means_.components_ * bytes;
  std::byte* base = out->mutable_bytes().data() + (first + first_ * means_.components_) * bytes;
  std::vector<std::byte> dead(std::count(dead_.begin(), dead_.end(), true) == 0 ? 0 : row_bytes);
  std::vector<uint32_t> open(means_.components_ * width_);
  open.resize(&format == &kFloat32 ? round_to_float32(reinterpret_cast<float*>(base), open.data())
                                   : round_by_format(format, base, open.data()));
  // By columns, then by rows.
  std::sort(open.begin(), open.end(), [&](uint32_t a, uint32_t b) { return a % width_ != b % width_ ? a % width_ < b % width_ : a < b; });
  for (size_t k = 0; k < open.size();) {
    const size_t column = open[k] % width_;
    size_t end = k;
    while (end < open.size() && open[end] % width_ == column) ++end;
    if (!dead_[column]) {
      count_products({0, end - k, 0});
      if (!settle_precisely(column, format, base + column * row_bytes, open.data() + k, end - k)) not_proved->push_back(first_ + column);
    }
    k = end;
  }
  for (size_t column = 0; column < count_; ++column) {
    if (dead_[column]) std::memcpy(base + column * row_bytes, dead.data(), row_bytes);
  }
}

std::vector<size_t> SoftmaxMeans::write(const Vectors& queries, const BiasOf& bias_of, Tensor* out, size_t first) const {
  const size_t width = product_kernels().columns, count = queries.count();
  std::vector<size_t> not_proved;
  std::mutex mutex;
  out->mutable_bytes();  // so that threads find them unshared
  parallel_for((count + width - 1) / width, 1, [&](size_t begin, size_t end) {
    for (size_t panel = begin; panel < end; ++panel) {
      SoftmaxPanel some(*this, queries, panel * width, std::min(width, count - panel * width));
      some.read_biases(bias_of);
      some.compute();
      std::vector<size_t> open;
      some.write(out, first, &open);
      if (open.empty()) continue;
      const std::lock_guard lock(mutex);
      not_proved.insert(not_proved.end(), open.begin(), open.end());
    }
  });
  std::sort(not_proved.begin(), not_proved.end());
  count_settled((count - not_proved.size()) * components_, (count - not_proved.size()) * components_);
  return not_proved;
}

}  // namespace onnxv
