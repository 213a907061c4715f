// LinearAttention: a state S of each head, updated token by token.
//   linear       S_t = S + k v^T
//   gated        S_t = e^g S + k v^T
//   delta        S_t = S + beta k (v - S^T k)^T
//   gated_delta  S_t = e^g S + beta k (v - (e^g S)^T k)^T
//   o_t = scale q^T S_t
//   since 27
//
// Spec: rounds S_t to float32 at each token: the state is carried in the wider of its own type and
// float32 (the function body computes there), and o_t sees the rounded one. chunk_size is a hint.
#include "src/number/formula.h"

#include <vector>

namespace onnxv {
namespace {

// One column of S. options: [gated, delta]; decay has one element for the head or one for each key
// dimension.
constexpr auto linear_update = []<class Real>(Options options, In<Real> state, In<Real> key,
                                              In<Real> value, In<Real> decay, In<Real> beta,
                                              Out<Real> next) {
  std::vector<Real> decayed(state.begin(), state.end());
  for (size_t i = 0; options[0] != 0 && i < decayed.size(); ++i) {
    decayed[i] = exp(decay[decay.size() == 1 ? 0 : i]) * state[i];
  }
  Real step = value[0];
  if (options[1] != 0)
    step = beta[0] * (value[0] - dot(In<Real>{decayed.data(), decayed.size()}, key));
  for (size_t i = 0; i < decayed.size(); ++i) next[i] = decayed[i] + key[i] * step;
};

// options: [the scale is given, else it is 1 / sqrt of the operand].
constexpr auto linear_output = []<class Real>(Options options, In<Real> query, In<Real> state,
                                              In<Real> scale, Out<Real> y) {
  const Real product = dot(query, state);
  y[0] = options[0] != 0 ? scale[0] * product : product / sqrt(scale[0]);
};

}  // namespace
LINE_FORMULA(kLinearUpdateFormula, linear_update, 5, 1)
LINE_FORMULA(kLinearOutputFormula, linear_output, 3, 1)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include <algorithm>

#include "ops/attention/formulas.h"
#include "ops/operator.h"
#include "src/tensor/index.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

std::vector<double> decoded(const Tensor* tensor) {
  if (tensor == nullptr) return {};
  std::vector<double> values(tensor->size() + 1);
  decode_elements(*tensor, 0, tensor->size(), values.data());
  return values;
}

class LinearAttention {
 public:
  explicit LinearAttention(const OpCall& call);
  Outputs run();

 private:
  void read_rule();
  void read_shapes();
  void read_gates();
  void check(const Tensor& tensor, const char* port, int64_t last) const;
  void update(size_t t);
  Tensor output(size_t t) const;
  size_t token(size_t line, size_t t) const { return line / (kv_heads_ * dv_) * length_ + t; }
  size_t kv_head(size_t line) const { return line / dv_ % kv_heads_; }

  const OpCall& call_;
  const Tensor& query_;
  bool gated_ = false, delta_ = false;
  size_t batch_ = 0, length_ = 0, q_heads_ = 0, kv_heads_ = 0, dk_ = 0, dv_ = 0;
  size_t decays_ = 1;  // of a head: 1 or dk
  size_t betas_ = 1;   // of a token: 1 or one for each head
  Tensor state_;       // float32 [batch, kv heads, dk, dv]
  std::vector<double> queries_, keys_, values_, decay_, beta_;
};

LinearAttention::LinearAttention(const OpCall& call) : call_(call), query_(call.tensor("query")) {
  read_rule();
  read_shapes();
  read_gates();
  queries_ = decoded(&query_);
  keys_ = decoded(&call.tensor("key"));
  values_ = decoded(&call.tensor("value"));
  const int64_t shape[] = {static_cast<int64_t>(batch_), static_cast<int64_t>(kv_heads_),
                           static_cast<int64_t>(dk_), static_cast<int64_t>(dv_)};
  const Shape state_shape{std::span<const int64_t>(shape)};
  const Tensor* past = call.optional_tensor("past_state");
  if (past != nullptr && past->shape() != state_shape) {
    fail_schema("shape-mismatch", "past_state is " + past->shape().text(),
                "must be " + state_shape.text());
  }
  state_ = past == nullptr ? Tensor(DType::kFloat, state_shape)
                           : map_elements(kAsItIsFormula, DType::kFloat, {past, 1});
}

void LinearAttention::read_rule() {
  const std::string& rule = call_.text("update_rule");
  if (rule != "linear" && rule != "gated" && rule != "delta" && rule != "gated_delta") {
    fail_schema("attribute-value", "update_rule is \"" + rule + "\"",
                "must be linear, gated, delta or gated_delta");
  }
  gated_ = rule.starts_with("gated");
  delta_ = rule.ends_with("delta");
  for (const auto& [port, wanted] : {std::pair{"decay", gated_}, std::pair{"beta", delta_}}) {
    if (call_.has_input(port) == wanted) continue;
    // Choice: an input that the rule does not read is an error, as in the reference implementation.
    if (wanted)
      fail_schema("input-missing", std::string(port) + " is absent",
                  "update_rule " + rule + " needs it");
    fail_schema("input-conflict", std::string(port) + " is given",
                "update_rule " + rule + " does not read it");
  }
}

void LinearAttention::check(const Tensor& tensor, const char* port, int64_t last) const {
  const Shape wanted{static_cast<int64_t>(batch_), static_cast<int64_t>(length_), last};
  if (tensor.shape() == wanted) return;
  fail_schema("shape-mismatch", std::string(port) + " is " + tensor.shape().text(),
              "must be " + wanted.text());
}

void LinearAttention::read_shapes() {
  const Tensor& key = call_.tensor("key");
  const Tensor& value = call_.tensor("value");
  const int64_t q_heads = call_.integer("q_num_heads"), kv_heads = call_.integer("kv_num_heads");
  if (q_heads <= 0 || kv_heads <= 0 || q_heads % kv_heads != 0) {
    fail_schema("attribute-range",
                "q_num_heads is " + std::to_string(q_heads) + " and kv_num_heads " +
                    std::to_string(kv_heads),
                "the first must be a positive multiple of the second");
  }
  if (query_.rank() != 3 || value.rank() != 3) {
    fail_schema("rank", "query is " + query_.shape().text() + " and value " + value.shape().text(),
                "must have three dimensions");
  }
  const int64_t q_size = query_.shape()[2], v_size = value.shape()[2];
  if (q_size % q_heads != 0 || v_size % kv_heads != 0) {
    fail_schema("shape-mismatch",
                "query is " + query_.shape().text() + " and value " + value.shape().text(),
                "the last dimensions must be multiples of the numbers of heads");
  }
  batch_ = static_cast<size_t>(query_.shape()[0]);
  length_ = static_cast<size_t>(query_.shape()[1]);
  q_heads_ = static_cast<size_t>(q_heads);
  kv_heads_ = static_cast<size_t>(kv_heads);
  dk_ = static_cast<size_t>(q_size / q_heads);
  dv_ = static_cast<size_t>(v_size / kv_heads);
  check(key, "key", kv_heads * (q_size / q_heads));
  check(value, "value", v_size);
}

void LinearAttention::read_gates() {
  const int64_t heads = static_cast<int64_t>(kv_heads_);
  if (gated_) {
    const Tensor& decay = call_.tensor("decay");
    const bool per_head = decay.rank() == 3 && decay.shape()[2] == heads;
    decays_ = per_head ? 1 : dk_;
    check(decay, "decay", per_head ? heads : heads * static_cast<int64_t>(dk_));
    decay_ = decoded(&decay);
  }
  if (delta_) {
    const Tensor& beta = call_.tensor("beta");
    betas_ = beta.rank() == 3 && beta.shape()[2] == 1 ? 1 : kv_heads_;
    check(beta, "beta", static_cast<int64_t>(betas_));
    beta_ = decoded(&beta);
  }
}

// One line for each column of each head's state.
void LinearAttention::update(size_t t) {
  const LineLayout columns{batch_ * kv_heads_, dk_, dv_};
  Tensor next(DType::kFloat, state_.shape());
  const auto copy = [](const std::vector<double>& from, size_t start, size_t count, double* out) {
    std::copy_n(from.data() + start, count, out);
  };
  LineJob(kLinearUpdateFormula, columns.lines())
      .lines_of(state_, columns)
      .computed(dk_,
                [&](size_t line, double* k) {
                  copy(keys_, (token(line, t) * kv_heads_ + kv_head(line)) * dk_, dk_, k);
                })
      .computed(1,
                [&](size_t line, double* v) {
                  *v = values_[(token(line, t) * kv_heads_ + kv_head(line)) * dv_ + line % dv_];
                })
      .computed(gated_ ? decays_ : 0,
                [&](size_t line, double* g) {
                  if (gated_)
                    copy(decay_, (token(line, t) * kv_heads_ + kv_head(line)) * decays_, decays_,
                         g);
                })
      .computed(delta_ ? 1 : 0,
                [&](size_t line, double* beta) {
                  if (delta_)
                    *beta = beta_[token(line, t) * betas_ + (betas_ == 1 ? 0 : kv_head(line))];
                })
      .option(gated_ ? 1 : 0)
      .option(delta_ ? 1 : 0)
      .lines_to(&next, columns)
      .run();
  state_ = next;
}

// [batch, query heads, dv].
Tensor LinearAttention::output(size_t t) const {
  const auto count = [](size_t n) { return static_cast<int64_t>(n); };
  Tensor y(query_.dtype(), {count(batch_), count(q_heads_), count(dv_)});
  const double given = call_.real("scale");
  LineJob(kLinearOutputFormula, y.size())
      .computed(dk_,
                [&](size_t line, double* q) {
                  const size_t head = line / dv_ % q_heads_, b = line / dv_ / q_heads_;
                  std::copy_n(queries_.data() + ((b * length_ + t) * q_heads_ + head) * dk_, dk_,
                              q);
                })
      .gathered(state_, dk_,
                [&](size_t line, int64_t* at) {
                  const size_t head = line / dv_ % q_heads_ / (q_heads_ / kv_heads_),
                               b = line / dv_ / q_heads_;
                  const size_t matrix = (b * kv_heads_ + head) * dk_ * dv_;
                  for (size_t i = 0; i < dk_; ++i)
                    at[i] = static_cast<int64_t>(matrix + i * dv_ + line % dv_);
                })
      .constants({given != 0 ? given : static_cast<double>(dk_)})
      .option(given != 0 ? 1 : 0)
      .lines_to(&y, LineLayout::elements(y.size()))
      .run();
  return y;
}

Outputs LinearAttention::run() {
  // Choice: without a past_state, which would name the state's type, it is the query's.
  const Tensor* past = call_.optional_tensor("past_state");
  const DType state_type = past != nullptr ? past->dtype() : query_.dtype();
  const size_t width = q_heads_ * dv_;
  Tensor y(query_.dtype(), {query_.shape()[0], query_.shape()[1], static_cast<int64_t>(width)});
  for (size_t t = 0; t < length_; ++t) {
    update(t);
    const Tensor now = output(t);
    for (size_t b = 0; b < batch_; ++b)
      copy_elements(now, b * width, width, y, (b * length_ + t) * width);
  }
  return {y, map_elements(kAsItIsFormula, state_type, {&state_, 1})};
}

Outputs linear_attention_27(const OpCall& call) { return LinearAttention(call).run(); }

}  // namespace

extern const Operator kLinearAttention;
const Operator kLinearAttention{
    "ai.onnx", "LinearAttention", {{.since = 27, .run = linear_attention_27}}};

}  // namespace onnxv
#endif
