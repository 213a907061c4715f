// Attention's inputs, checked and brought into four dimensions, and the bias of each row.
#pragma once

#include <vector>

#include "ops/operator.h"

namespace onnxv {

struct AttentionInputs {
  explicit AttentionInputs(const OpCall& call);

  bool three_dimensional;
  // [batch, heads, length, size]; keys and values with the past in front. Bit copies.
  Tensor q, k, v;
  size_t batch, q_heads, kv_heads, q_length, k_length, head_size, value_size;
  bool has_nonpad = false;
  std::vector<size_t> keys;      // of each batch: those that may be read, from the first on
  std::vector<int64_t> offsets;  // of each batch: the absolute position of the first query

  size_t kv_head(size_t q_head) const { return q_head / (q_heads / kv_heads); }
  // The first element of a head's matrix in q, k or v.
  size_t q_start(size_t b, size_t head) const {
    return (b * q_heads + head) * q_length * head_size;
  }
  size_t k_start(size_t b, size_t q_head) const {
    return (b * kv_heads + kv_head(q_head)) * k_length * head_size;
  }
  size_t v_start(size_t b, size_t q_head) const {
    return (b * kv_heads + kv_head(q_head)) * k_length * value_size;
  }

 private:
  void read_heads(const OpCall& call);
  void read_past(const OpCall& call);
  void read_nonpad(const OpCall& call);
};

// The sum of attn_mask, the causal frontier, the windows and the padding.
// Spec: "composed with it additively": what hides some keys adds 0 to the others, so that none of them keeps a score of -0.
class AttentionBias {
 public:
  AttentionBias(const OpCall& call, const AttentionInputs& inputs);

  // False: there is none to add.
  bool exists() const { return has_mask_ || hides(); }
  // The biases of the keys that may be read, inputs.keys[b] many, for one query. False where every
  // one is -infinity: the row is dead.
  bool row(size_t b, size_t head, size_t query, double* bias) const;

 private:
  void read_mask(const OpCall& call);
  bool hides() const { return causal_ || left_ >= 0 || right_ >= 0 || inputs_.has_nonpad; }
  std::pair<size_t, size_t> allowed(size_t b, size_t query) const;

  const AttentionInputs& inputs_;
  bool has_mask_ = false, causal_ = false;
  int64_t left_ = -1, right_ = -1;
  std::vector<double> mask_;
  std::vector<int64_t> strides_{0, 0, 0,
                                0};  // of batch, head, query and key; 0 where the mask repeats
  size_t mask_length_ = 0;  // keys behind it are disallowed; 0: the mask repeats along the keys
};

}  // namespace onnxv
