#include "ops/attention/attention_inputs.h"

#include <algorithm>
#include <limits>

#include "ops/attention/formulas.h"
#include "src/tensor/index.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

[[noreturn]] void fail_shape(const std::string& port, const Tensor& tensor,
                             const std::string& wanted) {
  fail_schema("shape-mismatch", port + " is " + tensor.shape().text(), wanted);
}

// [batch, length, heads * size] as [batch, heads, length, size].
Tensor split_into_heads(const OpCall& call, const Tensor& x, const char* port,
                        const char* attribute) {
  if (!call.has_attribute(attribute)) {
    fail_schema("attribute-missing", std::string(attribute) + " is not given",
                "three-dimensional inputs need it");
  }
  const int64_t heads = call.integer(attribute), batch = x.shape()[0], length = x.shape()[1],
                hidden = x.shape()[2];
  if (heads <= 0)
    fail_schema("attribute-range", std::string(attribute) + " is " + std::to_string(heads),
                "must be 1 or more");
  if (hidden % heads != 0)
    fail_shape(port, x, "its last dimension must be a multiple of " + std::string(attribute));
  const int64_t size = hidden / heads;
  const int64_t strides[] = {length * hidden, size, hidden, 1};
  return strided_copy(x, {batch, heads, length, size}, 0, strides);
}

// Along the third of four dimensions.
Tensor joined(const Tensor& past, const Tensor& now) {
  Shape shape = now.shape();
  shape[2] += past.shape()[2];
  Tensor present(now.dtype(), shape);
  const size_t heads = static_cast<size_t>(shape.elements(0, 2));
  const size_t before = static_cast<size_t>(past.shape().elements(2, 4)),
               added = static_cast<size_t>(now.shape().elements(2, 4));
  for (size_t head = 0; head < heads; ++head) {
    copy_elements(past, head * before, before, present, head * (before + added));
    copy_elements(now, head * added, added, present, head * (before + added) + before);
  }
  return present;
}

}  // namespace

AttentionInputs::AttentionInputs(const OpCall& call)
    : q(call.tensor("Q")), k(call.tensor("K")), v(call.tensor("V")) {
  read_heads(call);
  read_past(call);
  const auto dim = [](const Tensor& tensor, int64_t axis) {
    return static_cast<size_t>(tensor.shape()[axis]);
  };
  batch = dim(q, 0);
  q_heads = dim(q, 1);
  q_length = dim(q, 2);
  head_size = dim(q, 3);
  kv_heads = dim(k, 1);
  k_length = dim(k, 2);
  value_size = dim(v, 3);
  if (q.shape()[0] != k.shape()[0] || q.shape()[3] != k.shape()[3]) {
    fail_shape("K", k, "its batch and head size must be those of Q, " + q.shape().text());
  }
  if (v.shape()[0] != k.shape()[0] || v.shape()[1] != k.shape()[1] ||
      v.shape()[2] != k.shape()[2]) {
    fail_shape("V", v, "its batch, heads and length must be those of K, " + k.shape().text());
  }
  if (kv_heads == 0 ? q_heads != 0 : q_heads % kv_heads != 0) {
    fail_schema("shape-mismatch", std::to_string(q_heads) + " heads of queries",
                "must be a multiple of the " + std::to_string(kv_heads) + " heads of keys");
  }
  read_nonpad(call);
}

void AttentionInputs::read_heads(const OpCall& call) {
  three_dimensional = q.rank() == 3;
  for (const Tensor* tensor : {&q, &k, &v}) {
    if (tensor->rank() == q.rank() && (q.rank() == 3 || q.rank() == 4)) continue;
    fail_schema(
        "rank",
        "Q, K and V are " + q.shape().text() + ", " + k.shape().text() + " and " + v.shape().text(),
        "must all have three or all have four dimensions");
  }
  if (three_dimensional) {
    q = split_into_heads(call, q, "Q", "q_num_heads");
    k = split_into_heads(call, k, "K", "kv_num_heads");
    v = split_into_heads(call, v, "V", "kv_num_heads");
    return;
  }
  // Choice: versions 23 and 24 ignore the attributes beside four dimensions, 25 (which came with
  // checks) refuses them.
  for (const char* attribute : {"q_num_heads", "kv_num_heads"}) {
    if (call.since_version() < 25 || !call.has_attribute(attribute)) continue;
    fail_schema("attribute-value", std::string(attribute) + " is given",
                "goes with three-dimensional inputs only");
  }
}

void AttentionInputs::read_past(const OpCall& call) {
  const Tensor* past_key = call.optional_tensor("past_key");
  const Tensor* past_value = call.optional_tensor("past_value");
  if ((past_key == nullptr) != (past_value == nullptr)) {
    fail_schema("input-missing",
                std::string(past_key == nullptr ? "past_key" : "past_value") + " is absent",
                "past_key and past_value go together");
  }
  offsets.assign(static_cast<size_t>(q.shape()[0]), 0);
  if (past_key == nullptr) return;
  const auto continues = [](const Tensor& past, const Tensor& now) {
    return past.rank() == 4 && past.shape()[0] == now.shape()[0] &&
           past.shape()[1] == now.shape()[1] && past.shape()[3] == now.shape()[3];
  };
  if (!continues(*past_key, k))
    fail_shape("past_key", *past_key,
               "must be keys in four dimensions, as K's " + k.shape().text());
  if (!continues(*past_value, v)) {
    fail_shape("past_value", *past_value,
               "must be values in four dimensions, as V's " + v.shape().text());
  }
  offsets.assign(offsets.size(), past_key->shape()[2]);
  k = joined(*past_key, k);
  v = joined(*past_value, v);
}

void AttentionInputs::read_nonpad(const OpCall& call) {
  keys.assign(batch, k_length);
  if (call.since_version() < 24) return;
  const Tensor* nonpad = call.optional_tensor("nonpad_kv_seqlen");
  if (nonpad == nullptr) return;
  has_nonpad = true;
  if (call.has_input("past_key")) {
    fail_schema("input-conflict", "nonpad_kv_seqlen and past_key are given",
                "they belong to different kinds of cache");
  }
  if (nonpad->shape() != Shape{static_cast<int64_t>(batch)}) {
    fail_shape("nonpad_kv_seqlen", *nonpad, "must be [" + std::to_string(batch) + "]");
  }
  const std::vector<int64_t> counts = int64_values(*nonpad);
  for (size_t b = 0; b < batch; ++b) {
    if (counts[b] < 0 || counts[b] > static_cast<int64_t>(k_length)) {
      fail_undefined("input-range", "nonpad_kv_seqlen holds " + std::to_string(counts[b]),
                     "must be in [0, " + std::to_string(k_length) + "]");
    }
    keys[b] = static_cast<size_t>(counts[b]);
    offsets[b] = counts[b] - static_cast<int64_t>(q_length);
  }
}

// ---- the bias ----

AttentionBias::AttentionBias(const OpCall& call, const AttentionInputs& inputs)
    : inputs_(inputs), causal_(call.integer("is_causal") != 0) {
  const auto window = [&](const char* name) {
    const int64_t size = call.integer_or(name, -1);
    if (size < -1)
      fail_schema("attribute-range", std::string(name) + " is " + std::to_string(size),
                  "must be -1 or more");
    return std::min(size, int64_t{1} << 60);
  };
  left_ = window("left_window_size");
  right_ = window("right_window_size");
  read_mask(call);
}

void AttentionBias::read_mask(const OpCall& call) {
  const Tensor* mask = call.optional_tensor("attn_mask");
  if (mask == nullptr) return;
  has_mask_ = true;
  const int64_t length = static_cast<int64_t>(inputs_.k_length);
  const int64_t wanted[] = {static_cast<int64_t>(inputs_.batch),
                            static_cast<int64_t>(inputs_.q_heads),
                            static_cast<int64_t>(inputs_.q_length), length};
  Shape shape = mask->shape();
  // Choice: a last dimension of 1 could also repeat; from version 24 on it is padded like every
  // short one.
  const bool padded = call.since_version() >= 24 && shape.rank() > 0 && shape.back() < length;
  bool fits = shape.rank() <= 4;
  for (int64_t stride = 1, axis = 3, from = shape.rank() - 1; fits && from >= 0; --from, --axis) {
    const int64_t dim = shape[from];
    fits = dim == 1 || dim == wanted[axis] || (axis == 3 && padded);
    strides_[static_cast<size_t>(axis)] = dim == 1 ? 0 : stride;
    stride *= dim;
  }
  if (!fits) {
    fail_shape("attn_mask", *mask,
               "must broadcast to " + Shape(std::span<const int64_t>(wanted)).text());
  }
  const bool repeats = strides_[3] == 0 && !padded;
  mask_length_ = repeats ? 0 : static_cast<size_t>(shape.back());
  mask_.resize(mask->size());
  if (mask->dtype() == DType::kBool) {
    const auto allowed = mask->as<uint8_t>();
    for (size_t i = 0; i < mask_.size(); ++i)
      mask_[i] = allowed[i] != 0 ? 0.0 : -std::numeric_limits<double>::infinity();
    return;
  }
  // Choice: a mask of another type than Q's, which the type list admits and the text does not know,
  // is cast to Q's.
  const Tensor cast = map_elements(kAsItIsFormula, inputs_.q.dtype(), {mask, 1});
  decode_elements(cast, 0, cast.size(), mask_.data());
}

// [first, last) of the keys that causality and windows allow a query.
std::pair<size_t, size_t> AttentionBias::allowed(size_t b, size_t query) const {
  const int64_t keys = static_cast<int64_t>(inputs_.keys[b]);
  const int64_t position = inputs_.offsets[b] + static_cast<int64_t>(query);
  int64_t first = 0, last = keys;
  if (causal_) last = std::min(last, position + 1);
  if (right_ >= 0) last = std::min(last, position + right_ + 1);
  if (left_ >= 0) first = std::max(first, position - left_);
  last = std::max<int64_t>(last, 0);
  return {static_cast<size_t>(std::min(first, last)), static_cast<size_t>(last)};
}

bool AttentionBias::row(size_t b, size_t head, size_t query, double* bias) const {
  const double lowest = -std::numeric_limits<double>::infinity();
  const size_t keys = inputs_.keys[b];
  const auto [first, last] = allowed(b, query);
  if (!has_mask_) {
    std::fill_n(bias, keys, lowest);
    std::fill(bias + first, bias + last, 0.0);
    return first < last;
  }
  const int64_t start = static_cast<int64_t>(b) * strides_[0] + static_cast<int64_t>(head) * strides_[1] +
                        static_cast<int64_t>(query) * strides_[2];
  const size_t given = mask_.empty() ? 0 : mask_length_ == 0 ? keys : std::min(mask_length_, keys);
  for (size_t j = 0; j < given; ++j) bias[j] = mask_[static_cast<size_t>(start + static_cast<int64_t>(j) * strides_[3])];
  std::fill(bias + given, bias + keys, lowest);
  // The sum of the terms: -infinity beside +infinity or NaN is NaN.
  const auto disallow = [&](double& value) { value = value < -lowest ? lowest : std::numeric_limits<double>::quiet_NaN(); };
  std::for_each(bias, bias + first, disallow);
  std::for_each(bias + last, bias + keys, disallow);
  if (hides()) std::replace(bias + first, bias + last, -0.0, 0.0);
  return std::any_of(bias, bias + keys, [&](double value) { return value != lowest; });
}

}  // namespace onnxv
