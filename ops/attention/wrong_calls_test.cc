#include "src/run/wrong_calls.h"

namespace onnxv::testing {
namespace {

Tensor zeros(const Shape& shape) { return Tensor(DType::kFloat, shape); }
NodeUnderTest attention(int64_t opset, const Shape& q, const Shape& k, const Shape& v) {
  return NodeUnderTest("Attention", opset).input(zeros(q)).input(zeros(k)).input(zeros(v));
}
NodeUnderTest plain(int64_t opset) { return attention(opset, {1, 2, 3, 4}, {1, 2, 5, 4}, {1, 2, 5, 6}); }
NodeUnderTest flex(const Shape& q, const Shape& k, const Shape& v) {
  return NodeUnderTest("FlexAttention", 1, "ai.onnx.preview").input(zeros(q)).input(zeros(k)).input(zeros(v));
}
NodeUnderTest linear(const char* rule) {
  return NodeUnderTest("LinearAttention", 27).input(zeros({1, 2, 4})).input(zeros({1, 2, 4})).input(zeros({1, 2, 4})).attribute("q_num_heads", 2)
      .attribute("kv_num_heads", 2).attribute("update_rule", rule).outputs(2);
}
NodeUnderTest rotary(const Shape& x, const Shape& cache) { return NodeUnderTest("RotaryEmbedding", 23).input(zeros(x)).input(zeros(cache)).input(zeros(cache)); }

TEST_CASE("attention: shapes that contradict each other") {
  check_wrong_calls({
      {attention(23, {1, 2, 3, 4}, {1, 2, 5}, {1, 2, 5, 6}), "schema/rank", "Attention-23", "Q, K and V are [1,2,3,4], [1,2,5] and [1,2,5,6]",
       "must all have three or all have four dimensions"},
      {attention(24, {1, 2, 3, 4}, {1, 2, 5, 3}, {1, 2, 5, 6}), "schema/shape-mismatch", "Attention-24", "K is [1,2,5,3]", "its batch and head size must be those of Q, [1,2,3,4]"},
      {attention(25, {1, 2, 3, 4}, {1, 2, 5, 4}, {1, 2, 6, 6}), "schema/shape-mismatch", "Attention-25", "V is [1,2,6,6]", "its batch, heads and length must be those of K, [1,2,5,4]"},
      {attention(23, {1, 3, 3, 4}, {1, 2, 5, 4}, {1, 2, 5, 6}), "schema/shape-mismatch", "Attention-23", "3 heads of queries", "must be a multiple of the 2 heads of keys"},
      {attention(23, {1, 3, 4}, {1, 5, 4}, {1, 5, 4}), "schema/attribute-missing", "Attention-23", "q_num_heads is not given", "three-dimensional inputs need it"},
      {attention(23, {1, 3, 4}, {1, 5, 4}, {1, 5, 4}).attribute("q_num_heads", 3).attribute("kv_num_heads", 1), "schema/shape-mismatch", "Attention-23", "Q is [1,3,4]",
       "its last dimension must be a multiple of q_num_heads"},
      {plain(23).input(zeros({3, 6})), "schema/shape-mismatch", "Attention-23", "attn_mask is [3,6]", "must broadcast to [1,2,3,5]"},
      {plain(23).input(zeros({3, 4})), "schema/shape-mismatch", "Attention-23", "attn_mask is [3,4]", "must broadcast to [1,2,3,5]"},
      {plain(24).input(zeros({2, 4})), "schema/shape-mismatch", "Attention-24", "attn_mask is [2,4]", "must broadcast to [1,2,3,5]"},
      {plain(23).no_input().input(zeros({1, 2, 1, 4})), "schema/input-missing", "Attention-23", "past_value is absent", "past_key and past_value go together"},
      {plain(23).no_input().input(zeros({1, 2, 1, 5})).input(zeros({1, 2, 1, 6})), "schema/shape-mismatch", "Attention-23", "past_key is [1,2,1,5]",
       "must be keys in four dimensions, as K's [1,2,5,4]"},
      {plain(24).no_input().no_input().no_input().input(int64s({2}, {1, 1})), "schema/shape-mismatch", "Attention-24", "nonpad_kv_seqlen is [2]", "must be [1]"},
      {plain(24).no_input().input(zeros({1, 2, 1, 4})).input(zeros({1, 2, 1, 6})).input(int64s({1}, {1})), "schema/input-conflict", "Attention-24",
       "nonpad_kv_seqlen and past_key are given", "they belong to different kinds of cache"},
  });
}

TEST_CASE("attention: attributes and values out of range") {
  check_wrong_calls({
      {plain(23).attribute("qk_matmul_output_mode", 4), "schema/attribute-value", "Attention-23", "qk_matmul_output_mode is 4", "must be 0, 1, 2 or 3"},
      {plain(24).attribute("softmax_precision", 7), "schema/attribute-value", "Attention-24", "softmax_precision is 7", "must be 1, 10, 11 or 16"},
      {plain(25).attribute("left_window_size", -2), "schema/attribute-range", "Attention-25", "left_window_size is -2", "must be -1 or more"},
      {plain(25).attribute("kv_num_heads", 2), "schema/attribute-value", "Attention-25", "kv_num_heads is given", "goes with three-dimensional inputs only"},
      {plain(24).no_input().no_input().no_input().input(int64s({1}, {6})), "undefined/input-range", "Attention-24", "nonpad_kv_seqlen holds 6", "must be in [0, 5]"},
      {plain(25).no_input().no_input().no_input().input(int64s({1}, {-1})), "undefined/input-range", "Attention-25", "nonpad_kv_seqlen holds -1", "must be in [0, 5]"},
  });
}

TEST_CASE("attention: FlexAttention, LinearAttention and RotaryEmbedding") {
  check_wrong_calls({
      {flex({1, 2, 3}, {1, 2, 3}, {1, 2, 3}), "schema/rank", "FlexAttention-1", "Q, K and V are [1,2,3], [1,2,3] and [1,2,3]", "must have four dimensions"},
      {flex({1, 3, 1, 4}, {1, 2, 1, 4}, {1, 2, 1, 4}), "schema/shape-mismatch", "FlexAttention-1", "3 heads of queries", "must be a multiple of the 2 heads of keys"},
      {flex({1, 2, 1, 4}, {1, 2, 1, 3}, {1, 2, 1, 4}), "schema/shape-mismatch", "FlexAttention-1", "Q, K and V are [1,2,1,4], [1,2,1,3] and [1,2,1,4]",
       "batch, heads, lengths and head size must agree"},
      {flex({1, 1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 1}).attribute("softmax_precision", 6), "schema/attribute-value", "FlexAttention-1", "softmax_precision is 6", "must be 1, 10, 11 or 16"},
      {linear("rule"), "schema/attribute-value", "LinearAttention-27", "update_rule is \"rule\"", "must be linear, gated, delta or gated_delta"},
      {linear("gated"), "schema/input-missing", "LinearAttention-27", "decay is absent", "update_rule gated needs it"},
      {linear("linear").no_input().input(zeros({1, 2, 2})), "schema/input-conflict", "LinearAttention-27", "decay is given", "update_rule linear does not read it"},
      {linear("linear").input(zeros({1, 2, 2, 3})), "schema/shape-mismatch", "LinearAttention-27", "past_state is [1,2,2,3]", "must be [1,2,2,2]"},
      {linear("delta").no_input().no_input().input(zeros({1, 2, 3})), "schema/shape-mismatch", "LinearAttention-27", "beta is [1,2,3]", "must be [1,2,2]"},
      {rotary({1, 2, 4}, {1, 2, 2}), "schema/attribute-range", "RotaryEmbedding-23", "num_heads is 0", "three-dimensional inputs need 1 or more"},
      {rotary({2, 4}, {1, 2}), "schema/rank", "RotaryEmbedding-23", "X is [2,4]", "must have three or four dimensions"},
      {rotary({1, 1, 2, 4}, {1, 2, 2}).attribute("rotary_embedding_dim", 3), "schema/attribute-range", "RotaryEmbedding-23", "rotary_embedding_dim is 3",
       "must be even and at most the head size 4"},
      {rotary({1, 1, 2, 4}, {1, 2, 1}), "schema/shape-mismatch", "RotaryEmbedding-23", "cos_cache is [1,2,1]", "must be [1,2,2] without position_ids"},
      {rotary({1, 1, 2, 4}, {8, 2}).input(int64s({1, 2}, {0, 8})), "undefined/index-range", "RotaryEmbedding-23", "position_ids hold 8", "must be in [0, 7]"},
      {rotary({1, 1, 2, 4}, {8, 2}).input(int64s({1, 2}, {-1, 0})), "undefined/index-range", "RotaryEmbedding-23", "position_ids hold -1", "must be in [0, 7]"},
  });
}

}  // namespace
}  // namespace onnxv::testing
