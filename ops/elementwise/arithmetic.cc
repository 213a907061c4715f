// Add, Sub, Mul, Div: one operation of the reals, rounded once; integers wrap.
//   since 1   broadcast by the attributes `broadcast` and `axis` (6: no consumed_inputs, more types)
//   since 7   NumPy's broadcasting (13: bfloat16, 14: 8- and 16-bit integers)
#include "src/number/formula.h"

namespace onnxv {
namespace {

constexpr auto add = []<class Real>(Real a, Real b) -> Real { return a + b; };
constexpr auto subtract = []<class Real>(Real a, Real b) -> Real { return a - b; };
constexpr auto multiply = []<class Real>(Real a, Real b) -> Real { return a * b; };
constexpr auto divide = []<class Real>(Real a, Real b) -> Real { return a / b; };

}  // namespace
IEEE_FORMULA(kAddFormula, add, 2)
IEEE_FORMULA(kSubtractFormula, subtract, 2)
IEEE_FORMULA(kMultiplyFormula, multiply, 2)
IEEE_FORMULA(kDivideFormula, divide, 2)
}  // namespace onnxv

#ifndef ONNXV_LANES
#include "ops/elementwise/integers.h"
#include "ops/elementwise/legacy_broadcast.h"
#include "ops/operator.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

// A product of two 64-bit integers exceeds no 128 bits; only its low half counts.
// Two uint64 may have a product above int128; its low bits are the same.
int128 product(int128 a, int128 b) { return static_cast<int128>(static_cast<uint128>(a) * static_cast<uint128>(b)); }
int128 quotient(int128 a, int128 b) {
  if (b == 0) fail_undefined("integer-division", "an integer is divided by zero");
  return a / b;  // toward zero; INT_MIN / -1 is a number here, and wraps
}

struct Operation {
  const Formula& formula;
  int128 (*integer)(int128, int128);
};
int128 total(int128 a, int128 b) { return a + b; }
int128 difference(int128 a, int128 b) { return a - b; }

Tensor applied(const Operation& operation, const Tensor& a, const Tensor& b) {
  if (is_integer(a.dtype())) return map_integers(a, b, a.dtype(), operation.integer);
  const Tensor operands[] = {a, b};
  return map_elements(operation.formula, a.dtype(), operands);
}

const Operation kAddition{kAddFormula, total};
const Operation kSubtraction{kSubtractFormula, difference};
const Operation kMultiplication{kMultiplyFormula, product};
const Operation kDivision{kDivideFormula, quotient};

template <const Operation& operation>
Tensor binary_1(const OpCall& call) {
  const Tensor& a = call.tensor("A");
  return applied(operation, a, aligned_to(a, call.tensor("B"), call));
}
template <const Operation& operation>
Tensor binary_7(const OpCall& call) {
  return applied(operation, call.tensor("A"), call.tensor("B"));
}

template <const Operation& operation>
std::vector<Behaviour> behaviours() {
  return {{.since = 1, .also = {6}, .run = binary_1<operation>},
          {.since = 7, .also = {13, 14}, .run = binary_7<operation>}};
}

}  // namespace

extern const Operator kAdd, kSub, kMul, kDiv;
const Operator kAdd{"ai.onnx", "Add", behaviours<kAddition>()};
const Operator kSub{"ai.onnx", "Sub", behaviours<kSubtraction>()};
const Operator kMul{"ai.onnx", "Mul", behaviours<kMultiplication>()};
const Operator kDiv{"ai.onnx", "Div", behaviours<kDivision>()};

}  // namespace onnxv
#endif
