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

#include "ops/attention/attention_inputs.h"
#include "ops/attention/formulas.h"
#include "ops/attention/softmax_precision.h"
#include "ops/attention/weighted_rows.h"
#include "src/kernel/product.h"
#include "src/kernel/scaled_products.h"
#include "src/kernel/softmax_means.h"
#include "src/number/settled_lines.h"
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
  StridedVectors values_of(size_t b, size_t head, size_t keys) const;
  // Calls use(rows) for all live rows of a batch, some at a time.
  template <class Use>
  void for_live_rows(size_t b, const Use& use) const;
  void write_scores(size_t b, size_t head, size_t first, size_t last, Tensor* scores) const;
  Tensor weights_of(const Rows& rows) const;
  Tensor y_of_rounded(const Rows& rows) const;
  Tensor y_of(const Rows& rows) const;
  void write_y(const Rows& rows, Tensor* y) const;
  bool means_suffice(size_t b) const;
  void write_means(size_t b, size_t first_head, size_t heads, Tensor* y) const;

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
void Attention::for_live_rows(size_t b, const Use& use) const {
  const size_t step = chunk(in_.keys[b]);
  for (size_t head = 0; head < in_.q_heads; ++head) {
    for (size_t first = 0; first < in_.q_length; first += step) {
      const Rows rows = live_rows(b, head, first, std::min(first + step, in_.q_length));
      if (!rows.queries.empty()) use(rows);
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

// Its vectors are the components, an element for each key.
StridedVectors Attention::values_of(size_t b, size_t head, size_t keys) const {
  const int64_t columns = static_cast<int64_t>(in_.value_size);
  return {in_.v, in_.value_size, keys, static_cast<int64_t>(in_.v_start(b, head)), 1, columns};
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
      .source(scaled_products(queries, key_vectors, false, {scale_, !scale_given_}, float_format(in_.q.dtype())))
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
      .source(scaled_products(queries, key_vectors, true, {scale_, !scale_given_}, float_format(in_.q.dtype())))
      .computed(keys,
                [&](size_t line, double* bias) {
                  std::copy_n(rows.bias.data() + line * keys, keys, bias);
                })
      .constants(constants())
      .options(options())
      .computed_in(narrower_type(precision_.value_or(in_.q.dtype()), in_.q.dtype()))
      .lines_to(&weights, {queries.count(), keys, 1})
      .run();
  return weights;
}

Tensor Attention::weights() const {
  const auto count = [](size_t n) { return static_cast<int64_t>(n); };
  Tensor all(in_.q.dtype(),
             {count(in_.batch), count(in_.q_heads), count(in_.q_length), count(in_.k_length)});
  const auto use = [&](const Rows& rows) {
    const Tensor weights = weights_of(rows);
    const size_t keys = in_.keys[rows.b];
    for (size_t i = 0; i < rows.queries.size(); ++i) {
      const size_t row = (rows.b * in_.q_heads + rows.head) * in_.q_length + rows.queries[i];
      copy_elements(weights, i * keys, keys, all, row * in_.k_length);
    }
  };
  for (size_t b = 0; b < in_.batch; ++b) for_live_rows(b, use);
  return all;
}

// ---- Y ----

// Spec: rounds the weights to softmax_precision, and back to Q's type before they meet V.
Tensor Attention::y_of_rounded(const Rows& rows) const {
  const Tensor weights = weights_of(rows);
  const size_t keys = in_.keys[rows.b], count = rows.queries.size();
  Tensor y(in_.q.dtype(), {static_cast<int64_t>(count), static_cast<int64_t>(in_.value_size)});
  const StridedVectors a(weights, count, keys, 0, static_cast<int64_t>(keys), 1);
  multiply(a, values_of(rows.b, rows.head, keys), {&y, 0, static_cast<int64_t>(in_.value_size), 1, target_of(y.dtype())});
  return y;
}

Tensor Attention::y_of(const Rows& rows) const {
  const StoredVectors queries = queries_of(rows);
  const size_t keys = in_.keys[rows.b], columns = in_.value_size;
  const StridedVectors key_vectors = keys_of(rows.b, rows.head, keys);
  const StridedVectors values = values_of(rows.b, rows.head, keys);
  Tensor y(in_.q.dtype(), {static_cast<int64_t>(queries.count()), static_cast<int64_t>(columns)});
  if (y.size() == 0) return y;
  const WeightedRows weighted(queries, key_vectors, values, rows.bias, constants(), options());
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

// Whether panels of queries settle nearly all (src/kernel/softmax_means.h), without rows of scores.
bool Attention::means_suffice(size_t b) const {
  return !rounded() && lanes_suffice() && is_narrow(in_.q.dtype()) &&
         SoftmaxMeans::takes(keys_of(b, 0, in_.keys[b]), values_of(b, 0, in_.keys[b]));
}

// Of query heads that share keys and values: their queries lie one behind the other.
void Attention::write_means(size_t b, size_t first_head, size_t heads, Tensor* y) const {
  const size_t keys = in_.keys[b], length = in_.q_length;
  const SoftmaxMeans means(keys_of(b, first_head, keys), values_of(b, first_head, keys), {scale_given_, scale_, softcap_ > 0 ? softcap_ : 0});
  SoftmaxMeans::BiasOf bias_of;
  if (bias_.exists()) {
    bias_of = [&](size_t query, double* bias) { return bias_.row(b, first_head + query / length, query % length, bias); };
  }
  const StridedVectors queries(in_.q, heads * length, in_.head_size, static_cast<int64_t>(in_.q_start(b, first_head)),
                               static_cast<int64_t>(in_.head_size), 1);
  const std::vector<size_t> open = means.write(queries, bias_of, y, (b * in_.q_heads + first_head) * length * in_.value_size);
  for (size_t i = 0; i < open.size();) {
    const size_t head = first_head + open[i] / length, from = i;
    Rows rows{b, head, {}, {}};
    for (; i < open.size() && i < from + chunk(keys) && first_head + open[i] / length == head; ++i) {
      const Rows one = live_rows(b, head, open[i] % length, open[i] % length + 1);
      rows.queries.push_back(open[i] % length);
      rows.bias.insert(rows.bias.end(), one.bias.begin(), one.bias.end());
    }
    write_y(rows, y);
  }
}

// Dead rows stay +0: their keys and values are not read.
Tensor Attention::y() {
  const auto count = [](size_t n) { return static_cast<int64_t>(n); };
  const int64_t batch = count(in_.batch), heads = count(in_.q_heads), length = count(in_.q_length),
                size = count(in_.value_size);
  Tensor y(in_.q.dtype(), {batch, heads, length, size});
  for (size_t b = 0; b < in_.batch && y.size() != 0; ++b) {
    const size_t group = in_.q_heads / in_.kv_heads;
    const bool suffice = means_suffice(b);
    for (size_t head = 0; suffice && head < in_.q_heads; head += group) write_means(b, head, group, &y);
    if (!suffice) for_live_rows(b, [&](const Rows& rows) { write_y(rows, &y); });
  }
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
