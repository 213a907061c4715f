#include "src/number/bound.h"
#include "src/number/ladder.h"
#include "src/run/testing.h"

using namespace onnxv;           // NOLINT
using namespace onnxv::testing;  // NOLINT

namespace {

bool has(const std::string& line, std::string_view part) {
  return line.find(part) != std::string::npos;
}

constexpr float kNan = __builtin_nanf("");
constexpr float kInf = __builtin_inff();
constexpr float kSigmoidOf1 = 0.731058578630004879f;

// One head of size 1 whose keys are all 0: every weight is alike.
NodeUnderTest alike(int64_t opset, int64_t queries, std::vector<float> values) {
  const int64_t keys = static_cast<int64_t>(values.size());
  NodeUnderTest node("Attention", opset);
  node.input(floats({1, 1, queries, 1}, std::vector<float>(static_cast<size_t>(queries), 1)));
  node.input(floats({1, 1, keys, 1}, std::vector<float>(values.size(), 0)));
  node.input(floats({1, 1, keys, 1}, std::move(values)));
  return node;
}
// One query 1 and the given keys, each with the value beside it.
NodeUnderTest keyed(int64_t opset, std::vector<float> keys, std::vector<float> values) {
  const int64_t count = static_cast<int64_t>(keys.size());
  NodeUnderTest node("Attention", opset);
  node.input(floats({1, 1, 1, 1}, {1})).input(floats({1, 1, count, 1}, std::move(keys)));
  node.input(floats({1, 1, count, 1}, std::move(values)));
  return node;
}
Tensor column(std::vector<float> values) {
  const int64_t count = static_cast<int64_t>(values.size());
  return floats({1, 1, count, 1}, std::move(values));
}
Tensor row(std::vector<float> values) {
  const int64_t count = static_cast<int64_t>(values.size());
  return floats({1, 1, 1, count}, std::move(values));
}

}  // namespace

TEST_CASE("Attention-23 weighs values by the softmax of scaled products") {
  CHECK(same(alike(23, 1, {1, 2, 6}).one(), column({3})));
  // The softmax of (0, 1) is (1 - s, s) with s = sigmoid(1).
  CHECK(same(keyed(23, {0, 1}, {0, 1}).one(), column({kSigmoidOf1})));
  CHECK(same(keyed(23, {0, -4}, {0, 1}).attribute("scale", -0.25f).one(), column({kSigmoidOf1})));
  // Four dimensions: the default scale is 1/2.
  NodeUnderTest node("Attention", 23);
  node.input(floats({1, 1, 1, 4}, {2, 0, 0, 5}))
      .input(floats({1, 1, 2, 4}, {0, 9, 9, 0, 1, 9, 9, 0}));
  CHECK(same(node.input(column({0, 1})).one(), column({kSigmoidOf1})));
}

TEST_CASE("Attention-23 takes packed heads and shares keys among groups of queries") {
  NodeUnderTest node("Attention", 23);
  node.attribute("q_num_heads", 4).attribute("kv_num_heads", 2);
  // One key for each of two heads: its value passes through, to two heads of queries each.
  node.input(floats({1, 2, 4}, {1, 1, 1, 1, 1, 1, 1, 1}))
      .input(floats({1, 1, 2}, {3, 4}))
      .input(floats({1, 1, 4}, {5, 6, 7, 8}));
  CHECK(same(node.one(), floats({1, 2, 8}, {5, 6, 5, 6, 7, 8, 7, 8, 5, 6, 5, 6, 7, 8, 7, 8})));
}

TEST_CASE("Attention-23 aligns the causal frontier with the past") {
  CHECK(same(alike(23, 2, {1, 3, 8}).attribute("is_causal", 1).one(), column({1, 2})));
  NodeUnderTest node = alike(23, 2, {3, 8});
  node.attribute("is_causal", 1).outputs(3).no_input().input(column({9})).input(column({1}));
  CHECK(same(node.output(1), column({9, 0, 0})));
  CHECK(same(node.output(2), column({1, 3, 8})));
  NodeUnderTest past = alike(23, 2, {3, 8});
  past.attribute("is_causal", 1).no_input().input(column({0})).input(column({1}));
  CHECK(same(past.one(), column({2, 4})));
}

TEST_CASE("Attention-23 selects by boolean masks and adds others") {
  CHECK(same(alike(23, 1, {1, 3, 8}).input(bools({3}, {true, false, true})).one(), column({4.5f})));
  CHECK(same(alike(23, 1, {0, 1}).input(floats({1, 2}, {0, 1})).one(), column({kSigmoidOf1})));
  CHECK(same(alike(23, 1, {0, 1}).input(int32s({1, 1, 2}, {6, 7})).one(), column({kSigmoidOf1})));
  // A row repeats along the queries, a column along the keys.
  CHECK(same(alike(23, 2, {1, 3}).input(floats({2, 1}, {5, -kInf})).one(), column({2, 0})));
  CHECK(has(alike(23, 1, {1, 3, 8}).input(bools({2}, {true, true})).error(),
            "schema/shape-mismatch"));
  CHECK(has(alike(23, 1, {1}).input(bools({1, 1, 1, 1, 1}, {true})).error(),
            "schema/shape-mismatch"));
}

TEST_CASE("Attention-23 makes a row without keys zero, whatever the values are") {
  CHECK(same(alike(23, 2, {kNan, kInf}).input(bools({2, 2}, {false, false, false, true})).one(),
             column({0, kNan})));
  CHECK(same(alike(23, 1, {1, 3}).input(floats({2}, {-kInf, -kInf})).one(), column({0})));
  // The lowest finite number disables nothing.
  CHECK(same(alike(23, 1, {1, 3}).input(floats({2}, {-3.4028234664e38f, -3.4028234664e38f})).one(),
             column({2})));
  CHECK(same(alike(23, 2, {}).one(), column({0, 0})));
}

TEST_CASE("Attention-23 shows the products at four stages") {
  const auto stage = [](int64_t mode) {
    NodeUnderTest node = keyed(23, {2, 0}, {1, 3});
    node.attribute("softcap", 2.0f)
        .attribute("qk_matmul_output_mode", mode)
        .outputs(4)
        .no_output(1)
        .no_output(2);
    node.input(bools({2}, {true, false}));
    return node;
  };
  CHECK(same(stage(0).output(3), row({2, 0})));
  CHECK(same(stage(1).output(3), row({1.523188311911529776f, 0})));  // 2 tanh(1)
  CHECK(same(stage(2).output(3), row({1.523188311911529776f, -kInf})));
  CHECK(same(stage(3).output(3), row({1, 0})));
  CHECK(same(stage(3).output(0), column({1})));
  CHECK(has(stage(4).error(), "schema/attribute-value"));

  NodeUnderTest dead = alike(23, 1, {1, 3});
  dead.attribute("qk_matmul_output_mode", 3).outputs(4).input(bools({2}, {false, false}));
  CHECK(same(dead.output(3), row({0, 0})));
}

TEST_CASE("Attention-24 adds a bias of 0 to the keys that no mask hides") {
  // 1 * -0: a score of -0.
  const auto biased = [](auto&& mask) {
    NodeUnderTest node("Attention", 24);
    node.input(floats({1, 1, 1, 1}, {1})).input(floats({1, 1, 1, 1}, {-0.0F})).input(floats({1, 1, 1, 1}, {1}));
    node.attribute("qk_matmul_output_mode", 2).outputs(4).no_output(1).no_output(2);
    mask(node);
    return node.output(3);
  };
  const Tensor plus = floats({1, 1, 1, 1}, {0.0F}), minus = floats({1, 1, 1, 1}, {-0.0F});
  const Tensor negative_mask = floats({1, 1}, {-0.0F});
  CHECK(same(biased([](NodeUnderTest&) {}), minus));
  CHECK(same(biased([&](NodeUnderTest& node) { node.input(negative_mask); }), minus));
  CHECK(same(biased([](NodeUnderTest& node) { node.input(bools({1, 1}, {true})); }), plus));
  CHECK(same(biased([](NodeUnderTest& node) { node.attribute("is_causal", 1); }), plus));
  CHECK(same(biased([&](NodeUnderTest& node) { node.input(negative_mask).attribute("is_causal", 1); }), plus));
  CHECK(same(biased([](NodeUnderTest& node) { node.no_input().no_input().no_input().input(int64s({1}, {1})); }), plus));
}

TEST_CASE("Attention-23 proves the zero of equal weights that cancel") {
  // Scores 5, -1, -1 over the root of 3: e^(-6 / √3) (1 - 1).
  reset_ladder_counts();
  const Tensor query = floats({1, 1, 1, 3}, {1, 0, 0}), keys = floats({1, 1, 3, 3}, {5, 1, 2, -1, 3, 4, -1, 7, 9});
  const auto mean = [&](std::vector<float> values) {
    return NodeUnderTest("Attention", 23).input(query).input(keys).input(floats({1, 1, 3, 1}, values)).one();
  };
  CHECK(same(mean({0, 1, -1}), floats({1, 1, 1, 1}, {0})));
  CHECK(same(mean({-0.0F, 3, -3}), floats({1, 1, 1, 1}, {0})));
  CHECK(ladder_counts().unproved == 0);
}

// Bounds hold what the text itself writes: both operands scaled by the root of the scale, and a softmax in its own precision.
TEST_CASE("Attention-23 allows operands that are scaled one by one") {
  const ToleranceScope scope{ToleranceModel()};
  // 3 · 3 - 8 · 1 = 1 with scale 1 / √2: each operand times 2^(-1/4), rounded to float16.
  const auto logit = [](int64_t mode) {
    NodeUnderTest node("Attention", 23);
    node.input(numbers(DType::kFloat16, {1, 1, 1, 2}, {3, 8})).input(numbers(DType::kFloat16, {1, 1, 1, 2}, {3, -1}));
    node.input(numbers(DType::kFloat16, {1, 1, 1, 1}, {1})).attribute("qk_matmul_output_mode", mode).outputs(4).no_output(1).no_output(2);
    return node.output(3);
  };
  const Tensor y = logit(0);
  REQUIRE(y.bounds() != nullptr);
  // 2^(-1/4) is 0.84082031 in float16; 3 and 8 times that 2.5234375 and 6.7265625. 2.5234375² - 6.7265625 · 0.84082031 is
  // 0.71190643, where 1 / √2 is 0.7071.
  CHECK((*y.bounds())[0].high >= 0.7119);
  CHECK((*y.bounds())[0].high <= 0.8);
}

TEST_CASE("Attention-23 allows a softmax in softmax_precision") {
  const ToleranceScope scope{ToleranceModel()};
  // Weights of float32 scores 0 and 1, in float16: 0.2689 and 0.7311, each within 2^-11, and steps of as much before.
  const Tensor y = keyed(23, {0, 1}, {0, 1}).attribute("softmax_precision", 10).one();
  REQUIRE(y.bounds() != nullptr);
  CHECK((*y.bounds())[0].low <= 0.7305);
  CHECK((*y.bounds())[0].high >= 0.7319);
  CHECK((*y.bounds())[0].low >= 0.72);
  const Tensor single = keyed(23, {0, 1}, {0, 1}).one();
  CHECK((*single.bounds())[0].low >= 0.73105);
}

TEST_CASE("Attention-23 rounds logits and weights to softmax_precision") {
  // 2049 is 2048 in float16: the weights are alike then.
  CHECK(
      same(keyed(23, {2049, 2048}, {1, 3}).attribute("softmax_precision", 10).one(), column({2})));
  // 70000 is infinite there.
  CHECK(same(keyed(23, {70000, 2048}, {1, 3}).attribute("softmax_precision", 10).one(),
             column({kNan})));
  // sigmoid(1) = 0.7310585… lies between the bfloat16 numbers 0.73046875 and 0.734375, 1 - it
  // between 0.267578125 and 0.26953125.
  CHECK(same(keyed(23, {0, 1}, {0, 1}).attribute("softmax_precision", 16).one(),
             column({0.73046875f})));
  CHECK(same(keyed(23, {0, 1}, {1, 0}).attribute("softmax_precision", 16).one(),
             column({0.26953125f})));
  CHECK(
      has(keyed(23, {0}, {0}).attribute("softmax_precision", 7).error(), "schema/attribute-value"));
}

TEST_CASE("Attention-23 writes Y in the type of Q") {
  NodeUnderTest node("Attention", 23);
  node.input(numbers(DType::kFloat16, {1, 1, 1, 1}, {1}))
      .input(numbers(DType::kFloat16, {1, 1, 2, 1}, {0, 0}));
  node.input(doubles({1, 1, 2, 1}, {1, 2}));
  CHECK(same(node.one(), numbers(DType::kFloat16, {1, 1, 1, 1}, {1.5})));
}

TEST_CASE("Attention-23 refuses operands that do not fit") {
  NodeUnderTest no_heads("Attention", 23);
  for (int i = 0; i < 3; ++i) no_heads.input(floats({1, 1, 1}, {1}));
  CHECK(has(no_heads.error(), "schema/attribute-missing"));
  NodeUnderTest ranks("Attention", 23);
  ranks.input(floats({1, 1, 1, 1}, {1}))
      .input(floats({1, 1, 1}, {1}))
      .input(floats({1, 1, 1, 1}, {1}));
  CHECK(has(ranks.error(), "schema/rank"));
  NodeUnderTest groups("Attention", 23);
  groups.input(floats({1, 3, 1, 1}, {1, 1, 1}))
      .input(floats({1, 2, 1, 1}, {1, 1}))
      .input(floats({1, 2, 1, 1}, {1, 1}));
  CHECK(has(groups.error(), "schema/shape-mismatch"));
  CHECK(has(alike(23, 1, {1}).no_input().input(column({1})).error(), "schema/input-missing"));
  // 23 and 24 do not look at the numbers of heads beside four dimensions.
  CHECK(same(alike(23, 1, {4}).attribute("q_num_heads", 7).one(), column({4})));
}

TEST_CASE("Attention-24 never reads padded keys") {
  NodeUnderTest node("Attention", 24);
  node.input(floats({2, 1, 1, 1}, {1, 1})).input(floats({2, 1, 3, 1}, {0, 0, kNan, 0, kNan, kNan}));
  node.input(floats({2, 1, 3, 1}, {2, 4, kNan, 6, kInf, kNan})).no_input().no_input().no_input();
  CHECK(same(node.input(int64s({2}, {2, 1})).one(), floats({2, 1, 1, 1}, {3, 6})));
  NodeUnderTest longer = alike(24, 1, {1, 2});
  longer.no_input().no_input().no_input().input(int64s({1}, {3}));
  CHECK(has(longer.error(), "undefined/input-range"));
  NodeUnderTest both = alike(24, 1, {1, 2});
  both.no_input().input(column({1})).input(column({1})).input(int64s({1}, {1}));
  CHECK(has(both.error(), "schema/input-conflict"));
}

TEST_CASE("Attention-24 aligns the causal frontier with the end of the padded keys") {
  const auto causal = [](int64_t nonpad) {
    NodeUnderTest node = alike(24, 2, {2, 4, 9});
    node.attribute("is_causal", 1).no_input().no_input().no_input().input(int64s({1}, {nonpad}));
    return node;
  };
  CHECK(same(causal(3).one(), column({3, 5})));
  CHECK(same(causal(2).one(), column({2, 3})));
  // Fewer keys than queries: the first query sees none.
  CHECK(same(causal(1).one(), column({0, 2})));
}

TEST_CASE("Attention-24 pads a mask that is shorter than the keys") {
  CHECK(same(alike(24, 1, {1, 3, 9}).input(bools({2}, {true, true})).one(), column({2})));
  CHECK(same(alike(24, 1, {1, 3, 9}).input(floats({1}, {0})).one(), column({1})));
  NodeUnderTest padded = keyed(24, {2, 0}, {1, 3});
  padded.attribute("qk_matmul_output_mode", 2)
      .outputs(4)
      .no_input()
      .no_input()
      .no_input()
      .input(int64s({1}, {1}));
  CHECK(same(padded.output(3), row({2, -kInf})));
}

TEST_CASE("Attention-25 restricts queries to windows around them") {
  const auto window = [](int64_t left, int64_t right) {
    return alike(25, 3, {1, 3, 8})
        .attribute("left_window_size", left)
        .attribute("right_window_size", right);
  };
  CHECK(same(window(0, 0).one(), column({1, 3, 8})));
  CHECK(same(window(-1, -1).one(), column({4, 4, 4})));
  CHECK(same(window(1, 0).one(), column({1, 2, 5.5f})));
  CHECK(same(window(-1, 1).one(), column({2, 4, 4})));
  CHECK(same(window(1, 1).attribute("is_causal", 1).one(), column({1, 2, 5.5f})));
  CHECK(has(window(-2, 0).error(), "schema/attribute-range"));
  CHECK(has(alike(25, 1, {4}).attribute("q_num_heads", 1).error(), "schema/attribute-value"));
  // A position counts from the past on.
  NodeUnderTest node = alike(25, 1, {3, 8});
  node.attribute("left_window_size", 0)
      .attribute("right_window_size", 0)
      .no_input()
      .input(column({0}))
      .input(column({1}));
  CHECK(same(node.one(), column({3})));
}
