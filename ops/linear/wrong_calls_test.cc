#include "src/run/wrong_calls.h"

namespace onnxv::testing {
namespace {

NodeUnderTest call(const char* op, int64_t opset, Value a) { return NodeUnderTest(op, opset).input(std::move(a)); }
NodeUnderTest call(const char* op, int64_t opset, Value a, Value b) { return call(op, opset, std::move(a)).input(std::move(b)); }
NodeUnderTest einsum(const char* equation, Value a) { return call("Einsum", 12, std::move(a)).attribute("equation", equation); }

const Tensor kMatrix = floats({2, 3}, {1, 2, 3, 4, 5, 6});
const Tensor kSquare = floats({2, 2}, {1, 2, 3, 4});
const Tensor kScalar = floats({}, {1});

TEST_CASE("linear: shapes that do not multiply") {
  check_wrong_calls({
      {call("MatMul", 13, kScalar, kMatrix), "schema/rank", "MatMul-13", "an operand is a scalar", "must have rank 1 or more"},
      {call("MatMul", 1, kMatrix, kMatrix), "schema/shape-mismatch", "MatMul-1", "A is [2,3] and B is [2,3]", "the inner dimensions must be equal"},
      {call("MatMul", 9, Tensor(DType::kFloat, {2, 2, 2}), Tensor(DType::kFloat, {3, 2, 2})), "schema/shape-mismatch", "MatMul-9", "shapes [2] [3]", "must broadcast to one shape"},
      {call("Gemm", 13, floats({3}, {1, 2, 3}), kMatrix), "schema/rank", "Gemm-13", "A is [3]", "must have rank 2"},
      {call("Gemm", 11, kMatrix, kMatrix), "schema/shape-mismatch", "Gemm-11", "A' has 3 columns and B' 2 rows", "must be equal"},
      {call("Gemm", 9, kSquare, kMatrix).input(floats({2, 1, 1}, {1, 2})), "schema/shape-mismatch", "Gemm-9", "C is [2,1,1]", "must broadcast to [2,3]"},
      {call("Gemm", 6, kSquare, kMatrix).input(floats({3}, {1, 2, 3})), "schema/shape-mismatch", "Gemm-6", "C is [3]", "must be [2,3]"},
      {call("Gemm", 1, kSquare, kMatrix).input(floats({2}, {1, 2})).attribute("broadcast", 1), "schema/shape-mismatch", "Gemm-1", "C is [2]", "must broadcast to [2,3]"},
      {call("Gemm", 7, kSquare, kMatrix), "schema/arity", "Gemm-7", "the node has 2 inputs", "must be 3"},
      {call("Det", 22, kMatrix), "schema/shape-mismatch", "Det-22", "X is [2,3]", "must end in two equal dimensions"},
      {call("Det", 11, floats({1}, {1})), "schema/shape-mismatch", "Det-11", "X is [1]", "must end in two equal dimensions"},
  });
}

TEST_CASE("linear: factors of integers") {
  const Tensor one = int32s({1, 1}, {1});
  check_wrong_calls({
      {call("Gemm", 13, one, one).attribute("alpha", __builtin_inff()), "undefined/integer-factor", "Gemm-13", "alpha is not finite", "must be a number where the elements are integers"},
      {call("Gemm", 9, one, one).input(one).attribute("beta", __builtin_nanf("")), "undefined/integer-factor", "Gemm-9", "beta is not finite", "must be a number where the elements are integers"},
  });
  // Without C there is no beta.
  CHECK(same(call("Gemm", 11, one, one).attribute("beta", __builtin_nanf("")).one(), one));
}

TEST_CASE("linear: equations that contradict themselves or the operands") {
  const std::string once = "must name indices of the terms, each once", every = "must name every dimension once";
  check_wrong_calls({
      {einsum("ij,jk->ik", kMatrix), "schema/equation", "Einsum-12", "the equation has 2 terms for 1 inputs", "must have one for each"},
      {einsum("i->i", kMatrix), "schema/equation", "Einsum-12", "term 0 has 1 letters for an operand of rank 2", every},
      {einsum("ijk", kMatrix), "schema/equation", "Einsum-12", "term 0 has 3 letters for an operand of rank 2", every},
      {einsum("ij->ik", kMatrix), "schema/equation", "Einsum-12", "the output names index k", once},
      {einsum("ij->ii", kMatrix), "schema/equation", "Einsum-12", "the output names index i", once},
      {einsum("i.j->ij", kMatrix), "schema/equation", "Einsum-12", "a term is \"i.j\"", "must be letters and at most one ellipsis"},
      {einsum("1j", kMatrix), "schema/equation", "Einsum-12", "a term is \"1j\"", "must be letters and at most one ellipsis"},
      {einsum("...->", kMatrix), "schema/equation", "Einsum-12", "the output has no ellipsis", "must have one: the dimensions of the ellipsis are not summed"},
      {einsum("...i,...", kMatrix).input(kMatrix), "schema/equation", "Einsum-12", "the ellipses stand for different numbers of dimensions", "must be the same"},
      {einsum("ii->i", kMatrix), "schema/shape-mismatch", "Einsum-12", "index i is repeated with the lengths 2 and 3", "a diagonal needs equal lengths"},
      {einsum("ij,jk", kMatrix).input(kMatrix), "schema/shape-mismatch", "Einsum-12", "index j has the lengths 3 and 2", "must be one length, or 1"},
  });
}

}  // namespace
}  // namespace onnxv::testing
