// Attention: Y = softmax(softcap(scale Q K^T) + bias) V, head by head.
//   since 23  an optional cache of past keys and values
//   since 24  nonpad_kv_seqlen for a cache outside, and masks that are shorter than the keys
//   since 25  windows
//
// Errata (in place, ONNX 1.23): the causal frontier of a cache outside is aligned bottom-right, a
// row whose every key is disallowed is zero, qk_matmul_output_mode 1 comes before the bias and 2
// behind it. The same holds for all versions.
#include <algorithm>
#include <limits>
#include <mutex>

#include "ops/attention/attention_inputs.h"
#include "ops/attention/formulas.h"
#include "ops/attention/softmax_precision.h"
#include "src/base/parallel.h"
#include "src/kernel/ball_product.h"
#include "src/kernel/product.h"
#include "src/number/interval.h"
#include "src/tensor/index.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

constexpr size_t kMostProducts = size_t{1} << 20;  // of queries and keys, at a time

// Some queries of one head.
struct Rows {
  size_t b, head;
  std::vector<size_t> queries;
  std::vector<double> bias;  // [queries][keys]
};

class Attention {
 public:
  explicit Attention(const OpCall& call);
  Tensor y();
  Tensor scores() const;   // modes 0 to 2 of qk_matmul_output
  Tensor weights() const;  // mode 3

 private:
  bool rounded() const { return precision_.has_value(); }
  std::vector<double> constants() const { return {scale_, softcap_}; }
  std::vector<int64_t> options() const;
  size_t chunk(size_t keys) const {
    return std::max<size_t>(8, kMostProducts / std::max<size_t>(keys, 1));
  }
  // The rows [first, last) of a head that are not dead.
  Rows live_rows(size_t b, size_t head, size_t first, size_t last) const;
  StoredVectors queries_of(const Rows& rows) const;
  StridedVectors keys_of(size_t b, size_t head, size_t keys) const;
  // Calls use(rows) for all live rows, some at a time.
  template <class Use>
  void for_live_rows(const Use& use) const;
  void write_scores(size_t b, size_t head, size_t first, size_t last, Tensor* scores) const;
  Tensor weights_of(const Rows& rows) const;
  Tensor y_of_rounded(const Rows& rows) const;
  Tensor y_of(const Rows& rows) const;
  void write_y(const Rows& rows, Tensor* y) const;

  const AttentionInputs in_;
  const AttentionBias bias_;
  int64_t mode_ = 0;
  bool scale_given_;
  double scale_, softcap_;
  std::optional<DType> precision_;

 public:
  const AttentionInputs& inputs() const { return in_; }
  int64_t mode() const { return mode_; }
};

Attention::Attention(const OpCall& call)
    : in_(call),
      bias_(call, in_),
      mode_(call.integer("qk_matmul_output_mode")),
      scale_given_(call.has_attribute("scale")),
      scale_(scale_given_ ? call.real("scale") : static_cast<double>(in_.head_size)),
      softcap_(call.real("softcap")),
      precision_(softmax_precision(call)) {
  if (mode_ < 0 || mode_ > 3) {
    fail_schema("attribute-value", "qk_matmul_output_mode is " + std::to_string(mode_),
                "must be 0, 1, 2 or 3");
  }
}

std::vector<int64_t> Attention::options() const {
  return {scale_given_ ? 1 : 0, softcap_ > 0 ? 1 : 0, bias_.exists() ? 1 : 0,
          rounded() ? format_number(float_format(*precision_)) : kNoFormat};
}

Rows Attention::live_rows(size_t b, size_t head, size_t first, size_t last) const {
  Rows rows{b, head, {}, {}};
  std::vector<double> bias(in_.keys[b] + 1);
  for (size_t query = first; query < last; ++query) {
    if (!bias_.row(b, head, query, bias.data())) continue;
    rows.queries.push_back(query);
    rows.bias.insert(rows.bias.end(), bias.begin(), bias.end() - 1);
  }
  return rows;
}

template <class Use>
void Attention::for_live_rows(const Use& use) const {
  for (size_t b = 0; b < in_.batch; ++b) {
    const size_t step = chunk(in_.keys[b]);
    for (size_t head = 0; head < in_.q_heads; ++head) {
      for (size_t first = 0; first < in_.q_length; first += step) {
        const Rows rows = live_rows(b, head, first, std::min(first + step, in_.q_length));
        if (!rows.queries.empty()) use(rows);
      }
    }
  }
}

StoredVectors Attention::queries_of(const Rows& rows) const {
  const size_t size = in_.head_size;
  std::vector<double> values(rows.queries.size() * size + 1);
  for (size_t i = 0; i < rows.queries.size(); ++i) {
    decode_elements(in_.q, in_.q_start(rows.b, rows.head) + rows.queries[i] * size, size,
                    values.data() + i * size);
  }
  return {std::move(values), rows.queries.size(), size, is_narrow(in_.q.dtype())};
}

StridedVectors Attention::keys_of(size_t b, size_t head, size_t keys) const {
  const int64_t start = static_cast<int64_t>(in_.k_start(b, head));
  return {in_.k, keys, in_.head_size, start, static_cast<int64_t>(in_.head_size), 1};
}

// ---- qk_matmul_output ----

void Attention::write_scores(size_t b, size_t head, size_t first, size_t last,
                             Tensor* scores) const {
  // Only the bias knows of padded keys: what comes before it has a score for each.
  const size_t keys = mode_ == 2 ? in_.keys[b] : in_.k_length;
  Rows rows{b, head, {}, {}};
  std::vector<double> bias((last - first) * keys + 1);
  for (size_t query = first; query < last; ++query) {
    rows.queries.push_back(query);
    if (mode_ == 2) bias_.row(b, head, query, bias.data() + (query - first) * keys);
  }
  const StoredVectors queries = queries_of(rows);
  const StridedVectors key_vectors = keys_of(b, head, keys);
  Tensor part(scores->dtype(), {static_cast<int64_t>(last - first), static_cast<int64_t>(keys)});
  LineJob(kAttentionScoreFormula, part.size())
      .source(product_lines(queries, key_vectors))
      .computed(1, [&bias](size_t line, double* value) { *value = bias[line]; })
      .constants({scale_})
      .constants({softcap_})
      .option(scale_given_ ? 1 : 0)
      .option(mode_ > 0 && softcap_ > 0 ? 1 : 0)
      .option(mode_ == 2 && bias_.exists() ? 1 : 0)
      .lines_to(&part, LineLayout::elements(part.size()))
      .run();
  for (size_t query = first; query < last; ++query) {
    const size_t row = (b * in_.q_heads + head) * in_.q_length + query;
    copy_elements(part, (query - first) * keys, keys, *scores, row * in_.k_length);
  }
}

Tensor Attention::scores() const {
  const DType dtype = in_.q.dtype();
  const auto count = [](size_t n) { return static_cast<int64_t>(n); };
  Tensor scores(dtype,
                {count(in_.batch), count(in_.q_heads), count(in_.q_length), count(in_.k_length)});
  if (mode_ == 2) {
    const uint64_t lowest =
        settle_exact(target_of(dtype), -std::numeric_limits<double>::infinity());
    for (size_t i = 0; i < scores.size(); ++i) scores.set_code(i, lowest);
  }
  const size_t step = chunk(in_.k_length);
  for (size_t b = 0; b < in_.batch; ++b) {
    for (size_t head = 0; head < in_.q_heads; ++head) {
      for (size_t first = 0; first < in_.q_length; first += step) {
        write_scores(b, head, first, std::min(first + step, in_.q_length), &scores);
      }
    }
  }
  return scores;
}

Tensor Attention::weights_of(const Rows& rows) const {
  const StoredVectors queries = queries_of(rows);
  const size_t keys = in_.keys[rows.b];
  const StridedVectors key_vectors = keys_of(rows.b, rows.head, keys);
  Tensor weights(in_.q.dtype(),
                 {static_cast<int64_t>(queries.count()), static_cast<int64_t>(keys)});
  LineJob(kAttentionWeightsFormula, queries.count())
      .source(product_rows(queries, key_vectors))
      .computed(keys,
                [&](size_t line, double* bias) {
                  std::copy_n(rows.bias.data() + line * keys, keys, bias);
                })
      .constants(constants())
      .options(options())
      .lines_to(&weights, {queries.count(), keys, 1})
      .run();
  return weights;
}

Tensor Attention::weights() const {
  const auto count = [](size_t n) { return static_cast<int64_t>(n); };
  Tensor all(in_.q.dtype(),
             {count(in_.batch), count(in_.q_heads), count(in_.q_length), count(in_.k_length)});
  for_live_rows([&](const Rows& rows) {
    const Tensor weights = weights_of(rows);
    const size_t keys = in_.keys[rows.b];
    for (size_t i = 0; i < rows.queries.size(); ++i) {
      const size_t row = (rows.b * in_.q_heads + rows.head) * in_.q_length + rows.queries[i];
      copy_elements(weights, i * keys, keys, all, row * in_.k_length);
    }
  });
  return all;
}

// ---- Y ----

// Spec: rounds the weights to softmax_precision, and back to Q's type before they meet V.
Tensor Attention::y_of_rounded(const Rows& rows) const {
  const Tensor weights = weights_of(rows);
  const size_t keys = in_.keys[rows.b], count = rows.queries.size();
  Tensor y(in_.q.dtype(), {static_cast<int64_t>(count), static_cast<int64_t>(in_.value_size)});
  const int64_t columns = static_cast<int64_t>(in_.value_size);
  const StridedVectors a(weights, count, keys, 0, static_cast<int64_t>(keys), 1);
  const StridedVectors b(in_.v, in_.value_size, keys,
                         static_cast<int64_t>(in_.v_start(rows.b, rows.head)), 1, columns);
  multiply(a, b, {&y, 0, columns, 1, target_of(y.dtype())});
  return y;
}

// One operand of the mean of values: the weighted sums of all columns, or the total of their weights. Known within radii;
// enclosures are computed anew from the row's products.
class WeightedRows {
 public:
  WeightedRows(const StoredVectors& queries, const StridedVectors& keys, const StridedVectors& values, const Rows& rows,
               std::vector<double> constants, std::vector<int64_t> options)
      : queries_(queries), keys_(keys), values_(values), rows_(rows), constants_(std::move(constants)), options_(std::move(options)) {
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

  const StoredVectors& queries_;
  const StridedVectors& keys_;
  const StridedVectors& values_;
  const Rows& rows_;
  const std::vector<double> constants_;
  const std::vector<int64_t> options_;
  Balls sums_, totals_;
  // The last row that was enclosed: open elements come row by row.
  mutable std::mutex mutex_;
  mutable size_t enclosed_row_ = SIZE_MAX;
  mutable long enclosed_bits_ = 0;
  mutable std::vector<Interval> numerators_;
};

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
                          options_[2] == 0 ? nullptr : rows_.bias.data() + at, {constants_[0], constants_[1]}, end - begin, keys,
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
  for (size_t j = 0; options_[2] != 0 && j < keys; ++j) bias.emplace_back(rows_.bias[row * keys + j]);
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

Tensor Attention::y_of(const Rows& rows) const {
  const StoredVectors queries = queries_of(rows);
  const size_t keys = in_.keys[rows.b], columns = in_.value_size;
  const StridedVectors key_vectors = keys_of(rows.b, rows.head, keys);
  const StridedVectors values(in_.v, columns, keys, static_cast<int64_t>(in_.v_start(rows.b, rows.head)), 1,
                              static_cast<int64_t>(columns));
  Tensor y(in_.q.dtype(), {static_cast<int64_t>(queries.count()), static_cast<int64_t>(columns)});
  if (y.size() == 0) return y;
  const WeightedRows weighted(queries, key_vectors, values, rows, constants(), options());
  LineJob(kWeightedMeanFormula, y.size())
      .source(std::make_unique<WeightedSource>(weighted, WeightedSource::Part::kSum))
      .source(std::make_unique<WeightedSource>(weighted, WeightedSource::Part::kTotal))
      .lines_to(&y, LineLayout::elements(y.size()))
      .run();
  return y;
}

void Attention::write_y(const Rows& rows, Tensor* y) const {
  Tensor part = rounded() ? y_of_rounded(rows) : y_of(rows);
  // Bounds come from the function body's order: the weights are divided first.
  if (ToleranceScope::current() != nullptr && part.size() != 0) part.mutable_bounds() = y_of_rounded(rows).mutable_bounds();
  const size_t columns = in_.value_size;
  for (size_t i = 0; i < rows.queries.size(); ++i) {
    const size_t row = (rows.b * in_.q_heads + rows.head) * in_.q_length + rows.queries[i];
    copy_elements(part, i * columns, columns, *y, row * columns);
  }
}

// Dead rows stay +0: their keys and values are not read.
Tensor Attention::y() {
  const auto count = [](size_t n) { return static_cast<int64_t>(n); };
  const int64_t batch = count(in_.batch), heads = count(in_.q_heads), length = count(in_.q_length),
                size = count(in_.value_size);
  Tensor y(in_.q.dtype(), {batch, heads, length, size});
  for_live_rows([&](const Rows& rows) { write_y(rows, &y); });
  if (!in_.three_dimensional) return y;
  const int64_t strides[] = {heads * length * size, size, length * size, 1};
  return strided_copy(y, {batch, length, heads, size}, 0, strides)
      .reshaped({batch, length, heads * size});
}

Outputs attention_23(const OpCall& call) {
  Attention attention(call);
  Outputs outputs{attention.y(), attention.inputs().k, attention.inputs().v, Value()};
  if (call.wants(3)) outputs[3] = attention.mode() == 3 ? attention.weights() : attention.scores();
  return outputs;
}

}  // namespace

extern const Operator kAttention;
const Operator kAttention{
    "ai.onnx", "Attention", {{.since = 23, .also = {24, 25}, .run = attention_23}}};

}  // namespace onnxv
