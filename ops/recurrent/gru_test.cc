#include "src/run/testing.h"

using namespace onnxv;           // NOLINT
using namespace onnxv::testing;  // NOLINT

namespace {

// One unit and one step, every function the identity; x = 1 and H_0 = 4:
//   z = 1/2 x + 1/4 = 3/4, r = 2 x = 2
NodeUnderTest one_step(int64_t opset) {
  NodeUnderTest node("GRU", opset);
  node.texts("activations", {"Affine", "Affine"}).attribute("hidden_size", 1).outputs(2);
  node.input(floats({1, 1, 1}, {1}))
      .input(floats({1, 3, 1}, {0.5f, 2, 1}))
      .input(floats({1, 3, 1}, {0, 0, 0.5f}));
  node.input(floats({1, 6}, {0, 0, 1, 0.25f, 0, 0.5f})).no_input().input(floats({1, 1, 1}, {4}));
  return node;
}

// All weights 0: z is 1/2 and the candidate tanh(0), so that the state halves at each step.
NodeUnderTest halving(int64_t opset) {
  NodeUnderTest node("GRU", opset);
  node.attribute("hidden_size", 1).outputs(2);
  node.input(floats({3, 1, 1}, {1, 2, 3}))
      .input(floats({1, 3, 1}, {0, 0, 0}))
      .input(floats({1, 3, 1}, {0, 0, 0}));
  return node;
}

}  // namespace

TEST_CASE("GRU-1 resets the state before it is multiplied") {
  // h = 1 + (2 * 4) / 2 + 1/2 + 1 = 6.5; H = 6.5 / 4 + 3/4 * 4. The default direction of version 1
  // is "foward".
  NodeUnderTest node = one_step(1);
  CHECK(same(node.output(0), floats({1, 1, 1, 1}, {4.625f})));
  CHECK(same(node.output(1), floats({1, 1, 1}, {4.625f})));
}

TEST_CASE("GRU-3 can reset the product instead") {
  CHECK(same(one_step(3).output(1), floats({1, 1, 1}, {4.625f})));
  // h = 1 + 2 (4/2 + 1/2) + 1 = 7; H = 7/4 + 3.
  CHECK(
      same(one_step(3).attribute("linear_before_reset", 1).output(1), floats({1, 1, 1}, {4.75f})));
}

TEST_CASE("GRU-7 mixes the reset states of all units by R transposed") {
  NodeUnderTest node("GRU", 7);
  node.texts("activations", {"Affine", "Affine"}).attribute("hidden_size", 2).outputs(2);
  // z = 0, r = (2, 3), r * H_0 = (10, 21); Rh = [[0, 1], [2, 0]] makes (21, 20) of it.
  node.input(floats({1, 1, 1}, {1})).input(floats({1, 6, 1}, {0, 0, 2, 3, 0, 0}));
  node.input(floats({1, 6, 2}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0})).no_input().no_input();
  node.input(floats({1, 1, 2}, {5, 7}));
  CHECK(same(node.output(1), floats({1, 1, 2}, {21, 20})));
}

TEST_CASE("GRU-7 defaults to Sigmoid and Tanh") {
  NodeUnderTest node = halving(7);
  node.no_input().no_input().input(floats({1, 1, 1}, {8}));
  CHECK(same(node.output(0), floats({3, 1, 1, 1}, {4, 2, 1})));
  CHECK(same(node.output(1), floats({1, 1, 1}, {1})));
}

TEST_CASE("GRU-14 stops where a sequence ends and sees the batch first with layout 1") {
  NodeUnderTest node = halving(14);
  node.attribute("direction", "reverse")
      .no_input()
      .input(int32s({1}, {2}))
      .input(floats({1, 1, 1}, {8}));
  CHECK(same(node.output(0), floats({3, 1, 1, 1}, {2, 4, 0})));
  CHECK(same(node.output(1), floats({1, 1, 1}, {2})));

  NodeUnderTest batch_first("GRU", 14);
  batch_first.attribute("layout", 1).outputs(2);
  batch_first.input(floats({2, 2, 1}, {1, 1, 1, 1})).input(floats({1, 3, 1}, {0, 0, 0}));
  batch_first.input(floats({1, 3, 1}, {0, 0, 0}))
      .no_input()
      .no_input()
      .input(floats({2, 1, 1}, {8, 16}));
  CHECK(same(batch_first.output(0), floats({2, 2, 1, 1}, {4, 2, 8, 4})));
  CHECK(same(batch_first.output(1), floats({2, 1, 1}, {2, 4})));
}

TEST_CASE("GRU-22 takes bfloat16 and rounds each state") {
  const auto bf16 = [](Shape shape, std::vector<double> values) {
    return numbers(DType::kBfloat16, std::move(shape), std::move(values));
  };
  NodeUnderTest node("GRU", 22);
  node.texts("activations", {"Affine", "Affine"}).outputs(2);
  // z = 0 and r = 1: H_t = x + H_(t-1); 257 lies between the neighbours 256 and 258 and goes to the
  // even one.
  node.input(bf16({2, 1, 1}, {1, 1}))
      .input(bf16({1, 3, 1}, {0, 0, 1}))
      .input(bf16({1, 3, 1}, {0, 0, 1}));
  node.input(bf16({1, 6}, {0, 1, 0, 0, 0, 0})).no_input().input(bf16({1, 1, 1}, {256}));
  CHECK(same(node.output(0), bf16({2, 1, 1, 1}, {256, 256})));
}
