// Einsum and Det, worked by hand.
#include <limits>

#include "src/run/testing.h"

using namespace onnxv;
using namespace onnxv::testing;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

NodeUnderTest einsum(const char* equation, std::vector<Tensor> inputs, int opset = 12) {
  NodeUnderTest node("Einsum", opset);
  node.attribute("equation", equation);
  for (Tensor& input : inputs) node.input(std::move(input));
  return node;
}
Tensor det(int64_t n, std::vector<float> elements) {
  return NodeUnderTest("Det", 11).input(floats({n, n}, std::move(elements))).one();
}

const Tensor kX = floats({2, 3}, {1, 2, 3, 4, 5, 6});
const Tensor kSquare = floats({2, 2}, {1, 2, 3, 4});

}  // namespace

TEST_CASE("Einsum-12 one operand: transpose, sums, diagonal") {
  CHECK(same(einsum("ij->ji", {kX}).one(), floats({3, 2}, {1, 4, 2, 5, 3, 6})));
  CHECK(same(einsum("ba", {kX}).one(), floats({3, 2}, {1, 4, 2, 5, 3, 6})));  // implicit: in ASCII order
  CHECK(same(einsum("aB", {kX}).one(), floats({3, 2}, {1, 4, 2, 5, 3, 6})));  // B before a
  CHECK(same(einsum(" i j -> i ", {kX}).one(), floats({2}, {6, 15})));
  CHECK(same(einsum("ij->", {kX}).one(), floats({}, {21})));
  CHECK(same(einsum("ii->i", {kSquare}).one(), floats({2}, {1, 4})));
  CHECK(same(einsum("ii", {kSquare}).one(), floats({}, {5})));
  CHECK(same(einsum("...j->...", {kX}).one(), floats({2}, {6, 15})));
  CHECK(same(einsum("i->i", {floats({2}, {-0.0f, kInf})}).one(), floats({2}, {-0.0f, kInf})));
}

TEST_CASE("Einsum-12 two operands") {
  const Tensor b = floats({3, 2}, {1, 0, 0, 1, 1, 1});
  CHECK(same(einsum("ij,jk", {kX, b}).one(), floats({2, 2}, {4, 5, 10, 11})));
  CHECK(same(einsum("ij,jk->ki", {kX, b}).one(), floats({2, 2}, {4, 10, 5, 11})));
  CHECK(same(einsum("i,j->ij", {floats({2}, {1, 2}), floats({3}, {3, 4, 5})}).one(), floats({2, 3}, {3, 4, 5, 6, 8, 10})));
  CHECK(same(einsum("i,i", {floats({2}, {1, 2}), floats({2}, {3, 4})}).one(), floats({}, {11})));
  CHECK(same(einsum("ij,ij->ij", {kSquare, kSquare}).one(), floats({2, 2}, {1, 4, 9, 16})));
  CHECK(same(einsum("ij,k->ik", {kSquare, floats({2}, {1, 10})}).one(), floats({2, 2}, {3, 30, 7, 70})));  // j is summed in one alone
  CHECK(same(einsum(",i->i", {floats({}, {2}), floats({2}, {3, 4})}).one(), floats({2}, {6, 8})));
  // A batch in the middle: [b, i, j] of two stacks.
  const Tensor p = floats({2, 1, 2}, {1, 2, 3, 4}), q = floats({2, 2, 1}, {1, 1, 1, 10});
  CHECK(same(einsum("bij,bjk->ikb", {p, q}).one(), floats({1, 1, 2}, {3, 43})));
}

TEST_CASE("Einsum-12 ellipsis and lengths of 1 broadcast") {
  CHECK(same(einsum("...ij,...jk->...ik", {floats({2, 1, 2}, {1, 2, 3, 4}), floats({1, 2, 1}, {1, 10})}).one(),
             floats({2, 1, 1}, {21, 43})));
  CHECK(same(einsum("i...,j...", {floats({2, 2}, {1, 2, 3, 4}), floats({1, 2}, {10, 100})}).one(),
             floats({2, 2, 1}, {10, 30, 200, 400})));
  CHECK(same(einsum("ij,ij->i", {kSquare, floats({2, 1}, {1, 10})}).one(), floats({2}, {3, 70})));
}

TEST_CASE("Einsum-12 many operands, one exact sum") {
  // 2^24 * 2^24 * 2^-24 + 1 - 2^24: no partial product or sum is rounded.
  const Tensor a = floats({3}, {16777216, 1, -16777216}), b = floats({3}, {16777216, 1, 1}), c = floats({3}, {0x1p-24f, 1, 1});
  CHECK(same(einsum("i,i,i->", {a, b, c}).one(), floats({}, {1})));
  CHECK(same(einsum("i,j,k->ijk", {floats({1}, {2}), floats({2}, {3, 5}), floats({2}, {1, 10})}).one(),
             floats({1, 2, 2}, {6, 60, 10, 100})));
}

TEST_CASE("Einsum-12 indices that only one operand has do not multiply the addends") {
  constexpr int64_t kMany = 3000;  // nine million addends
  const Tensor ones = floats({kMany}, std::vector<float>(kMany, 1)), twos = floats({kMany}, std::vector<float>(kMany, 2));
  const auto with = [&](Tensor tensor, size_t at, float value) {
    tensor.mutable_as<float>()[at] = value;
    return tensor;
  };
  const auto of = [](const Tensor& a, const Tensor& b) { return einsum("i,j->", {a, b}).one(); };
  CHECK(same(of(ones, twos), floats({}, {18000000})));
  // 2998 + 2^-30 - 8192: exact before the one rounding.
  CHECK(same(of(with(with(ones, 5, 0x1p-30F), 7, -8192), with(floats({kMany}, std::vector<float>(kMany, 0)), 0, 1)),
             floats({}, {-5194})));
  CHECK(same(of(with(ones, 0, kInf), twos), floats({}, {kInf})));
  CHECK(same(of(with(ones, 0, kInf), with(twos, 1, 0)), floats({}, {kNan})));
  CHECK(same(of(with(ones, 0, kInf), with(twos, 1, -1)), floats({}, {kNan})));
  CHECK(same(of(with(ones, 0, -kInf), twos), floats({}, {-kInf})));
  // Zeros: -0 where every product is.
  const Tensor zeros = floats({kMany}, std::vector<float>(kMany, 0)), minus = floats({kMany}, std::vector<float>(kMany, -2));
  CHECK(same(of(zeros, minus), floats({}, {-0.0F})));
  CHECK(same(of(with(zeros, 3, -0.0F), minus), floats({}, {0})));
  CHECK(same(of(with(ones, 0, -2999), twos), floats({}, {0})));
  CHECK(same(of(with(ones, 0, -2999), minus), floats({}, {0})));
  // With an index of both: for k = 0 and 1, (3000 * 1) * (3000 * 2).
  CHECK(same(einsum("ki,kj->", {floats({2, kMany}, std::vector<float>(2 * kMany, 1)), floats({2, kMany}, std::vector<float>(2 * kMany, 2))}).one(),
             floats({}, {36000000})));
  CHECK(same(einsum("i,j->", {codes(DType::kInt32, {kMany}, std::vector<uint64_t>(kMany, 1000)),
                              codes(DType::kInt32, {kMany}, std::vector<uint64_t>(kMany, 1000))}).one(),
             codes(DType::kInt32, {}, {2043514880})));  // 9e12 modulo 2^32
}

TEST_CASE("Einsum-12 integers wrap, empty sums are 0") {
  CHECK(same(einsum("ij,j->i", {int8s({1, 2}, {100, 100}), int8s({2}, {1, 1})}).one(), int8s({1}, {-56})));
  CHECK(same(einsum("ij->i", {floats({2, 0}, {})}).one(), floats({2}, {0, 0})));
  CHECK(same(einsum("ij->ij", {floats({2, 0}, {})}).one(), floats({2, 0}, {})));
}

TEST_CASE("Einsum-12 what does not parse or fit") {
  for (const char* equation : {"ij->k", "ij->ii", "i", "ijk", "ij,jk", "i1->i", "ij->i->j", "...ij...->i", "i.j"}) {
    CHECK_MESSAGE(einsum(equation, {kX}).error().starts_with("schema/equation"), equation);
  }
  CHECK(einsum("...i->i", {kX}).error().starts_with("schema/equation"));
  CHECK(einsum("...i,...i->i", {kX, floats({3}, {1, 2, 3})}).error().starts_with("schema/equation"));
  CHECK(einsum("ij,jk", {kX, kX}).error().starts_with("schema/shape-mismatch"));
  CHECK(einsum("ii", {kX}).error().starts_with("schema/shape-mismatch"));
}

TEST_CASE("Einsum-28 bfloat16") {
  const Tensor x = codes(DType::kBfloat16, {2}, {0x3f80, 0x4000});  // 1, 2
  CHECK(same(einsum("i,i->", {x, x}, 28).one(), codes(DType::kBfloat16, {}, {0x40a0})));
}

TEST_CASE("Det-11 exact, whatever cancels") {
  CHECK(same(det(1, {-0.0f}), floats({}, {-0.0f})));
  CHECK(same(det(2, {1, 2, 3, 4}), floats({}, {-2})));
  // 2^53 (2^53 - 2) - (2^53 - 1)^2 = -1.
  CHECK(same(NodeUnderTest("Det", 11).input(doubles({2, 2}, {0x1p53, 0x1p53 - 1, 0x1p53 - 1, 0x1p53 - 2})).one(), doubles({}, {-1})));
  CHECK(same(det(3, {0, 1, 0, 0, 0, 1, 1, 0, 0}), floats({}, {1})));
  CHECK(same(det(3, {1, 2, 3, 4, 5, 6, 7, 8, 9}), floats({}, {0})));
  CHECK(same(det(4, {2, 0, 0, 0, 0, 0, 3, 0, 0, 0.5f, 0, 0, 0, 0, 0, 4}), floats({}, {-12})));
  CHECK(same(det(2, {0x1p-100f, 0, 0, 0x1p-100f}), floats({}, {0})));  // underflows once, at the end
}

TEST_CASE("Det-11 stacks, empty matrices, shapes") {
  CHECK(same(NodeUnderTest("Det", 11).input(floats({2, 2, 2}, {1, 0, 0, 1, 2, 1, 1, 2})).one(), floats({2}, {1, 3})));
  CHECK(same(NodeUnderTest("Det", 11).input(floats({2, 0, 0}, {})).one(), floats({2}, {1, 1})));
  CHECK(NodeUnderTest("Det", 11).input(kX).error().starts_with("schema/shape-mismatch"));
  CHECK(NodeUnderTest("Det", 11).input(floats({2}, {1, 2})).error().starts_with("schema/shape-mismatch"));
}

TEST_CASE("Det-11 infinities by the sum of signed products") {
  CHECK(same(det(1, {kInf}), floats({}, {kInf})));
  CHECK(same(det(2, {kInf, 1, 1, 2}), floats({}, {kInf})));
  CHECK(same(det(2, {kInf, 1, 1, 0}), floats({}, {kNan})));      // infinity times 0
  CHECK(same(det(2, {kInf, kInf, 1, 1}), floats({}, {kNan})));   // infinity less infinity
  CHECK(same(det(2, {kInf, kInf, 1, -1}), floats({}, {-kInf})));
  CHECK(same(det(2, {1, 2, kNan, 4}), floats({}, {kNan})));
  CHECK(same(det(3, {kInf, 1, 1, 1, 1, -1, 1, 1, 1}), floats({}, {kInf})));  // the minor's two products: 1 and +1
  CHECK(same(det(4, {kInf, 1, 1, 1, 1, 1, 2, 3, 1, 4, 5, 6, 1, 7, 8, 9}), floats({}, {kNan})));
  CHECK(same(det(2, {-0.0f, 0, 1, 1}), floats({}, {-0.0f})));  // -0 - +0
  CHECK(same(det(2, {0, 0, 0, 0}), floats({}, {0})));
}

TEST_CASE("Det-22 bfloat16") {
  CHECK(same(NodeUnderTest("Det", 22).input(codes(DType::kBfloat16, {1, 1}, {0x4040})).one(), codes(DType::kBfloat16, {}, {0x4040})));
}
