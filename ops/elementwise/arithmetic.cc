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
#include <optional>

#include "ops/elementwise/integers.h"
#include "ops/elementwise/legacy_broadcast.h"
#include "ops/elementwise/loops.h"
#include "ops/operator.h"
#include "src/tensor/combine.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

struct Addition {
  static constexpr FloatOperation kOperation = FloatOperation::kAdd;
  static constexpr const Formula& kFormula = kAddFormula;
  static constexpr std::optional<Combine> kLoop = Combine::kAdd;
  int128 operator()(int128 a, int128 b) const { return a + b; }
};
struct Subtraction {
  static constexpr FloatOperation kOperation = FloatOperation::kSubtract;
  static constexpr const Formula& kFormula = kSubtractFormula;
  static constexpr std::optional<Combine> kLoop = Combine::kSubtract;
  int128 operator()(int128 a, int128 b) const { return a - b; }
};
// A product of two uint64 may lie above int128; its low bits, which alone count, are the same.
struct Multiplication {
  static constexpr FloatOperation kOperation = FloatOperation::kMultiply;
  static constexpr const Formula& kFormula = kMultiplyFormula;
  static constexpr std::optional<Combine> kLoop = Combine::kMultiply;
  int128 operator()(int128 a, int128 b) const {
    return static_cast<int128>(static_cast<uint128>(a) * static_cast<uint128>(b));
  }
};
struct Division {
  static constexpr FloatOperation kOperation = FloatOperation::kDivide;
  static constexpr const Formula& kFormula = kDivideFormula;
  static constexpr std::optional<Combine> kLoop = std::nullopt;  // it may divide by zero
  int128 operator()(int128 a, int128 b) const {
    if (b == 0) fail_undefined("integer-division", "an integer is divided by zero");
    if (a == static_cast<int32_t>(a) && b == static_cast<int32_t>(b)) {  // the machine's division, several times as fast
      return static_cast<int64_t>(a) / static_cast<int64_t>(b);
    }
    return a / b;  // toward zero; INT_MIN / -1 is a number here, and wraps
  }
};

template <class Operation>
Tensor applied(const Tensor& a, const Tensor& b) {
  if (Tensor result; Operation::kLoop && combined(a, b, *Operation::kLoop, &result)) return result;
  if (is_integer(a.dtype())) return map_integers(a, b, a.dtype(), Operation());
  if (are_combined(a, b)) return combined(Operation::kOperation, a, b);
  const Tensor operands[] = {a, b};
  return map_elements(Operation::kFormula, a.dtype(), operands);
}

template <class Operation>
Tensor binary_1(const OpCall& call) {
  const Tensor& a = call.tensor("A");
  return applied<Operation>(a, aligned_to(a, call.tensor("B"), call));
}
template <class Operation>
Tensor binary_7(const OpCall& call) {
  return applied<Operation>(call.tensor("A"), call.tensor("B"));
}

template <class Operation>
std::vector<Behaviour> behaviours() {
  return {{.since = 1, .also = {6}, .run = binary_1<Operation>},
          {.since = 7, .also = {13, 14}, .run = binary_7<Operation>}};
}

}  // namespace

extern const Operator kAdd, kSub, kMul, kDiv;
const Operator kAdd{"ai.onnx", "Add", behaviours<Addition>()};
const Operator kSub{"ai.onnx", "Sub", behaviours<Subtraction>()};
const Operator kMul{"ai.onnx", "Mul", behaviours<Multiplication>()};
const Operator kDiv{"ai.onnx", "Div", behaviours<Division>()};

}  // namespace onnxv
#endif
