// Equal, Greater, GreaterOrEqual, Less, LessOrEqual; And, Or, Xor, Not; IsInf, IsNaN.
// Comparisons are exact on the inputs' bits: NaN compares false, -0 equals +0, integers keep all their digits.
//   Equal, Greater, Less: since 1 broadcast by attributes, since 7 NumPy's; And, Or, Xor the same.
#include "ops/elementwise/integers.h"
#include "ops/elementwise/legacy_broadcast.h"
#include "ops/elementwise/loops.h"
#include "ops/operator.h"
#include "src/tensor/index.h"
#include "src/tensor/lines.h"

namespace onnxv {
namespace {

enum class Order { kLess, kEqual, kGreater, kUnordered };

template <class T>
Order order_of(const T& a, const T& b) {
  if (a < b) return Order::kLess;
  if (a > b) return Order::kGreater;
  return a == b ? Order::kEqual : Order::kUnordered;
}

using Holds = bool (*)(Order);
constexpr bool is_equal(Order order) { return order == Order::kEqual; }
constexpr bool is_greater(Order order) { return order == Order::kGreater; }
constexpr bool is_less(Order order) { return order == Order::kLess; }
constexpr bool is_greater_or_equal(Order order) { return is_greater(order) || is_equal(order); }
constexpr bool is_less_or_equal(Order order) { return is_less(order) || is_equal(order); }

template <Holds holds>
constexpr Relation relation_of() {
  if (holds == is_equal) return Relation::kEqual;
  if (holds == is_greater) return Relation::kGreater;
  if (holds == is_less) return Relation::kLess;
  return holds == is_greater_or_equal ? Relation::kGreaterOrEqual : Relation::kLessOrEqual;
}

template <Holds holds, class List>
void compare_all(const List& x, const List& y, std::span<uint8_t> out) {
  for (size_t i = 0; i < out.size(); ++i) out[i] = holds(order_of(x[i], y[i])) ? 1 : 0;
}

std::vector<double> decoded(const Tensor& tensor) {
  std::vector<double> values(tensor.size() + 1);
  decode_elements(tensor, 0, tensor.size(), values.data());
  return values;
}

template <Holds holds>
Tensor compared(const Tensor& given_a, const Tensor& given_b) {
  Tensor result;
  if (related(given_a, given_b, relation_of<holds>(), &result)) return result;
  const Shape shape = broadcast_shape(given_a.shape(), given_b.shape());
  const Tensor a = broadcast_to(given_a, shape), b = broadcast_to(given_b, shape);
  result = Tensor::unfilled(DType::kBool, shape);
  const std::span<uint8_t> out = result.mutable_as<uint8_t>();
  if (a.is_string()) {
    compare_all<holds>(a.strings(), b.strings(), out);
  } else if (!is_integer(a.dtype())) {
    compare_all<holds>(decoded(a), decoded(b), out);
  } else {
    compare_all<holds>(exact_integers(a), exact_integers(b), out);
  }
  return result;
}

template <Holds holds>
Tensor compare_1(const OpCall& call) {
  const Tensor& a = call.tensor("A");
  return compared<holds>(a, aligned_to(a, call.tensor("B"), call));
}
template <Holds holds>
Tensor compare_7(const OpCall& call) {
  return compared<holds>(call.tensor("A"), call.tensor("B"));
}

using Connective = bool (*)(bool, bool);
bool both(bool a, bool b) { return a && b; }
bool either(bool a, bool b) { return a || b; }
bool just_one(bool a, bool b) { return a != b; }

Tensor connected(const Tensor& given_a, const Tensor& given_b, Connective connective) {
  const Shape shape = broadcast_shape(given_a.shape(), given_b.shape());
  const Tensor a = broadcast_to(given_a, shape), b = broadcast_to(given_b, shape);
  Tensor result = Tensor::unfilled(DType::kBool, shape);
  const std::span<const uint8_t> x = a.as<uint8_t>(), y = b.as<uint8_t>();
  const std::span<uint8_t> out = result.mutable_as<uint8_t>();
  for (size_t i = 0; i < out.size(); ++i) out[i] = connective(x[i] != 0, y[i] != 0) ? 1 : 0;
  return result;
}
template <Connective connective>
Tensor connect_1(const OpCall& call) {
  const Tensor& a = call.tensor("A");
  return connected(a, aligned_to(a, call.tensor("B"), call), connective);
}
template <Connective connective>
Tensor connect_7(const OpCall& call) {
  return connected(call.tensor("A"), call.tensor("B"), connective);
}

Tensor not_1(const OpCall& call) {
  const Tensor& x = call.tensor("X");
  Tensor result = Tensor::unfilled(DType::kBool, x.shape());
  const std::span<const uint8_t> from = x.as<uint8_t>();
  const std::span<uint8_t> out = result.mutable_as<uint8_t>();
  for (size_t i = 0; i < out.size(); ++i) out[i] = from[i] == 0 ? 1 : 0;
  return result;
}

template <class Test>
Tensor tested(const Tensor& x, const Test& test) {
  Tensor result = Tensor::unfilled(DType::kBool, x.shape());
  const std::vector<double> values = decoded(x);
  const std::span<uint8_t> out = result.mutable_as<uint8_t>();
  for (size_t i = 0; i < out.size(); ++i) out[i] = test(values[i]) ? 1 : 0;
  return result;
}

Tensor is_nan_9(const OpCall& call) {
  return tested(call.tensor("X"), [](double v) { return v != v; });
}

Tensor is_inf_10(const OpCall& call) {
  const bool positive = call.integer("detect_positive") != 0, negative = call.integer("detect_negative") != 0;
  constexpr double kInfinity = __builtin_inf();
  return tested(call.tensor("X"), [=](double v) {
    return (positive && v == kInfinity) || (negative && v == -kInfinity);
  });
}

template <Holds holds>
std::vector<Behaviour> ordering(std::vector<int> also) {
  return {{.since = 1, .run = compare_1<holds>}, {.since = 7, .also = std::move(also), .run = compare_7<holds>}};
}
template <Connective connective>
std::vector<Behaviour> logic() {
  return {{.since = 1, .run = connect_1<connective>}, {.since = 7, .run = connect_7<connective>}};
}

}  // namespace

extern const Operator kEqual, kGreater, kGreaterOrEqual, kLess, kLessOrEqual, kAnd, kOr, kXor, kNot, kIsInf, kIsNaN;
const Operator kEqual{"ai.onnx", "Equal", ordering<is_equal>({11, 13, 19})};
const Operator kGreater{"ai.onnx", "Greater", ordering<is_greater>({9, 13})};
const Operator kLess{"ai.onnx", "Less", ordering<is_less>({9, 13})};
const Operator kGreaterOrEqual{"ai.onnx", "GreaterOrEqual",
                               {{.since = 12, .also = {16}, .run = compare_7<is_greater_or_equal>}}};
const Operator kLessOrEqual{"ai.onnx", "LessOrEqual", {{.since = 12, .also = {16}, .run = compare_7<is_less_or_equal>}}};
const Operator kAnd{"ai.onnx", "And", logic<both>()};
const Operator kOr{"ai.onnx", "Or", logic<either>()};
const Operator kXor{"ai.onnx", "Xor", logic<just_one>()};
const Operator kNot{"ai.onnx", "Not", {{.since = 1, .run = not_1}}};
const Operator kIsInf{"ai.onnx", "IsInf", {{.since = 10, .also = {20}, .run = is_inf_10}}};
const Operator kIsNaN{"ai.onnx", "IsNaN", {{.since = 9, .also = {13, 20}, .run = is_nan_9}}};

}  // namespace onnxv
