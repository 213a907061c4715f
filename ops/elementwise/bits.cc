// BitwiseAnd, BitwiseOr, BitwiseXor, BitwiseNot (18); BitShift (11, 28).
#include "ops/elementwise/integers.h"
#include "ops/elementwise/loops.h"
#include "ops/operator.h"

namespace onnxv {
namespace {

template <class Operation>
Tensor bitwise(const OpCall& call, Combine how, const Operation& operation) {
  const Tensor& a = call.tensor("A");
  if (Tensor result; combined(a, call.tensor("B"), how, &result)) return result;
  return map_integers(a, call.tensor("B"), a.dtype(), operation);
}
Tensor bitwise_and_18(const OpCall& call) {
  return bitwise(call, Combine::kAnd, [](int128 a, int128 b) { return a & b; });
}
Tensor bitwise_or_18(const OpCall& call) {
  return bitwise(call, Combine::kOr, [](int128 a, int128 b) { return a | b; });
}
Tensor bitwise_xor_18(const OpCall& call) {
  return bitwise(call, Combine::kXor, [](int128 a, int128 b) { return a ^ b; });
}
Tensor bitwise_not_18(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  return map_integers(x, x.dtype(), [](int128 a) { return ~a; });
}

// Choice: version 11 is silent on amounts of the width and more; version 28's rule serves both: every bit is shifted out
// (a negative number shifted right leaves -1). A negative amount is such an amount too.
Tensor bit_shift_11(const OpCall& call) {
  const std::string& direction = call.text("direction");
  if (direction != "LEFT" && direction != "RIGHT") {
    fail_schema("attribute-value", "direction is \"" + direction + "\"", "must be LEFT or RIGHT");
  }
  const bool left = direction == "LEFT";
  const Tensor& x = call.tensor("X");
  const int bits = dtype_bits(x.dtype());
  return map_integers(x, call.tensor("Y"), x.dtype(), [=](int128 value, int128 amount) -> int128 {
    if (amount < 0 || amount >= bits) return !left && value < 0 ? -1 : 0;
    return left ? static_cast<int128>(static_cast<uint128>(value) << static_cast<int>(amount))
                : value >> static_cast<int>(amount);
  });
}

}  // namespace

extern const Operator kBitwiseAnd, kBitwiseOr, kBitwiseXor, kBitwiseNot, kBitShift;
const Operator kBitwiseAnd{"ai.onnx", "BitwiseAnd", {{.since = 18, .run = bitwise_and_18}}};
const Operator kBitwiseOr{"ai.onnx", "BitwiseOr", {{.since = 18, .run = bitwise_or_18}}};
const Operator kBitwiseXor{"ai.onnx", "BitwiseXor", {{.since = 18, .run = bitwise_xor_18}}};
const Operator kBitwiseNot{"ai.onnx", "BitwiseNot", {{.since = 18, .run = bitwise_not_18}}};
const Operator kBitShift{"ai.onnx", "BitShift", {{.since = 11, .also = {28}, .run = bit_shift_11}}};

}  // namespace onnxv
