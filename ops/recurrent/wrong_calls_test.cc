#include "src/run/wrong_calls.h"

namespace onnxv::testing {
namespace {

const Tensor kX = floats({2, 1, 1}, {1, 2});
Tensor ones(Shape shape) { return floats(shape, std::vector<float>(static_cast<size_t>(shape.elements()), 1)); }

// One unit, one input, two steps.
NodeUnderTest rnn() { return NodeUnderTest("RNN", 22).input(kX).input(ones({1, 1, 1})).input(ones({1, 1, 1})); }
NodeUnderTest gru() { return NodeUnderTest("GRU", 22).input(kX).input(ones({1, 3, 1})).input(ones({1, 3, 1})); }
NodeUnderTest lstm() { return NodeUnderTest("LSTM", 22).input(kX).input(ones({1, 4, 1})).input(ones({1, 4, 1})); }

TEST_CASE("recurrent: shapes that do not fit") {
  check_wrong_calls({
      {NodeUnderTest("RNN", 22).input(ones({2, 1})).input(ones({1, 1, 1})).input(ones({1, 1, 1})), "schema/rank", "RNN-22", "X is [2,1]", "must have three dimensions"},
      {NodeUnderTest("RNN", 7).input(kX).input(ones({1, 1, 1})).input(ones({1, 1})), "schema/rank", "RNN-7", "R is [1,1]", "must have three dimensions"},
      {NodeUnderTest("GRU", 22).input(kX).input(ones({1, 1, 1})).input(ones({1, 3, 1})), "schema/shape-mismatch", "GRU-22", "W is [1,1,1]", "must be [1,3,1]"},
      {NodeUnderTest("LSTM", 22).input(kX).input(ones({1, 4, 1})).input(ones({1, 3, 1})), "schema/shape-mismatch", "LSTM-22", "R is [1,3,1]", "must be [1,4,1]"},
      {rnn().input(ones({1, 1})), "schema/shape-mismatch", "RNN-22", "B is [1,1]", "must be [1,2]"},
      {rnn().no_input().no_input().input(ones({1, 1})), "schema/shape-mismatch", "RNN-22", "initial_h is [1,1]", "must be [1,1,1]"},
      {lstm().no_input().no_input().no_input().no_input().input(ones({1, 4})), "schema/shape-mismatch", "LSTM-22", "P is [1,4]", "must be [1,3]"},
      {rnn().attribute("direction", "bidirectional"), "schema/shape-mismatch", "RNN-22", "W is [1,1,1]", "must be [2,1,1]"},
      {rnn().attribute("hidden_size", 2), "schema/attribute-value", "RNN-22", "hidden_size is 2", "must be 1, the last dimension of R"},
      {gru().attribute("layout", 2), "schema/attribute-value", "GRU-22", "layout is 2", "must be 0 or 1"},
      {gru().attribute("direction", "backward"), "schema/attribute-value", "GRU-22", "direction is \"backward\"", "must be forward, reverse or bidirectional"},
      {NodeUnderTest("GRU", 3).input(kX).input(ones({1, 3, 1})).input(ones({1, 3, 1})).attribute("direction", "foward"), "schema/attribute-value", "GRU-3", "direction is \"foward\"", "must be forward, reverse or bidirectional"},
  });
}

TEST_CASE("recurrent: lengths and functions") {
  check_wrong_calls({
      {rnn().no_input().input(int32s({1}, {3})), "undefined/input-range", "RNN-22", "sequence_lens hold 3", "must be in [0, 2]"},
      {lstm().no_input().input(int32s({1}, {-1})), "undefined/input-range", "LSTM-22", "sequence_lens hold -1", "must be in [0, 2]"},
      {gru().no_input().input(int32s({2}, {1, 1})), "schema/shape-mismatch", "GRU-22", "sequence_lens is [2]", "must be [1]"},
      {gru().texts("activations", {"Sigmoid"}), "schema/attribute-value", "GRU-22", "activations name 1 functions", "must name 2"},
      {rnn().texts("activations", {"Gelu"}), "schema/attribute-value", "RNN-22", "activations name \"Gelu\"", "must be one of the text's eleven functions"},
      {rnn().texts("activations", {"ScaledTanh"}).reals("activation_alpha", {1}), "undefined/attribute-missing", "RNN-22", "ScaledTanh finds no value in activation_beta", "it has no default"},
      {rnn().attribute("clip", -1.0f), "schema/attribute-range", "RNN-22", "clip is negative or NaN", "must be 0 or more"},
      {rnn().attribute("clip", __builtin_nanf("")), "schema/attribute-range", "RNN-22", "clip is negative or NaN", "must be 0 or more"},
  });
}

TEST_CASE("RNN-22 no units over a sequence of any length") {
  const int64_t huge = int64_t{1} << 60;
  CHECK(same(NodeUnderTest("RNN", 22).input(floats({huge, 1, 0}, {})).input(ones({1, 0, 0})).input(ones({1, 0, 0})).no_input()
                 .input(int32s({1}, {0})).one(),
             floats({huge, 1, 1, 0}, {})));
}

}  // namespace
}  // namespace onnxv::testing
