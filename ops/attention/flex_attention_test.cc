#include "src/run/testing_models.h"

using namespace onnxv;           // NOLINT
using namespace onnxv::testing;  // NOLINT

namespace {

bool has(const std::string& line, std::string_view part) {
  return line.find(part) != std::string::npos;
}

constexpr float kInf = __builtin_inff();
constexpr float kNan = __builtin_nanf("");

// One query 1 and the given keys, each with the value beside it.
NodeUnderTest keyed(std::vector<float> keys, std::vector<float> values) {
  const int64_t count = static_cast<int64_t>(keys.size());
  NodeUnderTest node("FlexAttention", 1, "ai.onnx.preview");
  node.input(floats({1, 1, 1, 1}, {1})).input(floats({1, 1, count, 1}, std::move(keys)));
  node.input(floats({1, 1, count, 1}, std::move(values)));
  return node;
}
Tensor one(float value) { return floats({1, 1, 1, 1}, {value}); }
// The argument and a captured value `other` through one operator.
Graph modifier(const char* op, DType dtype = DType::kFloat) {
  return graph({info("given", dtype)}, {node(op, {"given", "other"}, {"changed"})},
               {info("changed", dtype)});
}

}  // namespace

TEST_CASE("FlexAttention-1 weighs values by the softmax of scaled products") {
  CHECK(same(keyed({0, 0, 0}, {1, 2, 6}).one(), one(3)));
  // The weights of (0, 1) are sigmoid(-1) and sigmoid(1) rounded to float32; 0 * and 1 * change
  // nothing.
  CHECK(same(keyed({0, 1}, {0, 1}).one(), one(0.731058578630004879f)));
  CHECK(same(keyed({0, 4}, {0, 1}).attribute("scale", 0.25f).one(), one(0.731058578630004879f)));
  CHECK(same(keyed({}, {}).one(), one(0)));
}

TEST_CASE("FlexAttention-1 shares keys among groups of queries") {
  NodeUnderTest node("FlexAttention", 1, "ai.onnx.preview");
  node.input(floats({1, 4, 1, 1}, {1, 1, 1, 1}))
      .input(floats({1, 2, 1, 1}, {3, 4}))
      .input(floats({1, 2, 1, 2}, {5, 6, 7, 8}));
  CHECK(same(node.one(), floats({1, 4, 1, 2}, {5, 6, 5, 6, 7, 8, 7, 8})));
}

TEST_CASE("FlexAttention-1 shows scores and probabilities to its modifiers") {
  NodeUnderTest masked = keyed({0, 0}, {1, 3});
  masked.attribute("score_mod", modifier("Add")).outer("other", floats({2}, {-kInf, 0}));
  CHECK(same(masked.one(), one(3)));
  NodeUnderTest scaled = keyed({0, 0}, {1, 3});
  scaled.attribute("prob_mod", modifier("Mul")).outer("other", floats({}, {4}));
  CHECK(same(scaled.one(), one(8)));
  // A row of -infinity alone has no softmax.
  NodeUnderTest dead = keyed({0, 0}, {1, 3});
  dead.attribute("score_mod", modifier("Add")).outer("other", floats({}, {-kInf}));
  CHECK(same(dead.one(), one(kNan)));
}

TEST_CASE("FlexAttention-1 rounds scores and probabilities to softmax_precision") {
  // 2049 is 2048 in float16: the weights are alike then.
  CHECK(same(keyed({2049, 2048}, {1, 3}).attribute("softmax_precision", 10).one(), one(2)));
  CHECK(same(keyed({0, 1}, {0, 1}).attribute("softmax_precision", 16).one(), one(0.73046875f)));
  CHECK(has(keyed({0}, {0}).attribute("softmax_precision", 6).error(), "schema/attribute-value"));
}

TEST_CASE("FlexAttention-1 refuses what does not fit") {
  NodeUnderTest wide = keyed({0, 0}, {1, 3});
  wide.attribute("score_mod", modifier("Add")).outer("other", floats({3, 1}, {0, 0, 0}));
  CHECK(has(wide.error(), "schema/body-outputs"));
  NodeUnderTest rank("FlexAttention", 1, "ai.onnx.preview");
  for (int i = 0; i < 3; ++i) rank.input(floats({1, 1, 1}, {1}));
  CHECK(has(rank.error(), "schema/rank"));
  NodeUnderTest heads("FlexAttention", 1, "ai.onnx.preview");
  heads.input(floats({1, 3, 1, 1}, {1, 1, 1}))
      .input(floats({1, 2, 1, 1}, {1, 1}))
      .input(floats({1, 2, 1, 1}, {1, 1}));
  CHECK(has(heads.error(), "schema/shape-mismatch"));
}
