#include "src/run/testing.h"

using namespace onnxv;           // NOLINT
using namespace onnxv::testing;  // NOLINT

namespace {

bool has(const std::string& line, std::string_view part) {
  return line.find(part) != std::string::npos;
}

constexpr float kInf = __builtin_inff();

// One head of one number: one query, key and value for each token.
NodeUnderTest tokens(const char* rule, std::vector<float> queries, std::vector<float> keys,
                     std::vector<float> values) {
  const int64_t length = static_cast<int64_t>(queries.size());
  NodeUnderTest node("LinearAttention", 27);
  node.attribute("update_rule", rule)
      .attribute("q_num_heads", 1)
      .attribute("kv_num_heads", 1)
      .outputs(2);
  node.input(floats({1, length, 1}, std::move(queries)))
      .input(floats({1, length, 1}, std::move(keys)));
  node.input(floats({1, length, 1}, std::move(values)));
  return node;
}
Tensor state(float value) { return floats({1, 1, 1, 1}, {value}); }
Tensor gates(std::vector<float> values) {
  const int64_t length = static_cast<int64_t>(values.size());
  return floats({1, length, 1}, std::move(values));
}

}  // namespace

TEST_CASE("LinearAttention-27 adds the products of keys and values") {
  NodeUnderTest node = tokens("linear", {1, 10}, {2, 1}, {3, 1});
  CHECK(same(node.output(0), gates({6, 70})));
  CHECK(same(node.output(1), state(7)));
  CHECK(same(tokens("linear", {1}, {2}, {3}).input(state(4)).attribute("scale", 0.5f).output(0),
             gates({5})));
}

TEST_CASE("LinearAttention-27 decays the state before it adds") {
  NodeUnderTest node = tokens("gated", {1, 1}, {1, 1}, {3, 5});
  node.input(state(4)).input(gates({0, -kInf}));
  CHECK(same(node.output(0), gates({7, 5})));
  // e^1 * 4
  CHECK(same(tokens("gated", {1}, {0}, {0}).input(state(4)).input(gates({1})).output(1),
             state(10.873127313836180942f)));
}

TEST_CASE("LinearAttention-27 corrects the state by what it misses") {
  // 4 + 1/2 (1 - 4), and 0 + 1/2 (1 - 0) from a state that has decayed before it is compared.
  NodeUnderTest delta = tokens("delta", {1}, {1}, {1});
  CHECK(same(delta.input(state(4)).no_input().input(gates({0.5f})).output(1), state(2.5f)));
  NodeUnderTest gated_delta = tokens("gated_delta", {1}, {1}, {1});
  CHECK(same(gated_delta.input(state(4)).input(gates({-kInf})).input(gates({0.5f})).output(1),
             state(0.5f)));
}

TEST_CASE(
    "LinearAttention-27 scales by the size of a key and shares states among groups of queries") {
  NodeUnderTest node("LinearAttention", 27);
  node.attribute("update_rule", "linear")
      .attribute("q_num_heads", 2)
      .attribute("kv_num_heads", 1)
      .outputs(2);
  node.input(floats({1, 1, 8}, {1, 0, 0, 0, 0, 1, 0, 0})).input(floats({1, 1, 4}, {2, 4, 6, 8}));
  node.input(floats({1, 1, 2}, {1, 10}));
  CHECK(same(node.output(0), floats({1, 1, 4}, {1, 10, 2, 20})));
  CHECK(same(node.output(1), floats({1, 1, 4, 2}, {2, 20, 4, 40, 6, 60, 8, 80})));
}

TEST_CASE("LinearAttention-27 decays each key dimension by itself where it is told to") {
  NodeUnderTest node("LinearAttention", 27);
  node.attribute("update_rule", "gated")
      .attribute("q_num_heads", 1)
      .attribute("kv_num_heads", 1)
      .outputs(2);
  node.input(floats({1, 1, 2}, {1, 1}))
      .input(floats({1, 1, 2}, {1, 1}))
      .input(floats({1, 1, 1}, {1}));
  node.input(floats({1, 1, 2, 1}, {5, 7})).input(floats({1, 1, 2}, {0, -kInf}));
  CHECK(same(node.output(1), floats({1, 1, 2, 1}, {6, 1})));
}

TEST_CASE("LinearAttention-27 carries the state in float32") {
  // 2^24 + 1 lies between two neighbours, twice: unrounded, the second sum would be 2^24 + 2.
  NodeUnderTest node = tokens("linear", {1, 1}, {1, 1}, {1, 1});
  CHECK(same(node.input(state(16777216)).output(0), gates({16777216, 16777216})));
  // In float16 inputs too: 2048 + 1 is no float16, and is not lost on the way to 2050.
  const auto f16 = [](Shape shape, std::vector<double> values) {
    return numbers(DType::kFloat16, std::move(shape), std::move(values));
  };
  NodeUnderTest half("LinearAttention", 27);
  half.attribute("update_rule", "linear")
      .attribute("q_num_heads", 1)
      .attribute("kv_num_heads", 1)
      .outputs(2);
  for (int i = 0; i < 3; ++i) half.input(f16({1, 2, 1}, {1, 1}));
  CHECK(same(half.input(f16({1, 1, 1, 1}, {2048})).output(1), f16({1, 1, 1, 1}, {2050})));
}

TEST_CASE("LinearAttention-27 refuses what its rule does not read") {
  CHECK(has(tokens("linear", {1}, {1}, {1}).input(state(1)).input(gates({0})).error(),
            "schema/input-conflict"));
  CHECK(has(tokens("gated", {1}, {1}, {1}).error(), "schema/input-missing"));
  CHECK(has(tokens("square", {1}, {1}, {1}).error(), "schema/attribute-value"));
  CHECK(has(tokens("linear", {1}, {1}, {1}).input(floats({1, 1, 1}, {1})).error(),
            "schema/shape-mismatch"));
  NodeUnderTest groups("LinearAttention", 27);
  groups.attribute("update_rule", "linear")
      .attribute("q_num_heads", 3)
      .attribute("kv_num_heads", 2)
      .outputs(2);
  groups.input(floats({1, 1, 6}, {1, 2, 3, 4, 5, 6}))
      .input(floats({1, 1, 4}, {1, 2, 3, 4}))
      .input(floats({1, 1, 2}, {1, 2}));
  CHECK(has(groups.error(), "schema/attribute-range"));
}

TEST_CASE("LinearAttention-27 without a token hands the state on") {
  NodeUnderTest node = tokens("linear", {}, {}, {});
  CHECK(same(node.input(state(3)).output(0), gates({})));
  CHECK(same(node.output(1), state(3)));
  CHECK(same(tokens("linear", {}, {}, {}).output(1), state(0)));
}
