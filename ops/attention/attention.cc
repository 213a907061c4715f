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
#include "src/kernel/product.h"
#include "src/tensor/index.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

constexpr size_t kMostProducts = size_t{1} << 20;  // of queries and keys, at a time
constexpr size_t kMostValues = size_t{1} << 18;    // elements of V that a formula holds

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
  Tensor y_columns(const Rows& rows, size_t first, size_t last) const;
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

Tensor Attention::y_columns(const Rows& rows, size_t first, size_t last) const {
  const StoredVectors queries = queries_of(rows);
  const size_t keys = in_.keys[rows.b], columns = last - first;
  const StridedVectors key_vectors = keys_of(rows.b, rows.head, keys);
  std::vector<double> values(columns * keys), row(columns + 1);
  for (size_t j = 0; j < keys; ++j) {
    decode_elements(in_.v, in_.v_start(rows.b, rows.head) + j * in_.value_size + first, columns,
                    row.data());
    for (size_t column = 0; column < columns; ++column) values[column * keys + j] = row[column];
  }
  Tensor y(in_.q.dtype(), {static_cast<int64_t>(queries.count()), static_cast<int64_t>(columns)});
  LineJob(kAttentionFormula, queries.count())
      .source(product_rows(queries, key_vectors))
      .computed(keys,
                [&](size_t line, double* bias) {
                  std::copy_n(rows.bias.data() + line * keys, keys, bias);
                })
      .constants(constants())
      .constants(std::move(values))
      .options(options())
      .lines_to(&y, {queries.count(), columns, 1})
      .run();
  return y;
}

void Attention::write_y(const Rows& rows, Tensor* y) const {
  const size_t step =
      rounded() ? in_.value_size : std::max<size_t>(1, kMostValues / in_.keys[rows.b]);
  for (size_t first = 0; first < in_.value_size; first += step) {
    const size_t last = std::min(first + step, in_.value_size), columns = last - first;
    const Tensor part = rounded() ? y_of_rounded(rows) : y_columns(rows, first, last);
    for (size_t i = 0; i < rows.queries.size(); ++i) {
      const size_t row = (rows.b * in_.q_heads + rows.head) * in_.q_length + rows.queries[i];
      copy_elements(part, i * columns, columns, *y, row * in_.value_size + first);
    }
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
