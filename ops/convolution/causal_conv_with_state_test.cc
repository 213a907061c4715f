#include "src/run/testing.h"

using namespace onnxv;           // NOLINT
using namespace onnxv::testing;  // NOLINT

namespace {

NodeUnderTest causal(const Tensor& x, const Tensor& w) {
  return NodeUnderTest("CausalConvWithState", 27).input(x).input(w).outputs(2);
}
bool has(const std::string& line, std::string_view part) { return line.find(part) != std::string::npos; }

const Tensor kInput = floats({1, 2, 3}, {1, 2, 3, 4, 5, 6});
const Tensor kWeight = floats({2, 1, 2}, {1, 10, 1, 100});

}  // namespace

TEST_CASE("CausalConvWithState-27 looks at the past only") {
  NodeUnderTest node = causal(kInput, kWeight);
  CHECK(same(node.output(0), floats({1, 2, 3}, {10, 21, 32, 400, 504, 605})));
  CHECK(same(node.output(1), floats({1, 2, 1}, {3, 6})));
}

TEST_CASE("CausalConvWithState-27 goes on from past_state and adds the bias") {
  NodeUnderTest node = causal(kInput, kWeight).input(floats({2}, {0.5F, -0.5F})).input(floats({1, 2, 1}, {7, -0.0F}));
  CHECK(same(node.output(0), floats({1, 2, 3}, {17.5F, 21.5F, 32.5F, 399.5F, 503.5F, 604.5F})));
  CHECK(same(node.output(1), floats({1, 2, 1}, {3, 6})));
}

TEST_CASE("CausalConvWithState-27 keeps what a short input leaves of the state") {
  const Tensor w = floats({1, 1, 3}, {1, 10, 100});
  NodeUnderTest node = causal(floats({1, 1, 1}, {5}), w).no_input().input(floats({1, 1, 2}, {1, 2}));
  CHECK(same(node.output(0), floats({1, 1, 1}, {521})));
  CHECK(same(node.output(1), floats({1, 1, 2}, {2, 5})));
  NodeUnderTest none = causal(floats({1, 1, 0}, {}), w).no_input().input(floats({1, 1, 2}, {1, 2}));
  CHECK(same(none.output(0), floats({1, 1, 0}, {})));
  CHECK(same(none.output(1), floats({1, 1, 2}, {1, 2})));
  NodeUnderTest fresh = causal(floats({1, 1, 1}, {5}), floats({1, 1, 1}, {3}));
  CHECK(same(fresh.output(0), floats({1, 1, 1}, {15})));
  CHECK(same(fresh.output(1), floats({1, 1, 0}, {})));
}

// y · sigmoid(y): sigmoid(0) = 1/2; at 100 it is 1 within 2^-144; 1/(1 + e^-1) = 0.731058578630004879251… (float32
// 0x3F3B26A8).
TEST_CASE("CausalConvWithState-27 applies silu before it rounds") {
  const Tensor x = floats({1, 1, 3}, {0, 100, 1}), w = floats({1, 1, 1}, {1});
  const Tensor expected = codes(DType::kFloat, {1, 1, 3}, {0, 0x42C80000, 0x3F3B26A8});
  CHECK(same(causal(x, w).attribute("activation", "silu").output(0), expected));
  CHECK(same(causal(x, w).attribute("activation", "swish").output(0), expected));
  CHECK(same(causal(x, w).attribute("activation", "none").output(0), x));
}

TEST_CASE("CausalConvWithState-27 refuses other shapes and activations") {
  CHECK(has(causal(kInput, kWeight).attribute("activation", "relu").error(), "schema/attribute-value"));
  CHECK(has(causal(kInput, floats({2, 2, 1}, {1, 2, 3, 4})).error(), "schema/shape-mismatch"));
  CHECK(has(causal(kInput, floats({2, 1, 0}, {})).error(), "schema/empty-window"));
  CHECK(has(causal(floats({2, 3}, {1, 2, 3, 4, 5, 6}), kWeight).error(), "schema/rank"));
  CHECK(has(causal(kInput, kWeight).no_input().input(floats({1, 2, 2}, {1, 2, 3, 4})).error(), "schema/shape-mismatch"));
}
